// A device whose errors and loss reach whoever waits.
import { cancelled, type ErrorCode, GemmError, throwIfAborted } from '../errors.ts';

export class WatchedDevice {
  #lost: GemmError | undefined;
  readonly #waiting = new Set<(error: GemmError) => void>();

  constructor(readonly gpu: GPUDevice) {
    void gpu.lost.then(({ message, reason }) => {
      this.end(
        `the device is lost${reason === 'destroyed' ? ' (it was destroyed)' : ''}: ${message || 'no reason given'}`,
      );
    });
  }

  /** From now on every call, and whatever waits, fails. */
  end(message: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = new GemmError('device_lost', 'device', message);
    for (const fail of this.#waiting) fail(this.#lost);
    this.#waiting.clear();
  }

  /** Errors: device_lost. */
  checkAlive(): void {
    if (this.#lost !== undefined) throw this.#lost;
  }

  /** The promise's value, unless the device is lost or the signal aborted before. Errors: device_lost, cancelled. */
  async wait<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
    let fail: ((error: GemmError) => void) | undefined;
    let stop: (() => void) | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        promise.then(resolve, reject); // first of all, so that its failure is always heard
        this.checkAlive();
        throwIfAborted(signal);
        fail = reject;
        this.#waiting.add(fail);
        if (signal !== undefined) {
          stop = () => reject(cancelled(signal));
          signal.addEventListener('abort', stop, { once: true });
        }
      });
    } catch (error) {
      if (!(error instanceof GemmError)) await this.#hearOfLoss();
      throw error;
    } finally {
      if (fail !== undefined) this.#waiting.delete(fail);
      if (stop !== undefined) signal?.removeEventListener('abort', stop);
    }
  }

  /** What fails on a lost device often fails before the loss is told. Errors: device_lost. */
  async #hearOfLoss(): Promise<void> {
    await Promise.race([this.gpu.lost, new Promise((resolve) => setTimeout(resolve, LOSS_TOLD_MS))]);
    this.checkAlive();
  }

  /**
   * Calls `make` with error scopes around it, and waits for what they caught. Nothing that `make` did may be used
   * before that. Errors: `code` (a validation error), out_of_memory, internal, device_lost, cancelled.
   */
  async scoped<T>(code: ErrorCode, what: string, make: () => T, signal?: AbortSignal): Promise<T> {
    this.checkAlive();
    throwIfAborted(signal);
    for (const filter of SCOPES) this.gpu.pushErrorScope(filter);
    let made: T | undefined;
    let thrown: unknown;
    try {
      made = make();
    } catch (error) {
      thrown = error;
    }
    const caught = Promise.all(SCOPES.map(() => this.gpu.popErrorScope()));
    const [outOfMemory, internal, validation] = await this.wait(caught, signal);
    if (thrown instanceof GemmError) throw thrown;
    if (outOfMemory) throw new GemmError('out_of_memory', 'memory', `${what}: ${shorten(outOfMemory.message)}`);
    if (validation) throw new GemmError(code, '', `${what}: ${shorten(validation.message)}`);
    if (internal) throw new GemmError('internal', '', `${what}: ${shorten(internal.message)}`);
    if (thrown !== undefined) throw thrown;
    return made as T;
  }
}

const LOSS_TOLD_MS = 50;

/** Pushed in this order, so popped in the other: the results are out of memory, internal, validation. */
const SCOPES = ['validation', 'internal', 'out-of-memory'] as const;

const LONGEST = 1000;

/** Compilers repeat the whole text behind their message. */
export function shorten(message: string): string {
  return message.length <= LONGEST ? message : `${message.slice(0, LONGEST)}…`;
}
