// What is wrong is a typed error, before the device is asked as far as that goes.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createGemm, GemmError, missing, requestGemmDevice } from '../dist/index.js';
import { openDevice, openMinimumDevice } from './support/device.mjs';

const { device } = await openDevice();
const gemm = await createGemm(device);
const size = { m: 64, n: 64, k: 64 };
const bytes = 64 * 64 * 4;
const make = (size = bytes, usage = GPUBufferUsage.STORAGE) => device.createBuffer({ size, usage });
const [a, b, c] = [make(), make(), make()];
const fails = (promise, code, argument) => assert.rejects(promise, { name: 'GemmError', code, argument });

test('buffers', async (t) => {
  const product = await gemm.prepare(size, { kernel: 'tiled' });
  const cases = [
    ['C in the buffer of an input', { a, b, c: a }, 'c'],
    ['parts of one buffer', { a: { buffer: b, size: bytes }, b, c: { buffer: b } }, 'c'],
    ['a missing one', { a, c }, 'b'],
    ['a short one', { a: make(bytes - 4), b, c }, 'a'],
    ['a short part', { a: { buffer: make(2 * bytes), offset: 256, size: 512 }, b, c }, 'a'],
    ['a part beyond the end', { a: { buffer: a, offset: 256, size: bytes }, b, c }, 'a'],
    ['an unaligned part', { a: { buffer: make(2 * bytes), offset: 4 }, b, c }, 'a'],
    ['without STORAGE', { a, b, c: make(bytes, GPUBufferUsage.COPY_DST) }, 'c'],
    ['an operand that the problem lacks', { a, b, c, bias: make() }, 'bias'],
    ['scales without quantisation', { a, b, c, scales: make() }, 'scales'],
    ['no such operand', { a, b, c, d: a }, 'd'],
    ['a typed array', { a: new Float32Array(64 * 64), b, c }, 'a'],
    ['a part of nothing', { a: { buffer: undefined }, b, c }, 'a'],
    ['a number', { a, b: 3, c }, 'b'],
    ['no buffers', undefined, 'buffers'],
  ];
  for (const [name, buffers, argument] of cases) {
    await t.test(name, async () => {
      await fails(product.run(buffers), 'invalid_argument', argument);
      assert.throws(() => product.record(device.createCommandEncoder(), buffers), {
        code: 'invalid_argument',
        argument,
      });
    });
  }
  await t.test('a destroyed one', async () => {
    const gone = make();
    gone.destroy();
    await assert.rejects(product.run({ a: gone, b, c }), { name: 'GemmError', code: 'validation' });
    await product.run({ a, b, c });
  });
  await t.test('a buffer of another device', async () => {
    const other = await openDevice();
    const foreign = other.device.createBuffer({ size: bytes, usage: GPUBufferUsage.STORAGE });
    await assert.rejects(product.run({ a: foreign, b, c }), { name: 'GemmError', code: 'validation' });
  });
});

test('a destroyed product', async () => {
  const product = await gemm.prepare(size, { kernel: 'tiled' });
  product.destroy();
  await fails(product.run({ a, b, c }), 'invalid_argument', 'product');
});

test('what is no device, no operand, no signal', async () => {
  await fails(createGemm(undefined), 'invalid_argument', 'device');
  await fails(createGemm({ adapter: {}, device }), 'invalid_argument', 'device');
  await fails(gemm.prepareOperand('b', new Float32Array(64 * 64), size), 'invalid_argument', 'buffers');
  await fails(gemm.prepareOperand('b', undefined, size), 'invalid_argument', 'buffers');
  const array = new Float32Array(64 * 64);
  await fails(gemm.matmul(array, array), 'invalid_argument', 'options');
  await fails(gemm.matmul([1, 2], array, size), 'invalid_argument', 'a');
  await fails(gemm.matmul(array, null, size), 'invalid_argument', 'b');
  await fails(gemm.matmul(array, array, { ...size, out: 'c' }), 'invalid_argument', 'out');
  await fails(gemm.matmul(array, array, { ...size, signal: new AbortController() }), 'invalid_argument', 'signal');
});

