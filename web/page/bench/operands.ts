// Buffers with A, B and room for C, filled in pieces so that the page stays responsive.
import { GemmError } from '../../src/index.ts';
import type { ElementType, InputKind, Operand } from './inputs.ts';
import type { WorkerClient } from './worker_client.ts';

const PIECE = 4 << 20; // elements

export interface Operands {
  a: GPUBuffer;
  b: GPUBuffer;
  c: GPUBuffer;
}

export class OperandStore {
  // What did not fit is remembered as well: each row would ask for it again.
  #sets = new Map<string, Promise<{ a: GPUBuffer; b: GPUBuffer }>>();
  #results = new Map<number, Promise<GPUBuffer>>();

  constructor(
    private readonly device: GPUDevice,
    private readonly worker: WorkerClient,
  ) {}

  /** Errors: out_of_memory. */
  async operands(n: number, type: ElementType, kind: InputKind): Promise<Operands> {
    const key = `${n} ${type} ${kind}`;
    let set = this.#sets.get(key);
    if (set === undefined) this.#sets.set(key, (set = this.#filled(n, type, kind)));
    let c = this.#results.get(n);
    if (c === undefined) this.#results.set(n, (c = this.#create(n * n * 4)));
    const [inputs, result] = await Promise.all([set, c]);
    return { ...inputs, c: result };
  }

  /** Frees everything but what is kept for size `n` and f32. */
  async keepOnly(n: number): Promise<void> {
    for (const [key, set] of this.#sets) {
      if (key.startsWith(`${n} f32 `)) continue;
      this.#sets.delete(key);
      const made = await set.catch(() => undefined);
      made?.a.destroy();
      made?.b.destroy();
    }
    for (const [size, made] of this.#results) {
      if (size === n) continue;
      this.#results.delete(size);
      (await made.catch(() => undefined))?.destroy();
    }
  }

  async #filled(n: number, type: ElementType, kind: InputKind): Promise<{ a: GPUBuffer; b: GPUBuffer }> {
    const size = n * n * (type === 'f32' ? 4 : 2);
    const a = await this.#create(size);
    let b: GPUBuffer | undefined;
    try {
      b = await this.#create(size);
      await Promise.all([this.#fill(a, 'a', n, type, kind), this.#fill(b, 'b', n, type, kind)]);
      return { a, b };
    } catch (error) {
      a.destroy();
      b?.destroy();
      throw error;
    }
  }

  async #fill(buffer: GPUBuffer, operand: Operand, n: number, type: ElementType, kind: InputKind): Promise<void> {
    const size = type === 'f32' ? 4 : 2;
    for (let start = 0; start < n * n; start += PIECE) {
      const count = Math.min(PIECE, n * n - start);
      const values = await this.worker.call('elements', { operand, kind, type, start, count });
      this.device.queue.writeBuffer(buffer, start * size, values);
    }
  }

  async #create(size: number): Promise<GPUBuffer> {
    this.device.pushErrorScope('out-of-memory');
    const buffer = this.device.createBuffer({
      size,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    });
    const error = await this.device.popErrorScope();
    if (error) throw new GemmError('out_of_memory', 'memory', `${size} bytes: ${error.message}`);
    return buffer;
  }
}
