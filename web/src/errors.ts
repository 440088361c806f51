// Errors are typed: a code to branch on, the argument at fault, and a sentence that says what would be right.

/** As wgemm::ErrorCode names them. */
export type ErrorCode =
  | 'invalid_argument' // a value that no device could accept; `argument` names it
  | 'unsupported' // right in itself, but this device lacks a limit or a feature
  | 'not_found' // a kernel, a file or an adapter of that name does not exist
  | 'compilation' // the browser refused a shader or a pipeline
  | 'out_of_memory' // the device could not allocate
  | 'device_lost' // the device is gone; make a new one
  | 'validation' // the browser refused a call (a fault of wgemm: please report it)
  | 'timeout'
  | 'cancelled' // the caller's AbortSignal called the work off
  | 'io' // wgemm.wasm could not be read
  | 'internal'; // a broken promise inside wgemm (please report it)

export class GemmError extends Error {
  override readonly name = 'GemmError';

  /**
   * @param code what kind of error it is
   * @param argument the argument, limit, feature or kernel at fault; may be empty
   * @param message one sentence: what was given, and what would be right
   */
  constructor(
    readonly code: ErrorCode,
    readonly argument: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What was thrown, in words. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Throws where an argument is no object. `right` says what it is to be. */
export function checkObject(name: string, given: unknown, right: string): void {
  if (typeof given === 'object' && given !== null) return;
  throw new GemmError('invalid_argument', name, `${name} is ${kindOf(given)}; it is to be ${right}`);
}

/** Throws where the options of a call are no object. */
export function checkOptions(given: unknown): void {
  checkObject('options', given, 'an object, or left out');
}

/** Throws where a callback is none. */
export function checkCallback(name: string, given: unknown): void {
  if (given === undefined || typeof given === 'function') return;
  throw new GemmError('invalid_argument', name, `${name} is ${kindOf(given)}; it is to be a function, or left out`);
}

function kindOf(given: unknown): string {
  if (given === undefined) return 'missing';
  return given === null ? 'null' : `of type ${typeof given}`;
}

/** Throws where the signal has been aborted, or is none: its controller, by a slip. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  if (typeof (signal as AbortSignal | null)?.addEventListener !== 'function') {
    throw new GemmError('invalid_argument', 'signal', 'signal is to be an AbortSignal, as `controller.signal` is');
  }
  if (signal.aborted) throw cancelled(signal);
}

export function cancelled(signal: AbortSignal): GemmError {
  return new GemmError('cancelled', 'signal', 'the work was called off by its AbortSignal', { cause: signal.reason });
}