test('arguments that are missing, null or of another kind', async (t) => {
  const { adapter } = await openDevice();
  const product = await gemm.prepare(size, { kernel: 'naive' });
  const plan = gemm.plan(size, { kernel: 'naive' });
  const circular = { ...size };
  circular.self = circular;
  const calls = [
    ['createGemm, null', () => createGemm(null), 'device'],
    ['createGemm, a piece of a device', () => createGemm({ createShaderModule() {} }), 'device'],
    ['createGemm, options', () => createGemm(device, null), 'options'],
    ['createGemm, log', () => createGemm(device, { log: 'console' }), 'log'],
    ['createGemm, profile', () => createGemm(device, { profile: null }), 'profile'],
    ['createGemm, adapterInfo', () => createGemm(device, { adapterInfo: 'mesa' }), 'adapterInfo'],
    ['requestGemmDevice, null', () => requestGemmDevice(null), 'request'],
    ['requestGemmDevice, adapter', () => requestGemmDevice({ adapter: {} }), 'adapter'],
    ['requestGemmDevice, gpu', () => requestGemmDevice({ gpu: {} }), 'gpu'],
    ['requestGemmDevice, what it gets', () => requestGemmDevice({ gpu: { requestAdapter: () => 3 } }), 'adapter'],
    ['missing', () => missing(undefined), 'adapter'],
    ['missing, a device', () => missing(device), 'adapter'],
    ['describe', () => gemm.describe(undefined), 'problem'],
    ['describe, null', () => gemm.describe(null), 'problem'],
    ['describe, what refers to itself', () => gemm.describe(circular), 'problem'],
    ['plan', () => gemm.plan(undefined), 'problem'],
    ['plan, options', () => gemm.plan(size, null), 'options'],
    ['plan, profile', () => gemm.plan(size, {}, null), 'profile'],
    ['configurations', () => gemm.configurations(undefined), 'family'],
    ['mergeTuning', () => gemm.mergeTuning(undefined, undefined), 'data'],
    ['prepare', () => gemm.prepare(undefined), 'problem'],
    ['prepare, options', () => gemm.prepare(size, null), 'options'],
    ['prepare, operand', () => gemm.prepare(size, { operand: null }), 'operand'],
    ['prepare, a buffer as operand', () => gemm.prepare(size, { operand: a }), 'operand'],
    ['prepare, signal', () => gemm.prepare(size, { signal: null }), 'signal'],
    ['prepareAll', () => gemm.prepareAll(undefined), 'problems'],
    ['prepareAll, a single one', () => gemm.prepareAll(size), 'problems'],
    ['prepareAll, one of them', () => gemm.prepareAll([size, undefined]), 'problem'],
    ['prepareAll, options', () => gemm.prepareAll([size], null), 'options'],
    ['prepareAll, onProgress', () => gemm.prepareAll([size], { onProgress: true }), 'onProgress'],
    ['preparePlan', () => gemm.preparePlan(undefined), 'plan'],
    ['preparePlan, a problem', () => gemm.preparePlan(size), 'plan.problem'],
    ['preparePlan, a piece of a plan', () => gemm.preparePlan({ ...plan, steps: undefined }), 'steps'],
    ['preparePlan, options', () => gemm.preparePlan(plan, null), 'options'],
    ['prepareOperand', () => gemm.prepareOperand(undefined, b, size), 'operand'],
    ['prepareOperand, problem', () => gemm.prepareOperand('b', b, undefined), 'problem'],
    ['prepareOperand, options', () => gemm.prepareOperand('b', b, size, null), 'options'],
    ['matmul', () => gemm.matmul(undefined, undefined, undefined), 'options'],
    ['tune', () => gemm.tune(undefined), 'problem'],
    ['tune, options', () => gemm.tune(size, null), 'options'],
    ['tune, onTrial', () => gemm.tune(size, { onTrial: {} }), 'onTrial'],
    ['tune, trials', () => gemm.tune(size, { trials: 3 }), 'trials'],
    ['tune, a trial', () => gemm.tune(size, { trials: [null] }), 'trials'],
    ['run, options', () => product.run({ a, b, c }, null), 'options'],
    ['time, options', () => product.time({ a, b, c }, null), 'options'],
    ['record', () => product.record(undefined, { a, b, c }), 'into'],
    ['record, null', () => product.record(null, { a, b, c }), 'into'],
    ['record, a device', () => product.record(device, { a, b, c }), 'into'],
    ['record, buffers', () => product.record(device.createCommandEncoder()), 'buffers'],
  ];
  for (const [name, call, argument] of calls) {
    await t.test(name, () => fails((async () => call())(), 'invalid_argument', argument));
  }
  assert.ok(Array.isArray(missing(adapter)));
  await gemm.prepareAll([size], { kernel: 'naive', onProgress: undefined });
});

test('arrays that go away under way', async () => {
  const detached = (array) => structuredClone(array, { transfer: [array.buffer] });
  const run = async (which, after) => {
    const arrays = { a: new Float32Array(64 * 64), b: new Float32Array(64 * 64), out: new Float32Array(64 * 64) };
    const done = gemm.matmul(arrays.a, arrays.b, { ...size, beta: 1, out: arrays.out });
    const outcome = done.then(
      () => 'done',
      (error) => error,
    );
    for (let i = 0; i < after; i++) await undefined;
    detached(arrays[which]);
    return outcome;
  };
  let refused = 0;
  for (const which of ['a', 'b', 'out']) {
    for (let after = 0; after < 12; after++) {
      const outcome = await run(which, after);
      if (outcome === 'done') continue;
      refused++;
      assert.equal(outcome.code, 'invalid_argument', `${which} after ${after}: ${outcome.message}`);
      assert.equal(outcome.argument, which);
    }
  }
  assert.ok(refused > 0);
});

