// Runs from elsewhere: what is one is read, what is none is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './bundle.mjs';

const { parseRun } = await load('share/parse.ts');
const { csvOf } = await load('share/files.ts');
const { affordable, repeatsWithin } = await load('bench/settings.ts');

const row = {
  id: 'naive', kernel: 'naive', operands: 'f32', n: 128, gflops: 1.5, kernelMs: 2, clock: 'gpu', wallMs: 3, compileMs: 4,
  intensity: 0.25, error: 0.001, verified: true, reason: '',
};
const run = {
  format: 'wgemm page run', version: 1, date: '2026-11-30T12:00:00.000Z', browser: 'Chrome 156',
  device: { name: 'GPU, "the" one', vendor: 'v', architecture: 'a', software: false, timestamps: true },
  n: 128, repeats: 5, bandwidth: 1e11, rows: [row],
};

test('a run survives JSON', () => {
  assert.deepEqual(parseRun(JSON.stringify(run)), run);
  assert.deepEqual(parseRun(JSON.stringify({ ...run, device: null, bandwidth: null })), { ...run, device: null, bandwidth: null });
});

test('what is no run is refused', () => {
  const wrong = [
    '', 'null', '[]', '{}', '{"format"', JSON.stringify({ ...run, version: 2 }), JSON.stringify({ ...run, date: 'soon' }),
    JSON.stringify({ ...run, n: '128' }), JSON.stringify({ ...run, rows: {} }), JSON.stringify({ ...run, rows: [{ ...row, gflops: -1 }] }),
    JSON.stringify({ ...run, rows: [{ ...row, operands: 'f64' }] }), JSON.stringify({ ...run, rows: Array(101).fill(row) }),
    JSON.stringify({ ...run, rows: [{ ...row, reason: undefined }] }), JSON.stringify({ ...run, device: 'x'.repeat(10) }),
  ];
  for (const text of wrong) assert.equal(parseRun(text), undefined, text.slice(0, 80));
});

test('CSV quotes what needs quotes, and hands no formula to a spreadsheet', async () => {
  const text = await csvOf([{ ...run, rows: [{ ...row, reason: '=1+1' }] }]).text();
  const lines = text.split('\r\n');
  assert.equal(lines.length, 3);
  assert.equal(lines[0].split(',').length, 16);
  assert.ok(lines[1].startsWith('2026-11-30T12:00:00.000Z,"GPU, ""the"" one",Chrome 156,naive'));
  assert.ok(lines[1].endsWith("'=1+1"));
});

test('sizes and repeats follow the budget', () => {
  assert.equal(affordable(8192, 128, 0.001, 8000), 8192);
  assert.equal(affordable(1024, 128, 0.001, 8000), 1024);
  assert.equal(affordable(8192, 128, 100, 8000), 256);
  assert.equal(affordable(8192, 128, 10_000, 8000), 128);
  assert.equal(repeatsWithin(10, 100, 8000), 10);
  assert.equal(repeatsWithin(20, 1000, 8000), 8);
  assert.equal(repeatsWithin(10, 10_000, 8000), 3);
});
