// What TypeScript does not know: imports that the bundler resolves (page/build.mjs), and constants of WebGPU.
declare module 'text:*' {
  const text: string;
  export default text;
}
declare module 'wat:*' {
  const module: Uint8Array<ArrayBuffer>;
  export default module;
}
declare const GPUBufferUsage: Readonly<Record<'MAP_READ' | 'COPY_SRC' | 'COPY_DST' | 'STORAGE', number>>;
declare const GPUMapMode: Readonly<Record<'READ', number>>;
