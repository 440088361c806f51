// The product in one call.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createGemm } from '../dist/index.js';
import { openDevice } from './support/device.mjs';
import { download, upload } from './support/judged.mjs';
import { toHalf } from './support/elements.mjs';

const { device } = await openDevice();
const gemm = await createGemm(device);
const a = Float32Array.of(1, 2, 3, 4, 5, 6);
const b = Float32Array.of(7, 8, 9, 10, 11, 12);
const size = { m: 2, n: 2, k: 3 };
const product = [58, 64, 139, 154];

const viewOf = (array) => new DataView(array.buffer, array.byteOffset, array.byteLength);

test('typed arrays in, a typed array out', async () => {
  const c = await gemm.matmul(a, b, size);
  assert.ok(c instanceof Float32Array);
  assert.deepEqual([...c], product);
});

test('views into larger arrays', async () => {
  const all = Float32Array.of(0, ...a, 0, ...b, 0);
  assert.deepEqual([...(await gemm.matmul(all.subarray(1, 7), all.subarray(8, 14), size))], product);
});

test('infinities are told apart', async () => {
  const one = Float32Array.of(1);
  const scaled = async (more) => (await gemm.matmul(one, one, { m: 1, n: 1, k: 1, ...more }))[0];
  const clamp = (lower, upper) => scaled({ epilogue: { activation: 'clamp', lower, upper } });
  assert.equal(await clamp(Infinity, Infinity), Infinity);
  assert.equal(await clamp(-Infinity, Infinity), 1);
  assert.equal(await clamp(-Infinity, -Infinity), -Infinity);
  assert.equal(await scaled({ alpha: Infinity }), Infinity);
  assert.equal(await scaled({ alpha: -Infinity }), -Infinity);
});

test('shared and resizable memory', async () => {
  const resizable = new Float32Array(new ArrayBuffer(24, { maxByteLength: 48 }));
  resizable.set(a);
  assert.deepEqual([...(await gemm.matmul(resizable, b, size))], product);

  const shared = (array) => {
    const copy = new array.constructor(new SharedArrayBuffer(array.byteLength));
    copy.set(array);
    return copy;
  };
  const out = shared(new Float32Array(4));
  assert.equal(await gemm.matmul(shared(a), shared(b), { ...size, out }), out);
  assert.deepEqual([...out], product);
  const bytes = await gemm.matmul(shared(Int8Array.of(1, 2, 3)), shared(Int8Array.of(4, 5, 6)), { m: 1, n: 1, k: 3 });
  assert.deepEqual([...bytes], [32]);
});

test('f16 bits, and bytes whose number is no multiple of four', async () => {
  const half = (array) => Uint16Array.from(array, toHalf);
  const c = await gemm.matmul(half(a), half(b), { ...size, c: { type: 'f16' } });
  assert.ok(c instanceof Uint16Array);
  assert.deepEqual([...c], product.map(toHalf));
  const row = await gemm.matmul(half(a.subarray(0, 3)), half(b.subarray(0, 3)), {
    m: 1,
    n: 1,
    k: 3,
    c: { type: 'f16' },
  });
  assert.deepEqual([...row], [toHalf(50)]);
});

test('integers', async () => {
  const c = await gemm.matmul(Int8Array.from(a), Uint8Array.from(b), { ...size, c: { type: 'i32' } });
  assert.ok(c instanceof Int32Array);
  assert.deepEqual([...c], product);
});

test('GPU buffers in, a GPU buffer out', async () => {
  const buffers = [upload(device, viewOf(a)), upload(device, viewOf(b))];
  const c = await gemm.matmul(buffers[0], buffers[1], size);
  const found = await download(device, c);
  assert.deepEqual([...new Float32Array(found.buffer)], product);
  assert.deepEqual([...(await gemm.matmul(buffers[0], b, { ...size, out: new Float32Array(4) }))], product);
  const out = upload(device, new DataView(new ArrayBuffer(16)));
  assert.equal(await gemm.matmul(a, buffers[1], { ...size, out }), out);
  assert.deepEqual([...new Float32Array((await download(device, out)).buffer)], product);
});

test('in place: beta counts, and what lies between the elements stays', async () => {
  const out = Float32Array.of(1, 1, -5, 1, 1, -6);
  const c = await gemm.matmul(a, b, { ...size, beta: 2, c: { ld: 3 }, out });
  assert.equal(c, out);
  assert.deepEqual([...out], [60, 66, -5, 141, 156, -6]);
});

test('bias, activation, residual, scales', async () => {
  const bias = Float32Array.of(-100, 0);
  const residual = Float32Array.of(1, 2, 3, 4);
  const epilogue = { bias: 'per_column', activation: 'relu', add_residual: true };
  assert.deepEqual([...(await gemm.matmul(a, b, { ...size, epilogue, bias, residual }))], [1, 66, 42, 158]);
  const clamp = { activation: 'clamp', lower: -Infinity, upper: 60 };
  assert.deepEqual([...(await gemm.matmul(a, b, { ...size, epilogue: clamp }))], [58, 60, 60, 60]);
  const ones = new Float32Array(16).fill(1);
  const weights = Int8Array.from({ length: 32 }, (_, i) => (i < 16 ? 1 : 2));
  const options = {
    m: 1,
    n: 2,
    k: 16,
    b: { order: 'col_major' },
    quantization: { block: 16 },
    scales: Float32Array.of(0.5, 2),
  };
  assert.deepEqual([...(await gemm.matmul(ones, weights, options))], [8, 64]);
});

test('a named kernel, and empty products', async () => {
  assert.deepEqual([...(await gemm.matmul(a, b, { ...size, kernel: 'naive' }))], product);
  assert.equal((await gemm.matmul(a, b, { ...size, m: 0 })).length, 0);
  assert.deepEqual(
    [...(await gemm.matmul(new Float32Array(0), new Float32Array(0), { m: 2, n: 2, k: 0 }))],
    [0, 0, 0, 0],
  );
});

test('many at once', async () => {
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      gemm.matmul(
        a.map((x) => x * i),
        b,
        size,
      ),
    ),
  );
  results.forEach((c, i) =>
    assert.deepEqual(
      [...c],
      product.map((x) => x * i),
    ),
  );
});

test('errors name the argument', async () => {
  const fails = (promise, code, argument) => assert.rejects(promise, { name: 'GemmError', code, argument });
  await fails(gemm.matmul(a.subarray(1), b, size), 'invalid_argument', 'a');
  await fails(gemm.matmul(a, new Float64Array(6), size), 'invalid_argument', 'b');
  await fails(gemm.matmul(a, b, { ...size, a: { type: 'f16' }, b: { type: 'f16' } }), 'invalid_argument', 'a');
  await fails(gemm.matmul(a, b, { ...size, a: { type: 'f16' } }), 'invalid_argument', 'problem.b.type');
  await fails(gemm.matmul(a, b, { ...size, bias: a }), 'invalid_argument', 'bias');
  await fails(gemm.matmul(a, b, { ...size, epilogue: { bias: 'per_row' } }), 'invalid_argument', 'bias');
  await fails(gemm.matmul(a, b, { ...size, beta: 1 }), 'invalid_argument', 'out');
  await fails(gemm.matmul(a, b, { ...size, out: new Float32Array(3) }), 'invalid_argument', 'out');
  await fails(gemm.matmul(a, undefined, size), 'invalid_argument', 'b');
  await fails(gemm.matmul(a, b, { ...size, kernel: 'fastest' }), 'not_found', 'options.kernel');
});
