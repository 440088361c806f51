// The C++ core: JSON requests in, JSON answers out.
import { type ErrorCode, GemmError, messageOf } from '../errors.ts';
import { loadModule, type WasmSource } from './load.ts';
import { systemCalls } from './wasi.ts';

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  wgemm_allocate(bytes: number): number;
  wgemm_release(pointer: number): void;
  wgemm_call(request: number, bytes: number): number;
  wgemm_release_answer(answer: number): void;
}

const FUNCTIONS = ['_initialize', 'wgemm_allocate', 'wgemm_release', 'wgemm_call', 'wgemm_release_answer'] as const;

interface Answer {
  result?: unknown;
  error?: { code: ErrorCode; argument: string; message: string };
}

export class Core {
  readonly #exports: Exports;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  private constructor(exports: Exports) {
    this.#exports = exports;
  }

  /** Errors: io. */
  static async load(source?: WasmSource): Promise<Core> {
    const module = await loadModule(source);
    let exports: Exports | undefined;
    const imports = systemCalls(module, () => {
      if (exports === undefined)
        throw new GemmError('internal', '', 'wgemm.wasm called the system before it was there');
      return exports.memory;
    });
    const instance = await WebAssembly.instantiate(module, imports);
    exports = checked(instance.exports);
    exports._initialize();
    return new Core(exports);
  }

  /** One call of the core. The caller states what it answers. Errors: the core's own, invalid_argument, internal. */
  call<T>(name: string, fields: object = {}): T {
    const answer = JSON.parse(this.#exchange(requestOf(name, fields))) as Answer;
    if (answer.error !== undefined) {
      throw new GemmError(answer.error.code, answer.error.argument, answer.error.message);
    }
    return answer.result as T;
  }

  #exchange(request: string): string {
    try {
      return this.#answerTo(this.#encoder.encode(request));
    } catch (error) {
      if (error instanceof GemmError) throw error;
      throw new GemmError('internal', '', `wgemm.wasm failed: ${messageOf(error)}`, { cause: error });
    }
  }

  #answerTo(request: Uint8Array): string {
    const { memory, wgemm_allocate, wgemm_release, wgemm_call, wgemm_release_answer } = this.#exports;
    const pointer = wgemm_allocate(request.length);
    if (pointer === 0) throw new GemmError('out_of_memory', '', 'wgemm.wasm has no memory left for a request');
    new Uint8Array(memory.buffer, pointer, request.length).set(request);
    const answer = wgemm_call(pointer, request.length);
    wgemm_release(pointer);
    if (answer === 0) throw new GemmError('out_of_memory', '', 'wgemm.wasm has no memory left for an answer');
    // The memory may have grown, and then its old buffer is gone.
    const [address = 0, length = 0] = new Uint32Array(memory.buffer, answer, 2);
    const text = this.#decoder.decode(new Uint8Array(memory.buffer, address, length));
    wgemm_release_answer(answer);
    return text;
  }
}

function requestOf(call: string, fields: object): string {
  try {
    return asJson({ call, ...fields });
  } catch (error) {
    const at = Object.keys(fields).find((key) => !canBeJson((fields as Record<string, unknown>)[key])) ?? '';
    const message = `${at} cannot be written as JSON, which the core reads: ${messageOf(error)}`;
    throw new GemmError('invalid_argument', at, message, { cause: error });
  }
}

function canBeJson(value: unknown): boolean {
  try {
    asJson(value);
    return true;
  } catch {
    return false;
  }
}

/** JSON has no infinities and no NaN; the core reads their names. A bigint it refuses, by its place. */
export function asJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return `${each}n`;
    if (typeof each !== 'number' || Number.isFinite(each)) return each;
    return Number.isNaN(each) ? 'nan' : each > 0 ? 'inf' : '-inf';
  });
}

function checked(exports: WebAssembly.Exports): Exports {
  const missing = FUNCTIONS.filter((name) => typeof exports[name] !== 'function');
  if (missing.length > 0 || !(exports['memory'] instanceof WebAssembly.Memory)) {
    throw new GemmError('io', 'wasm', `this is no wgemm.wasm: it does not export ${[...missing, 'memory'].join(', ')}`);
  }
  return exports as unknown as Exports;
}
