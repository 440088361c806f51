// Gets wgemm.wasm: by URL in a page, from the file beside this module in Node, or as the caller has it.
import { GemmError, messageOf } from '../errors.ts';

export type WasmSource = URL | string | BufferSource | WebAssembly.Module;

let standard: Promise<WebAssembly.Module> | undefined;

/** The compiled module. Errors: io, internal (no WebAssembly). */
export function loadModule(source: WasmSource | undefined): Promise<WebAssembly.Module> {
  if (source !== undefined) return compile(source);
  // Compiled once; a failed attempt may be repeated.
  standard ??= compile(new URL('./wgemm.wasm', import.meta.url)).catch((error: unknown) => {
    standard = undefined;
    throw error;
  });
  return standard;
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  try {
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return await WebAssembly.compile(source);
    const url = new URL(source as URL | string, base());
    return url.protocol === 'file:' ? await WebAssembly.compile(await readFile(url)) : await compileFrom(url);
  } catch (error) {
    const where = source instanceof URL || typeof source === 'string' ? `'${String(source)}'` : 'the bytes given';
    throw new GemmError('io', 'wasm', `${where} cannot be loaded as wgemm.wasm: ${messageOf(error)}`, { cause: error });
  }
}

/** What relative addresses are relative to: the page or the worker; in Node this module. */
function base(): string {
  return (globalThis.location as Location | undefined)?.href ?? import.meta.url;
}

async function readFile(url: URL): Promise<BufferSource> {
  // Under another name, so that no bundler looks for it.
  const files = 'node:fs/promises';
  const { readFile: read } = (await import(
    /* webpackIgnore: true */ /* @vite-ignore */ files
  )) as typeof import('node:fs/promises');
  return read(url);
}

async function compileFrom(url: URL): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${response.status} ${response.statusText}`);
  // Not every server gives the type that compileStreaming insists on.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
