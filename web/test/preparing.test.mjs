// What is compiled and prepared beforehand.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createGemm } from '../dist/index.js';
import { openDevice } from './support/device.mjs';
import { compare, download, judged, operandsOf, upload } from './support/judged.mjs';

const { device } = await openDevice();
const gemm = await createGemm(device);

test('prepareAll tells of its progress, and compiles a text once', async () => {
  const problems = [32, 64, 96].map((m) => ({ m, n: 64, k: 64 }));
  const compiled = [];
  const create = device.createComputePipelineAsync.bind(device);
  device.createComputePipelineAsync = (descriptor) => {
    compiled.push(descriptor.label);
    return create(descriptor);
  };
  const told = [];
  const products = await gemm.prepareAll(problems, { kernel: 'tiled', onProgress: (...each) => told.push(each) });
  delete device.createComputePipelineAsync;
  assert.equal(products.length, 3);
  assert.deepEqual(
    told.map(([done, total]) => [done, total]),
    [
      [1, 3],
      [2, 3],
      [3, 3],
    ],
  );
  assert.deepEqual(
    told.map(([, , label]) => label).sort(),
    problems.map((problem) => gemm.describe(problem).text).sort(),
  );
  assert.equal(new Set(compiled).size, compiled.length);
  assert.equal(compiled.length, new Set(products.flatMap(({ plan }) => plan.shaders.map(({ label }) => label))).size);
  assert.ok(products.every(({ compileMs }) => compileMs > 0));
});

test('prepareAll fails as the first that fails', async () => {
  await assert.rejects(
    gemm.prepareAll([
      { m: 4, n: 4, k: 4 },
      { m: 4, n: 4, k: 4, a: { ld: 3 } },
    ]),
    { name: 'GemmError', argument: 'problem.lda' },
  );
});

test('prepareAll keeps nothing of the others when one fails', async () => {
  const problems = [8, 16, 24].map((m) => ({ m, n: 64, k: 2048 }));
  const live = new Set();
  const create = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = create(descriptor);
    live.add(buffer);
    const destroy = buffer.destroy.bind(buffer);
    buffer.destroy = () => {
      live.delete(buffer);
      destroy();
    };
    return buffer;
  };
  try {
    const products = await gemm.prepareAll(problems, { split_k: 4 });
    assert.ok(live.size >= 3, `${live.size} buffers of three products`);
    for (const product of products) product.destroy();
    assert.equal(live.size, 0);
    const bad = { m: 4, n: 4, k: 4, a: { ld: 3 } };
    await assert.rejects(gemm.prepareAll([...problems, bad], { split_k: 4 }), { argument: 'problem.lda' });
    const grumble = () => {
      throw new Error('no more');
    };
    await assert.rejects(gemm.prepareAll(problems, { split_k: 4, onProgress: grumble }), /no more/);
    // Those that were still being prepared are let go when they are.
    for (let i = 0; i < 100 && live.size > 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(live.size, 0);
  } finally {
    delete device.createBuffer;
  }
});

test('times', async () => {
  const size = { m: 64, n: 64, k: 64 };
  const product = await gemm.prepare(size);
  const make = () => device.createBuffer({ size: 64 * 64 * 4, usage: GPUBufferUsage.STORAGE });
  const buffers = { a: make(), b: make(), c: make() };
  const [first, second] = await Promise.all([
    product.time(buffers, { repeats: 3 }),
    product.time(buffers, { repeats: 2, products: 4 }),
  ]);
  assert.deepEqual([first.gpuMs.length, first.wallMs.length, second.gpuMs.length], [3, 3, 2]);
  assert.ok([...first.gpuMs, ...second.gpuMs].every((ms) => ms > 0 && ms < 1000));
  first.wallMs.forEach((ms, i) => assert.ok(ms >= first.gpuMs[i], `${ms} ms in all, ${first.gpuMs[i]} on the device`));
  const without = await createGemm(device, { profile: { timestamps: false } });
  const times = await (await without.prepare(size)).time(buffers, { repeats: 2 });
  assert.deepEqual([times.gpuMs, times.wallMs.length], [undefined, 2]);
});