test('problems and options', async () => {
  await fails(gemm.prepare({ m: 64, n: 64 }), 'invalid_argument', 'problem.k');
  await fails(gemm.prepare({ ...size, m: 64n }), 'invalid_argument', 'problem.m');
  await fails(gemm.prepare({ ...size, a: { ld: 3 } }), 'invalid_argument', 'problem.lda');
  await fails(gemm.prepare({ ...size, l: 3 }), 'invalid_argument', 'problem.l');
  await fails(gemm.prepare(size, { kernel: 'fastest' }), 'not_found', 'options.kernel');
  await fails(gemm.prepare(size, { kernel: 'subgroup-matrix' }), 'unsupported', 'subgroup_matrix');
  const batch = (given) => gemm.prepare({ ...size, batch: given });
  await fails(batch({ extents: [1, 2, 3, 4, 5] }), 'invalid_argument', 'problem.batch.extents');
  await fails(batch({ extents: [2], c: [4096, 1] }), 'invalid_argument', 'problem.batch.c');
  await fails(batch({ rank: 2, extents: [2], c: [4096] }), 'invalid_argument', 'problem.batch.rank');
  await fails(batch({ rank: 1 }), 'invalid_argument', 'problem.batch.rank');
  assert.throws(() => gemm.plan({ ...size, m: -1 }), { code: 'invalid_argument', argument: 'problem.m' });
  assert.throws(() => gemm.configurations('fastest'), { code: 'not_found' });
  const product = await gemm.prepare(size);
  await fails(product.time({ a, b, c }, { repeats: 0 }), 'invalid_argument', 'repeats');
});

test('what a device lacks', async () => {
  const { device: minimum } = await openMinimumDevice();
  const small = await createGemm(minimum);
  assert.equal(small.profile.shader_f16, false);
  assert.equal(small.profile.subgroups, false);
  await fails(
    small.prepare({ ...size, a: { type: 'f16' }, b: { type: 'f16' }, accumulate: 'f16' }),
    'unsupported',
    'shader-f16',
  );
  // A plan that was made for another device.
  const plan = gemm.plan({ ...size, a: { type: 'f16' }, b: { type: 'f16' } });
  assert.ok(plan.shaders.some((shader) => shader.needs_f16));
  await fails(small.preparePlan(plan), 'unsupported', 'shader-f16');
  const large = gemm.plan(
    { ...size, m: 4096, k: 8192 + 4096 },
    { kernel: 'naive' },
    {
      ...small.profile,
      limits: { ...small.profile.limits, max_storage_buffer_binding_size: 2 ** 28 },
    },
  );
  await fails(small.preparePlan(large), 'unsupported', 'max_storage_buffer_binding_size');
});

test('a text that does not compile, or makes no pipeline', async () => {
  const broken = (change) => {
    const plan = gemm.plan(size, { kernel: 'naive' });
    plan.shaders[0].wgsl = change(plan.shaders[0].wgsl);
    return plan;
  };
  await fails(gemm.preparePlan(broken((wgsl) => `${wgsl} fn wrong() { return 1; }`)), 'compilation', '');
  await fails(gemm.preparePlan(broken((wgsl) => wgsl.replace(/fn main/, 'fn other'))), 'compilation', '');
  await fails(
    gemm.preparePlan(
      broken((wgsl) =>
        `${wgsl} @compute @workgroup_size(4096) fn main2() {}`.replace('fn main(', 'fn old(').replace('main2', 'main'),
      ),
    ),
    'compilation',
    '',
  );
  // A text that failed is not remembered as one that compiles.
  await gemm.prepare(size, { kernel: 'naive' });
});

test('wgemm.wasm', async () => {
  const io = (wasm) => fails(createGemm(device, { wasm }), 'io', 'wasm');
  await io(new URL('file:///no/such/file.wasm'));
  await io('./no-such-file.wasm');
  await io(Uint8Array.of(1, 2, 3));
  await io(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)); // a module without anything in it
});

test('no WebGPU, no adapter', async () => {
  await fails(requestGemmDevice(), 'not_found', 'gpu');
  await fails(requestGemmDevice({ gpu: { requestAdapter: async () => null } }), 'not_found', 'adapter');
});

test('a destroyed Gemm', async () => {
  const gone = await createGemm(device);
  const product = await gone.prepare(size, { kernel: 'naive' });
  gone.destroy();
  gone.destroy();
  await fails(product.run({ a, b, c }), 'device_lost', 'device');
  await fails(gone.prepare(size), 'device_lost', 'device');
  assert.ok(gone.plan(size) && new GemmError('io', '', 'x') instanceof Error);
  await gemm.prepare(size); // the device lives on
});
