// Every type, layout, batch, epilogue and quantisation, on the planner's own kernels.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createGemm } from '../dist/index.js';
import { openDevice } from './support/device.mjs';
import { judged } from './support/judged.mjs';

const { device } = await openDevice();
const gemm = await createGemm(device);
const check = (input, more) => judged(gemm, device, input, more);
const NUMBERS = [false];
const INTEGERS = [true];
const size = { m: 19, n: 21, k: 37 };

test('types', async (t) => {
  const types = [
    ['f32', 'f32', 'f32'],
    ['f32', 'f32', 'f16'],
    ['f16', 'f16', 'f32'],
    ['f16', 'f16', 'f16'],
    ['i8', 'i8', 'i32'],
    ['u8', 'i8', 'i32'],
    ['u8', 'u8', 'f32'],
    ['i8', 'u8', 'f16'],
  ];
  for (const [a, b, c] of types) {
    // Whole ranges of bytes exceed f16; small integers do not.
    const more = a.endsWith('8') && c === 'f16' ? { alpha: 2 ** -16 } : {};
    await t.test(`${a} x ${b} -> ${c}`, () =>
      check(
        { ...size, ...more, a: { type: a }, b: { type: b }, c: { type: c } },
        'alpha' in more ? { runs: NUMBERS } : {},
      ),
    );
  }
});

test('f16 without shader-f16, in words', async () => {
  const plain = await createGemm(device, { profile: { shader_f16: false } });
  await judged(plain, device, { ...size, a: { type: 'f16' }, b: { type: 'f16' }, c: { type: 'f16' } });
});

// Random numbers exceed the bound of sums in f32; small integers are exact.
test('sums in f16', () =>
  check(
    { m: 16, n: 16, k: 20, a: { type: 'f16' }, b: { type: 'f16' }, c: { type: 'f16' }, accumulate: 'f16' },
    { runs: INTEGERS },
  ));

test('layouts', async (t) => {
  for (let bits = 0; bits < 8; bits++) {
    const order = (bit) => (bits & bit ? 'col_major' : 'row_major');
    const input = {
      ...size,
      a: { order: order(1), ld: 41, offset: 3 },
      b: { order: order(2), ld: 43, offset: 5 },
      c: { order: order(4), ld: 27, offset: 9 },
      trans_a: bits % 3 === 1,
      trans_b: bits % 3 === 2,
    };
    await t.test(`${input.a.order} ${input.b.order} ${input.c.order} ${input.trans_a} ${input.trans_b}`, () =>
      check(input),
    );
  }
});

test('batches', async (t) => {
  await t.test('by strides, B broadcast', () =>
    check({
      m: 5,
      n: 6,
      k: 7,
      batch: { extents: [2, 3], a: [105, 35], b: [0, 42], c: [100, 32] },
    }),
  );
  await t.test('by strides, arrays of one to four entries', async () => {
    const tight = { a: [35], b: [42], c: [30] };
    const plans = [1, 2, 3, 4].map((entries) => {
      const padded = (values) => [...values, 0, 0, 0].slice(0, entries);
      const { a, b, c } = tight;
      const batch = { rank: 1, extents: padded([3]), a: padded(a), b: padded(b), c: padded(c) };
      return gemm.plan({ m: 5, n: 6, k: 7, batch });
    });
    for (const plan of plans) assert.deepEqual(plan, plans[0]);
    await check({ m: 5, n: 6, k: 7, batch: { extents: [3], ...tight } });
    const arrays = [new Float32Array(3 * 35).fill(1), new Float32Array(42).fill(1)];
    const batch = { extents: [3], a: tight.a, c: tight.c };
    const product = await gemm.matmul(...arrays, { m: 5, n: 6, k: 7, batch });
    assert.deepEqual(product, new Float32Array(90).fill(7));
  });
  await t.test('by a table', () =>
    check({
      m: 5,
      n: 6,
      k: 7,
      batch: {
        table: [
          { a: 35, b: 0, c: 40 },
          { a: 0, b: 42, c: 0 },
          { a: 70, b: 0, c: 75 },
        ],
      },
    }),
  );
  await t.test('empty', async () => {
    const product = await gemm.prepare({
      m: 5,
      n: 6,
      k: 7,
      batch: { extents: [0], c: [30] },
    });
    assert.equal(product.plan.steps.length, 0);
    await product.run({});
  });
});

test('epilogues', async (t) => {
  await t.test('alpha and beta', () => check({ ...size, alpha: 2, beta: -3 }));
  for (const bias of ['per_row', 'per_column']) {
    await t.test(`bias ${bias}`, () => check({ ...size, epilogue: { bias } }));
  }
  for (const activation of ['relu', 'clamp', 'gelu', 'gelu_tanh', 'silu']) {
    const exact = activation === 'relu' || activation === 'clamp';
    await t.test(activation, () =>
      check(
        { ...size, k: 9, epilogue: { activation, lower: -4, upper: 5, bias: 'per_column' } },
        exact ? {} : { runs: NUMBERS },
      ),
    );
  }
  await t.test('residual', () =>
    check({
      ...size,
      epilogue: { add_residual: true, residual: { type: 'f16', order: 'col_major', ld: 24, offset: 2 } },
    }),
  );
});

test('quantised weights', async (t) => {
  for (const type of ['i8', 'u8', 'i4', 'u4']) {
    for (const zeros of [false, true]) {
      await t.test(`${type}${zeros ? ' with zero points' : ''}`, () =>
        check({
          m: 7,
          n: 10,
          k: 40,
          b: { type, order: 'col_major' },
          quantization: { block: 16, zeros, scale_type: zeros ? 'f16' : 'f32' },
        }),
      );
    }
  }
});

test('k of 0 makes zeros, and beta counts', async () => {
  await check({ m: 3, n: 5, k: 0 });
  await check({ m: 3, n: 5, k: 0, beta: 2 });
});

test('k cut in parts, padded edges, and every rung', async (t) => {
  await t.test('split_k', () => check({ m: 9, n: 8, k: 200 }, { options: { split_k: 4 } }));
  await t.test('padded', () => check(size, { options: { edges: 'padded', kernel: 'tiled' } }));
  await t.test('many dispatches', async () => {
    const product = await check(
      { m: 64, n: 64, k: 32 },
      { options: { kernel: 'tiled_TILE8', max_dispatch_flops: 40000 } },
    );
    assert.ok(product.plan.steps[0].dispatches.length > 3);
  });
  for (const rung of gemm.ladder().filter(({ unavailable }) => !unavailable)) {
    await t.test(rung.name, () => check(size, { options: { kernel: rung.kernel } }));
  }
});
