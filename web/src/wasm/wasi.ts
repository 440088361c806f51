// The few system calls that wgemm.wasm's C library imports. It has no files, no environment and no clock: each call
// answers so.
import { GemmError } from '../errors.ts';

const SUCCESS = 0;
const NOT_SUPPORTED = 52; // __WASI_ERRNO_NOSYS

type SystemCall = (...words: number[]) => number;

/** Imports for the module; `memory` is asked for once the module runs. */
export function systemCalls(module: WebAssembly.Module, memory: () => WebAssembly.Memory): WebAssembly.Imports {
  const known: Record<string, SystemCall> = {
    environ_sizes_get: (count = 0, bytes = 0) => {
      const view = new DataView(memory().buffer);
      view.setUint32(count, 0, true);
      view.setUint32(bytes, 0, true);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    proc_exit: (status = 0) => {
      throw new GemmError('internal', '', `wgemm.wasm ended itself with status ${status}`);
    },
  };
  const imports: WebAssembly.Imports = {};
  for (const { module: room, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function' || room !== 'wasi_snapshot_preview1') {
      throw new GemmError('io', 'wasm', `this is no wgemm.wasm: it imports the ${kind} ${room}.${name}`);
    }
    (imports[room] ??= {})[name] = known[name] ?? (() => NOT_SUPPORTED);
  }
  return imports;
}
