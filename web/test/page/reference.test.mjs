// The judge of the page: right results pass, and every kind of wrong one does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './bundle.mjs';

const { fill, halfBits } = await load('bench/inputs.ts');
const { errorOverBound, identity, reference, sampleRows, wrongRows } = await load('bench/reference.ts');

/** In float32, as a kernel computes it. */
function multiply(n, kind, change = () => undefined) {
  const [a, b, c] = [new Float32Array(n * n), new Float32Array(n * n), new Float32Array(n * n)];
  fill(a, 'a', kind, 0);
  fill(b, 'b', kind, 0);
  for (let row = 0; row < n; row++) {
    for (let col = 0; col < n; col++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum = Math.fround(sum + Math.fround(a[row * n + k] * b[k * n + col]));
      c[row * n + col] = sum;
    }
  }
  change({ a, b, c });
  return c;
}

function sampled(c, n) {
  const rows = sampleRows(n);
  const values = new Float32Array(rows.length * n);
  rows.forEach((row, i) => values.set(c.subarray(row * n, (row + 1) * n), i * n));
  return values;
}

for (const n of [1, 5, 64, 129]) {
  test(`a right product of ${n} x ${n} passes`, () => {
    const error = errorOverBound(n, reference(n), sampled(multiply(n, 'random'), n));
    assert.ok(error <= 1, `error ${error}`);
    if (n >= 64) assert.ok(error > 0, 'random inputs round somewhere');
    assert.equal(wrongRows(n, identity(n), 0, multiply(n, 'whole')), 0);
  });
}

test('a dropped product, a doubled one and a lost element show', () => {
  const n = 64;
  const expected = identity(n);
  const dropped = multiply(n, 'whole', ({ a, b, c }) => { c[7 * n + 9] -= a[7 * n + 3] * b[3 * n + 9]; });
  const doubled = multiply(n, 'whole', ({ a, b, c }) => { c[40 * n] += a[40 * n + 1] * b[n]; });
  const lost = multiply(n, 'whole', ({ c }) => { c[63 * n + 63] = NaN; });
  for (const c of [dropped, doubled, lost]) assert.equal(wrongRows(n, expected, 0, c), 1);
  assert.equal(wrongRows(n, expected, 32, doubled.subarray(32 * n)), 1);
  assert.equal(wrongRows(n, expected, 0, multiply(n, 'whole', ({ c }) => c.fill(0))), n);
});

test('rounding to half precision and NaN exceed the bound', () => {
  const n = 64;
  const expected = reference(n);
  const coarse = multiply(n, 'random', ({ c }) => c.forEach((value, i) => { c[i] = Math.round(value * 256) / 256; }));
  assert.ok(errorOverBound(n, expected, sampled(coarse, n)) > 1);
  const lost = multiply(n, 'random', ({ c }) => { c[n * (n - 1)] = NaN; });
  assert.equal(errorOverBound(n, expected, sampled(lost, n)), Infinity);
});

test('inputs are exact in half precision', () => {
  const decode = (bits) => (bits & 0x8000 ? -1 : 1) * ((bits & 0x7c00) === 0 ? 0 : (1 + (bits & 1023) / 1024) * 2 ** (((bits >> 10) & 31) - 15));
  for (const kind of ['random', 'whole']) {
    const values = new Float32Array(5000);
    fill(values, 'a', kind, 1000);
    assert.ok(new Set(values).size > (kind === 'random' ? 2000 : 6));
    for (const value of values) assert.equal(decode(halfBits(value)), value);
  }
});

test('any part of an operand is made alike', () => {
  const whole = new Float32Array(1000);
  const part = new Float32Array(100);
  fill(whole, 'b', 'random', 0);
  fill(part, 'b', 'random', 300);
  assert.deepEqual(part, whole.slice(300, 400));
});
