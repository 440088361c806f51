// How long one product takes: many short samples, each long enough for the clock.
import { GemmError } from '../errors.ts';
import type { Buffers } from '../execute/operands.ts';
import type { Times } from '../execute/timing.ts';
import type { Product } from '../product.ts';

export interface Stopwatch {
  readonly clock: 'gpu' | 'wall';
  /** Samples that count */
  readonly repeats: number;
  /** Milliseconds of work in front of them: clocks of a device rise as it works */
  readonly warmUpMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface Measured {
  seconds: number;
  spread: number;
}

/** Browsers round the device's clock to 0.1 ms, and their own as well. */
const SAMPLE_MS = 5;

/** In one submission; what is shorter than a sample even so is told from what is recorded. */
const MOST_PRODUCTS = 512;

/** Errors: as Product.time, and internal (a clock that tells nothing). */
export async function measure(product: Product, buffers: Buffers, watch: Stopwatch): Promise<Measured> {
  const { clock, repeats, warmUpMs, signal } = watch;
  const options = signal === undefined ? {} : { signal };
  const begin = performance.now();
  let products = 1;
  for (;;) {
    const [ms = 0] = timesOf(await product.time(buffers, { ...options, repeats: 1, products }), clock);
    const wanted = Math.min(MOST_PRODUCTS, Math.ceil(SAMPLE_MS / Math.max(ms, 1e-4)));
    if (wanted <= products && performance.now() - begin >= warmUpMs) break;
    products = Math.max(products, wanted);
  }
  const times = timesOf(await product.time(buffers, { ...options, repeats, products }), clock).sort((a, b) => a - b);
  const median = quantile(times, 0.5);
  if (!(median > 0)) throw new GemmError('internal', 'clock', 'it is shorter than the clock can tell');
  return { seconds: median / 1e3, spread: (quantile(times, 0.75) - quantile(times, 0.25)) / median };
}

/** The other clock's times would not compare. */
function timesOf({ gpuMs, wallMs }: Times, clock: 'gpu' | 'wall'): number[] {
  if (clock === 'wall') return wallMs;
  if (gpuMs === undefined) throw new GemmError('internal', 'clock', "the device's clock ran backwards");
  return gpuMs;
}

/** Of sorted numbers, between neighbours in proportion. */
function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}
