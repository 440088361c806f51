// Buffers that wait for their next use. A buffer may go back as soon as its commands are submitted: the queue carries
// out what came first, so the next user cannot be early.
import { GemmError } from '../errors.ts';
import type { WatchedDevice } from './watched.ts';

/** What waits at most. */
const KEPT_BYTES = 256 * 1024 * 1024;

export class BufferPool {
  readonly #waiting: GPUBuffer[] = []; // the most recently used last
  #bytes = 0;
  #destroyed = false;

  constructor(readonly device: WatchedDevice) {}

  /**
   * A buffer of at least `bytes` (and at most twice as many), for that usage.
   * Errors: unsupported, out_of_memory, device_lost.
   */
  async take(bytes: number, usage: number, what: string, signal?: AbortSignal): Promise<GPUBuffer> {
    const size = Math.max(4, Math.ceil(bytes / 4) * 4);
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      const buffer = this.#waiting[i];
      if (buffer === undefined || buffer.usage !== usage || buffer.size < size || buffer.size > 2 * size) continue;
      this.#waiting.splice(i, 1);
      this.#bytes -= buffer.size;
      return buffer;
    }
    return this.create(size, usage, what, signal);
  }

  /** A new buffer, which may be given to the pool. Errors: unsupported, out_of_memory, device_lost. */
  async create(bytes: number, usage: number, what: string, signal?: AbortSignal): Promise<GPUBuffer> {
    const { gpu } = this.device;
    const size = Math.max(4, Math.ceil(bytes / 4) * 4);
    if (size > gpu.limits.maxBufferSize) {
      throw new GemmError(
        'unsupported',
        'maxBufferSize',
        `${what} needs a buffer of ${size} bytes; this device makes none above ${gpu.limits.maxBufferSize}`,
      );
    }
    return this.device.scoped(
      'validation',
      what,
      () => gpu.createBuffer({ size, usage, label: `wgemm ${what}` }),
      signal,
    );
  }

  give(buffer: GPUBuffer): void {
    if (this.#destroyed || buffer.size > KEPT_BYTES) {
      buffer.destroy();
      return;
    }
    this.#waiting.push(buffer);
    this.#bytes += buffer.size;
    while (this.#bytes > KEPT_BYTES) {
      const oldest = this.#waiting.shift();
      if (oldest === undefined) break;
      this.#bytes -= oldest.size;
      oldest.destroy();
    }
  }

  /** Lets go of all that wait. */
  trim(): void {
    for (const buffer of this.#waiting.splice(0)) buffer.destroy();
    this.#bytes = 0;
  }

  destroy(): void {
    this.#destroyed = true;
    this.trim();
  }
}