/** A product of a prepared operand, judged on numbers and on small integers. */
async function withPrepared(operand, input, options) {
  for (const exact of [false, true]) {
    const { problem, memory } = operandsOf(gemm, input, exact, 3);
    const buffers = Object.fromEntries(Object.entries(memory).map(([role, view]) => [role, upload(device, view)]));
    const { scales, zeros, ...rest } = buffers;
    const given = {
      [operand]: rest[operand],
      ...(operand === 'b' && scales ? { scales } : {}),
      ...(operand === 'b' && zeros ? { zeros } : {}),
    };
    const prepared = await gemm.prepareOperand(operand, given, input, options);
    const product = await gemm.prepare(input, { ...options, operand: prepared });
    await product.run({ ...rest, [operand]: prepared });
    compare(problem, memory, await download(device, buffers.c), exact);
    // Handed over as a bare buffer, it is known too.
    await product.run({ ...rest, [operand]: prepared.buffer });
    if (prepared.layout === '') continue;
    await assert.rejects(product.run(rest), { code: 'invalid_argument', argument: operand });
    const plain = await gemm.prepare(input, options);
    await assert.rejects(plain.run({ ...buffers, [operand]: prepared }), {
      code: 'invalid_argument',
      argument: operand,
    });
    if (scales)
      await assert.rejects(product.run({ ...rest, scales, b: prepared }), {
        code: 'invalid_argument',
        argument: 'scales',
      });
    const others = { ...input, [operand]: { ...input[operand], order: 'col_major' }, k: input.k + 64 };
    if (!scales)
      await assert.rejects(gemm.prepare(others, { ...options, operand: prepared }), {
        code: 'invalid_argument',
        argument: 'operand',
      });
  }
}

test('prepared operands', async (t) => {
  const size = { m: 33, n: 35, k: 37 };
  await t.test('B, transposed once', () => withPrepared('b', size, { kernel: 'vec4' }));
  await t.test('A, padded once', () => withPrepared('a', size, { kernel: 'tiled', edges: 'padded' }));
  await t.test('B as it lies', () => withPrepared('b', size, { kernel: 'naive' }));
  await t.test('quantised B, as numbers', () =>
    withPrepared(
      'b',
      { m: 5, n: 9, k: 40, b: { type: 'u4', order: 'col_major' }, quantization: { block: 16, zeros: true } },
      {},
    ),
  );
  await t.test('errors', async () => {
    const buffer = device.createBuffer({ size: 65536, usage: GPUBufferUsage.STORAGE });
    const fails = (promise, argument) =>
      assert.rejects(promise, { name: 'GemmError', code: 'invalid_argument', argument });
    await fails(gemm.prepareOperand('c', buffer, size), 'operand');
    await fails(gemm.prepareOperand('b', { scales: buffer }, size), 'scales');
    await fails(gemm.prepareOperand('b', {}, size), 'b');
  });
});

test('a plan that was made elsewhere', async () => {
  const plan = JSON.parse(JSON.stringify(gemm.plan({ m: 3, n: 4, k: 5 })));
  const product = await gemm.preparePlan(plan);
  assert.equal(product.plan.kernel, plan.kernel);
  await judged(gemm, device, { m: 3, n: 4, k: 5 }, { execute: (_, buffers) => product.run(buffers) });
});

test('the catalogue', () => {
  assert.ok(gemm.kernels().some(({ name, parameters }) => name === 'register-tile' && parameters.length > 4));
  assert.ok(gemm.configurations('tiled').every((name) => name.startsWith('tiled_')));
  assert.ok(gemm.configurations('tiled').length > 3);
  const rungs = gemm.ladder();
  assert.equal(rungs[0].name, 'naive');
  assert.ok(rungs.every(({ kernel, adds }) => kernel && adds));
  assert.deepEqual(gemm.describe({ m: 2, n: 3, k: 4 }).bytes, {
    a: 32,
    b: 48,
    c: 24,
    bias: 0,
    residual: 0,
    scales: 0,
    zeros: 0,
  });
  assert.equal(gemm.version().plan_version, gemm.plan({ m: 1, n: 1, k: 1 }).version);
});
