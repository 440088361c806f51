// Times of a product: on the device's own clock where it has timestamp queries, and as a page sees them, from the
// submission to the moment when a mapped buffer can be read.
import { GemmError } from '../errors.ts';
import { COPY_SRC, QUERY_RESOLVE, READ, STAGING } from '../device/usage.ts';
import type { Views } from './operands.ts';
import type { PreparedPlan } from './prepared.ts';
import { type Estimate, run, type Submission } from './run.ts';

export interface TimeOptions {
  /** Samples; 10 */
  repeats?: number;
  /** Products in one sample, one behind the other: each time is that of one product. 1 */
  products?: number;
  signal?: AbortSignal;
}

export interface Times {
  /** Milliseconds of a product on the device's clock, a sample each; absent where the device tells none. */
  gpuMs?: number[];
  /** Milliseconds of a product from submit to mapAsync of a few bytes behind it, a sample each. */
  wallMs: number[];
}

const STAMP_BYTES = 8;

/** Errors: invalid_argument, and as run. */
export async function time(
  prepared: PreparedPlan,
  views: Views,
  estimate: Estimate,
  options: TimeOptions = {},
): Promise<Times> {
  const { repeats = 10, products = 1, signal } = options;
  for (const [name, value] of [
    ['repeats', repeats],
    ['products', products],
  ] as const) {
    if (!Number.isInteger(value) || value < 1) {
      throw new GemmError('invalid_argument', name, `${name} is ${value}; a timing needs a whole number of at least 1`);
    }
  }
  // The first dispatch makes drivers compile, and its time is no estimate; so twice.
  for (let i = 0; i < 2; i++) await run(prepared, views, estimate, { signal });
  if (prepared.plan.steps.length === 0) return { wallMs: Array.from({ length: repeats }, () => 0) };
  const clock = await Clock.create(prepared);
  try {
    const wallMs: number[] = [];
    const gpuMs: number[] = [];
    for (let i = 0; i < repeats; i++) {
      clock.reset();
      await run(prepared, views, estimate, { products, submission: clock, signal });
      wallMs.push(clock.wallMs / products);
      if (clock.gpuMs !== undefined) gpuMs.push(clock.gpuMs / products);
    }
    // A clock that ran backwards leaves a hole; then the page's own is all there is.
    return gpuMs.length === repeats ? { gpuMs, wallMs } : { wallMs };
  } finally {
    clock.destroy();
  }
}

/** Timestamps around each pass, and a small buffer that is mapped behind each submission. */
class Clock implements Submission {
  wallMs = 0;
  gpuMs: number | undefined;
  #start = 0;

  private constructor(
    private readonly queries: GPUQuerySet | undefined,
    private readonly resolved: GPUBuffer,
    private readonly readable: GPUBuffer,
  ) {}

  static create(prepared: PreparedPlan): Promise<Clock> {
    const { device, profile } = prepared.home;
    const { gpu } = device;
    return device.scoped('validation', 'timestamp queries', () => {
      const queries = profile.timestamps ? gpu.createQuerySet({ type: 'timestamp', count: 2 }) : undefined;
      const size = 2 * STAMP_BYTES;
      return new Clock(
        queries,
        gpu.createBuffer({ size, usage: QUERY_RESOLVE | COPY_SRC, label: 'wgemm timestamps' }),
        gpu.createBuffer({ size, usage: STAGING, label: 'wgemm timestamps, readable' }),
      );
    });
  }

  reset(): void {
    this.wallMs = 0;
    this.gpuMs = this.queries === undefined ? undefined : 0;
  }

  begin(encoder: GPUCommandEncoder): GPUComputePassEncoder {
    if (this.queries === undefined) return encoder.beginComputePass();
    return encoder.beginComputePass({
      timestampWrites: { querySet: this.queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
    });
  }

  end(encoder: GPUCommandEncoder): void {
    if (this.queries !== undefined) encoder.resolveQuerySet(this.queries, 0, 2, this.resolved, 0);
    encoder.copyBufferToBuffer(this.resolved, 0, this.readable, 0, 2 * STAMP_BYTES);
    this.#start = performance.now();
  }

  async done(): Promise<void> {
    await this.readable.mapAsync(READ);
    this.wallMs += performance.now() - this.#start;
    const [begin = 0n, end = 0n] = new BigUint64Array(this.readable.getMappedRange());
    this.readable.unmap();
    if (this.gpuMs === undefined) return;
    this.gpuMs = end >= begin ? this.gpuMs + Number(end - begin) / 1e6 : undefined;
  }

  destroy(): void {
    this.queries?.destroy();
    this.resolved.destroy();
    this.readable.destroy();
  }
}
