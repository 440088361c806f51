// Buffers with A, B and room for C, filled in pieces so that the page stays responsive.
import type { ElementType, InputKind, Operand } from './inputs.ts';
import type { WorkerClient } from './worker_client.ts';

const PIECE = 4 << 20;  // elements

export interface Operands {
  a: GPUBuffer;
  b: GPUBuffer;
  c: GPUBuffer;
}

export class OperandStore {
  #sets = new Map<string, Promise<{ a: GPUBuffer; b: GPUBuffer }>>();
  #results = new Map<number, GPUBuffer>();

  constructor(private readonly device: GPUDevice, private readonly worker: WorkerClient) {}

  async operands(n: number, type: ElementType, kind: InputKind): Promise<Operands> {
    const key = `${n} ${type} ${kind}`;
    let set = this.#sets.get(key);
    if (set === undefined) this.#sets.set(key, (set = this.#filled(n, type, kind)));
    return { ...(await set), c: this.#result(n) };
  }

  /** Frees everything but what is kept for size `n` and f32. */
  async keepOnly(n: number): Promise<void> {
    for (const [key, set] of this.#sets) {
      if (key.startsWith(`${n} f32 `)) continue;
      this.#sets.delete(key);
      const { a, b } = await set;
      a.destroy();
      b.destroy();
    }
    for (const [size, buffer] of this.#results) {
      if (size === n) continue;
      this.#results.delete(size);
      buffer.destroy();
    }
  }

  #result(n: number): GPUBuffer {
    let buffer = this.#results.get(n);
    if (buffer === undefined) this.#results.set(n, (buffer = this.#create(n * n * 4)));
    return buffer;
  }

  async #filled(n: number, type: ElementType, kind: InputKind): Promise<{ a: GPUBuffer; b: GPUBuffer }> {
    const [a, b] = await Promise.all((['a', 'b'] as const).map((name) => this.#fill(name, n, type, kind)));
    return { a: a!, b: b! };
  }

  async #fill(operand: Operand, n: number, type: ElementType, kind: InputKind): Promise<GPUBuffer> {
    const size = type === 'f32' ? 4 : 2;
    const buffer = this.#create(n * n * size);
    for (let start = 0; start < n * n; start += PIECE) {
      const count = Math.min(PIECE, n * n - start);
      const values = await this.worker.call('elements', { operand, kind, type, start, count });
      this.device.queue.writeBuffer(buffer, start * size, values);
    }
    return buffer;
  }

  #create(size: number): GPUBuffer {
    return this.device.createBuffer({
      size,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    });
  }
}
