// What the bundler makes of imports that are no TypeScript (page/build.mjs).
declare module 'text:*' {
  const text: string;
  export default text;
}
declare module 'wat:*' {
  const module: Uint8Array<ArrayBuffer>;
  export default module;
}
