// wgemm.wasm in Node: requests and answers as bytes.
import {readFileSync} from 'node:fs';

const ERRNO_NOSYS = 52;

export async function load(file) {
  const module = new WebAssembly.Module(readFileSync(file));
  // What a C library wants of a system: nothing here opens, reads or writes.
  const imports = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => ERRNO_NOSYS;
  }
  const {exports} = await WebAssembly.instantiate(module, imports);
  exports._initialize();
  return exports;
}

/// The answer's bytes, copied out of the module's memory.
export function call(exports, request) {
  const at = exports.wgemm_allocate(request.length);
  new Uint8Array(exports.memory.buffer).set(request, at);
  const answer = exports.wgemm_call(at, request.length);
  exports.wgemm_release(at);
  const [address, length] = new Uint32Array(exports.memory.buffer, answer, 2);
  const bytes = Buffer.from(new Uint8Array(exports.memory.buffer, address, length));
  exports.wgemm_release_answer(answer);
  return bytes;
}
