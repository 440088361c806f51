// Uses of the package that must compile, and some that must not. It is compiled, not run.
import {
  createGemm,
  type Description,
  GemmError,
  type Gemm,
  missing,
  type Plan,
  type PreparedOperand,
  type Product,
  requestGemmDevice,
  type Times,
  type Trial,
  type Tuned,
} from 'wgemm';

declare const buffer: GPUBuffer;
declare const encoder: GPUCommandEncoder;
declare const pass: GPUComputePassEncoder;
declare const signal: AbortSignal;

export async function uses(): Promise<void> {
  const { adapter, device } = await requestGemmDevice({ powerPreference: 'low-power' });
  missing(adapter).map(({ what, why }) => `${what}: ${why}`);
  const gemm: Gemm = await createGemm(device, {
    wasm: new URL('file:///x'),
    tuning: null,
    profile: { subgroups: false, limits: { max_buffer_size: 1 } },
  });

  const f32: Float32Array = await gemm.matmul(new Float32Array(4), new Float32Array(4), { m: 2, n: 2, k: 2 });
  const f16: Uint16Array = await gemm.matmul(new Uint16Array(4), new Uint16Array(4), {
    m: 2,
    n: 2,
    k: 2,
    c: { type: 'f16' },
  });
  const i32: Int32Array = await gemm.matmul(new Int8Array(4), new Int8Array(4), {
    m: 2,
    n: 2,
    k: 2,
    c: { type: 'i32' },
    signal,
  });
  await gemm.matmul(new Float32Array(4), new Float32Array(4), { m: 2, n: 2, k: 2, memory_cap: 2 ** 30 });
  await gemm.matmul(new Float32Array(12), new Float32Array(4), {
    m: 2,
    n: 2,
    k: 2,
    batch: { extents: [3], a: [4], c: [4] },
  });
  const onDevice: GPUBuffer = await gemm.matmul(buffer, buffer, { m: 2, n: 2, k: 2, kernel: 'naive' });
  const mixed: GPUBuffer = await gemm.matmul(new Float32Array(4), buffer, {
    m: 2,
    n: 2,
    k: 2,
    epilogue: { bias: 'per_row' },
    bias: buffer,
  });
  void [f32, f16, i32, onDevice, mixed];

  const problem = { m: 2, n: 2, k: 2, b: { order: 'col_major' }, quantization: { block: 16 } } as const;
  const product: Product = await gemm.prepare(problem, { kernel: 'tiled', split_k: 2, signal });
  product.record(encoder, { a: buffer, b: { buffer, offset: 256 }, c: buffer });
  product.record(pass, { a: buffer, b: buffer, c: buffer, residual: buffer });
  await product.run({ a: buffer, b: buffer, c: buffer }, { signal });
  const times: Times = await product.time({ a: buffer, b: buffer, c: buffer }, { repeats: 3, products: 2 });
  const gpuMs: number[] | undefined = times.gpuMs;
  const all: Product[] = await gemm.prepareAll([problem], {
    onProgress: (done: number, total: number, label: string) => void [done, total, label],
  });
  const operand: PreparedOperand = await gemm.prepareOperand('b', { b: buffer, scales: buffer }, problem);
  await (await gemm.prepare(problem, { operand })).run({ a: buffer, b: operand, c: buffer });
  const plan: Plan = gemm.plan(problem);
  const wgsl: string | undefined = plan.shaders[0]?.wgsl;
  const description: Description = gemm.describe(problem);
  void [gpuMs, all, wgsl, description.bytes.scales, gemm.ladder()[0]?.unavailable];
  try {
    await gemm.preparePlan(plan);
  } catch (error) {
    if (error instanceof GemmError && error.code === 'device_lost') throw error;
  }

  const tuned: Tuned = await gemm.tune(problem, {
    budgetMs: 1000,
    signal,
    software: true,
    trials: [],
    onTrial: (trial: Trial, fastest: Trial | null) => void [trial.reason, fastest?.seconds],
  });
  if (tuned.entry !== null) gemm.tuningData = gemm.mergeTuning(gemm.tuningData ?? tuned.entry, tuned.entry);
  gemm.tuningData = null;
  gemm.tuningData = undefined;

  // @ts-expect-error no such option
  await gemm.tune(problem, { seconds: 1 });
  // @ts-expect-error a size is missing
  gemm.plan({ m: 2, n: 2 });
  // @ts-expect-error no such field
  gemm.plan({ m: 2, n: 2, k: 2, l: 2 });
  // @ts-expect-error no such type
  gemm.plan({ m: 2, n: 2, k: 2, a: { type: 'f64' } });
  // @ts-expect-error no type of a result
  await gemm.matmul(new Float32Array(4), new Float32Array(4), { m: 2, n: 2, k: 2, c: { type: 'i8' } });
  // @ts-expect-error an f32 result
  const wrong: Uint16Array = await gemm.matmul(new Float32Array(4), new Float32Array(4), { m: 2, n: 2, k: 2 });
  // @ts-expect-error doubles are no operands
  await gemm.matmul(new Float64Array(4), new Float32Array(4), { m: 2, n: 2, k: 2 });
  // @ts-expect-error only A and B can be prepared
  await gemm.prepareOperand('c', buffer, problem);
  // @ts-expect-error no such buffer
  await product.run({ a: buffer, b: buffer, c: buffer, d: buffer });
  void wrong;
}
