// A row of the GPU: compiled, run once, timed and judged, at the largest size that the budget allows.
import { GemmError, type Plan, type Product, type Times } from '../../src/index.ts';
import type { Session } from './device.ts';
import type { ElementType } from './inputs.ts';
import type { Report } from './ladder.ts';
import type { Operands, OperandStore } from './operands.ts';
import { emptyRow, median, type Row } from './result.ts';
import {
  affordable,
  DISPATCH_MS,
  MOST_PRODUCTS,
  repeatsWithin,
  ROW_BUDGET_MS,
  SAMPLE_MS,
  type Settings,
  SIZES,
} from './settings.ts';
import { verify } from './verify.ts';
import type { WorkerClient } from './worker_client.ts';

export interface Candidate {
  id: string;
  kernel: string; // empty: the core chooses
  operands: ElementType;
}

export interface Bench {
  session: Session;
  store: OperandStore;
  worker: WorkerClient;
  settings: Settings;
  report: Report;
  signal: AbortSignal;
}

interface Trial {
  n: number;
  product: Product;
  operands: Operands;
  compileMs: number;
  oneMs: number;
}

export async function gpuRow(candidate: Candidate, bench: Bench): Promise<Row> {
  const { session, store, worker, settings, report, signal } = bench;
  const { n, product, operands, compileMs, oneMs } = await largest(candidate, bench);
  report.stage(candidate.id, 'time', n);
  const repeats = repeatsWithin(settings.repeats, oneMs, ROW_BUDGET_MS);
  const single = await product.time(operands, { repeats, signal });
  const wallMs = median(single.wallMs);
  const products = await productsPerSample(product, operands, wallMs, signal);
  const many = products === 1 ? single : await product.time(operands, { repeats, products, signal });
  report.stage(candidate.id, 'verify', n);
  const verdict = await verify({
    device: session.device,
    worker,
    store,
    n,
    type: candidate.operands,
    multiply: (buffers) => product.run(buffers, { signal }),
  });
  product.destroy();
  const gpuMs = gpuTime(many);
  const kernelMs = gpuMs || median(many.wallMs);
  return {
    ...emptyRow(candidate.id, n),
    kernel: product.plan.kernel,
    operands: candidate.operands,
    gflops: product.plan.traffic.flops / kernelMs / 1e6,
    kernelMs,
    clock: gpuMs > 0 ? 'gpu' : 'page',
    wallMs,
    compileMs,
    intensity: product.plan.traffic.flops / product.plan.traffic.global_bytes,
    error: verdict.error,
    verified: verdict.error <= 1 && verdict.wrongRows === 0,
  };
}

/** 0 where the device has no clock, or a broken one. */
function gpuTime({ gpuMs }: Times): number {
  return gpuMs ? median(gpuMs) : 0;
}

/** Browsers' clocks are coarse: a sample has to last for many of their steps. */
async function productsPerSample(
  product: Product,
  operands: Operands,
  wallMs: number,
  signal: AbortSignal,
): Promise<number> {
  let products = Math.ceil(SAMPLE_MS / Math.max(wallMs, 0.05));
  for (;;) {
    if (products === 1 || products >= MOST_PRODUCTS) return Math.min(products, MOST_PRODUCTS);
    const times = await product.time(operands, { repeats: 1, products, signal });
    const lasted = products * (gpuTime(times) || median(times.wallMs));
    if (lasted >= SAMPLE_MS / 2) return products;
    products = Math.ceil(products * Math.min(20, SAMPLE_MS / Math.max(lasted, 0.1)));
  }
}

/** Goes up in size as long as the time of one product promises that more of them fit the budget, and memory lasts. */
async function largest(candidate: Candidate, bench: Bench): Promise<Trial> {
  const compiled = new Map<string, number>(); // milliseconds by shader texts
  let trial = await attempt(candidate, bench, SIZES[0], 0, compiled);
  for (;;) {
    const next = affordable(bench.settings.n, trial.n, trial.oneMs, ROW_BUDGET_MS);
    if (next === trial.n) return trial;
    const flopsPerMs = (2 * trial.n ** 3) / Math.max(trial.oneMs, 0.01);
    const larger = await attempt(candidate, bench, next, flopsPerMs, compiled).catch((error: unknown) => {
      if (error instanceof GemmError && error.code === 'out_of_memory') return undefined;
      throw error;
    });
    if (larger === undefined) return trial;
    trial.product.destroy();
    trial = larger;
  }
}

async function attempt(
  candidate: Candidate,
  bench: Bench,
  n: number,
  flopsPerMs: number,
  compiled: Map<string, number>,
): Promise<Trial> {
  const { session, store, report, signal } = bench;
  report.stage(candidate.id, 'compile', n);
  const type = candidate.operands;
  const product = await session.gemm.prepare(
    { m: n, n, k: n, a: { type }, b: { type } },
    { kernel: candidate.kernel, max_dispatch_flops: flopsPerMs * DISPATCH_MS, signal },
  );
  const operands = await store.operands(n, type, 'random');
  // Drivers compile at the first run: what it takes beyond the second one is a cost of compiling.
  const firstMs = await timed(() => product.run(operands, { signal }));
  const oneMs = await timed(() => product.run(operands, { signal }));
  const texts = textsOf(product.plan);
  if (!compiled.has(texts)) compiled.set(texts, product.compileMs + Math.max(0, firstMs - oneMs));
  return { n, product, operands, oneMs, compileMs: compiled.get(texts)! };
}

function textsOf(plan: Plan): string {
  return plan.shaders.map((shader) => shader.label).join(' ');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
