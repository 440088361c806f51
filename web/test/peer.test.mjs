// The script that times the package beside the native program: bench/peers/wgemm_node.mjs.
import { after, test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './support/device.mjs'; // for the environment, which the script inherits

const script = fileURLToPath(new URL('../../bench/peers/wgemm_node.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'wgemm-peer-'));
after(() => rmSync(folder, { recursive: true }));

const types = {
  f32: { type_a: 'f32', type_b: 'f32', type_c: 'f32', sums_in_f16: false },
  f16: { type_a: 'f16', type_b: 'f16', type_c: 'f32', sums_in_f16: false },
  i8: { type_a: 'i8', type_b: 'i8', type_c: 'i32', sums_in_f16: false },
};
const row = (name, layout, batch) => ({ m: 9, n: 7, k: 10, batch, layout, types: name, ...types[name] });

test('it measures the rows of a list, and checks them', () => {
  const rows = ['f32', 'f16'].flatMap((name) =>
    ['nn', 'nt', 'tn', 'tt'].flatMap((layout) => [row(name, layout, 1), row(name, layout, 3)]),
  );
  const path = join(folder, 'rows.json');
  writeFileSync(path, JSON.stringify({ rows: [...rows, row('i8', 'nn', 1)] }));
  const answer = join(folder, 'peer.json');
  const { status, stderr } = spawnSync('node', [script, path, '-o', answer, '--row-seconds', '0.01'], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const report = JSON.parse(readFileSync(answer, 'utf8'));
  assert.equal(report.peer, 'wgemm in Node');
  assert.equal(report.rows.length, rows.length + 1);
  const last = report.rows.pop();
  assert.equal(last.status, 'unsupported');
  for (const { types: name, layout, batch, kernel, timing, ms, relative_error, ...rest } of report.rows) {
    const what = `${name} ${layout} ${batch}: ${rest.reason}`;
    assert.equal(rest.status, 'ok', what);
    assert.equal(timing, 'timestamps');
    assert.ok(ms > 0 && kernel !== '' && relative_error < 1e-5, `${what} ${relative_error}`);
  }
});

test('without the package it says so in one line', () => {
  const path = join(folder, 'rows.json');
  writeFileSync(path, JSON.stringify({ rows: [row('f32', 'nn', 1)] }));
  const { status, stderr } = spawnSync('node', [script, path, '-o', join(folder, 'none.json')], {
    encoding: 'utf8',
    env: { ...process.env, WGEMM_WEB: folder },
  });
  assert.equal(status, 3);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  assert.match(stderr, /nothing was measured/);
});

test('what is wrong about its arguments and files it says in one line, before any work', () => {
  const path = join(folder, 'rows.json');
  writeFileSync(path, JSON.stringify({ rows: [row('f32', 'nn', 1)] }));
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, '{');
  const short = join(folder, 'short.json');
  writeFileSync(short, JSON.stringify({ rows: [{ m: 8 }] }));
  const answer = join(folder, 'answer.json');
  for (const peer of [script, script.replace('wgemm_node', 'tfjs')]) {
    for (const [words, code, message] of [
      [[], 2, /usage: node/],
      [[path], 2, /no report is named/],
      [[path, '-o'], 2, /-o wants a value/],
      [[path, '-o', answer, '--budget', 'x'], 2, /'x' is no number/],
      [[path, '-o', answer, '--nonsense'], 2, /unknown argument --nonsense/],
      [[join(folder, 'nowhere.json'), '-o', answer], 1, /nowhere\.json' cannot be read/],
      [[broken, '-o', answer], 1, /is no list of rows/],
      [[short, '-o', answer], 1, /without sizes/],
      [[path, '-o', folder], 1, /cannot be written/],
      [[path, '-o', join(folder, 'no', 'answer.json')], 1, /cannot be written/],
    ]) {
      const { status, stderr } = spawnSync('node', [peer, ...words], { encoding: 'utf8' });
      assert.equal(status, code, stderr);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
      assert.match(stderr, message);
    }
  }
  assert.ok(!existsSync(answer));
});
