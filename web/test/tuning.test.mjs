// The search for the fastest kernel: its order, what it counts, how it ends, and what becomes of its result.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createGemm, GemmError } from '../dist/index.js';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCore } from './support/core.mjs';
import { openDevice } from './support/device.mjs';

const PROGRAM = fileURLToPath(new URL('../../build/wgemm', import.meta.url));

const { device } = await openDevice();
const size = { m: 48, n: 40, k: 64 };
const quick = { budgetMs: 600000, repeats: 3, warmUpMs: 0, software: true };
const RUNNABLE = 4;

/** A Gemm for which only the first few kernels that are asked for can run: software compiles others for minutes. */
async function open(options) {
  const gemm = await createGemm(device, options);
  const { plan } = gemm;
  const asked = new Set(['naive']);
  gemm.plan = (problem, planOptions) => {
    const kernel = planOptions?.kernel;
    if (kernel && asked.size <= RUNNABLE) asked.add(kernel);
    if (kernel && !asked.has(kernel)) throw new GemmError('unsupported', 'test', `${kernel} is left out`);
    return plan.call(gemm, problem, planOptions);
  };
  return gemm;
}

/** Everything that a search tries, once for all tests. */
const gemm = await open();
const heard = [];
const whole = await gemm.tune(size, { ...quick, onTrial: (trial, fastest) => heard.push([trial, fastest]) });

test('a whole search', () => {
  const { trials, fastest, kept, complete, entry } = whole;
  assert.ok(complete);
  assert.ok(trials.length > 10, `${trials.length} trials`);
  const seen = trials.map(({ kernel, split_k }) => `${kernel} ${split_k}`);
  assert.equal(new Set(seen).size, seen.length, 'none comes twice');
  assert.deepEqual(
    trials.map((trial) => trial.heuristic),
    trials.map((_, index) => index === 0),
  );
  const planned = gemm.plan(size, { tuning: null });
  assert.deepEqual([trials[0].kernel, trials[0].split_k], [planned.kernel, planned.split_k]);
  const ok = trials.filter((trial) => trial.status === 'ok');
  assert.ok(ok.length >= RUNNABLE);
  for (const trial of trials) {
    assert.ok(ok.includes(trial) || trial.reason === `${trial.kernel} is left out`, trial.reason);
    assert.equal(trial.status, ok.includes(trial) ? 'ok' : 'unsupported');
    assert.equal(trial.seconds > 0 && trial.seconds < 1, ok.includes(trial));
    assert.ok(trial.estimated_seconds > 0 && trial.spread >= 0 && !trial.resumed);
    assert.equal(trial.clock, 'gpu');
  }
  assert.equal(fastest.seconds, Math.min(...ok.map((trial) => trial.seconds)));
  assert.ok(trials.includes(kept) && (kept === fastest || kept.heuristic));
  assert.deepEqual(
    heard.map(([trial]) => trial),
    trials,
  );
  assert.equal(heard.at(-1)[1], fastest);
  assert.equal(entry.entries.length, 1);
  const [{ kernel, split_k, seconds, heuristic_seconds, problem, tool, date }] = entry.entries;
  assert.deepEqual([kernel, split_k, seconds], [kept.kernel, kept.split_k, kept.seconds]);
  assert.equal(heuristic_seconds, trials[0].seconds);
  assert.deepEqual([problem.m, problem.n, problem.k], [48, 40, 64]);
  assert.match(tool, /^wgemm \d+\.\d+\.\d+$/);
  assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

test("the order is the core's", async () => {
  const core = await openCore();
  for (let told = 0; told <= whole.trials.length; told++) {
    const trials = whole.trials.slice(0, told).map(({ kernel, split_k, seconds }) => ({ kernel, split_k, seconds }));
    const { next, fastest, kept } = core.call('next_trial', { problem: size, profile: gemm.profile, trials });
    assert.equal(next && nameOf(next), told < whole.trials.length ? nameOf(whole.trials[told]) : null);
    if (told < whole.trials.length) continue;
    assert.equal(whole.trials[fastest], whole.fastest);
    assert.equal(whole.trials[kept], whole.kept);
  }
});

test('an earlier search is gone on with, to the same end', async () => {
  const spied = await open();
  spied.preparePlan = () => assert.fail('nothing is left to try');
  const again = await spied.tune(size, { ...quick, trials: whole.trials });
  assert.ok(again.complete && again.trials.every((trial) => trial.resumed));
  assert.deepEqual(again.trials.map(nameOf), whole.trials.map(nameOf));
  assert.deepEqual(again.kept, { ...whole.kept, resumed: true });
  assert.equal(again.candidates, whole.candidates);
});

test('the rest of a search that was cut short', async () => {
  const rest = await gemm.tune(size, { ...quick, budgetMs: 0, trials: whole.trials.slice(0, 4) });
  assert.deepEqual(rest.trials.map(nameOf), whole.trials.slice(0, 4).map(nameOf));
  assert.ok(!rest.complete && rest.kept !== null);
  // Times of the page's clock are tried again.
  const other = whole.trials.map((trial) => ({ ...trial, clock: 'wall' }));
  assert.deepEqual((await gemm.tune(size, { ...quick, budgetMs: 0, trials: other })).trials, []);
});

test('a wrong, a refused and a failing candidate have no time', async () => {
  const faulty = await open();
  const { plan } = faulty;
  const asked = new Set();
  faulty.plan = (problem, options) => {
    const made = plan.call(faulty, problem, options);
    if (options?.kernel === 'naive') return made;
    const [, wrong, refused, failing] = asked.add(options?.kernel);
    if (options?.kernel === wrong) made.steps.at(-1).dispatches[0].workgroups = [1, 1, 0];
    if (options?.kernel === refused) made.shaders[0].wgsl += ' no WGSL';
    if (options?.kernel === failing) made.steps[0].shader = 77;
    return made;
  };
  const controller = new AbortController();
  const onTrial = () => asked.size === RUNNABLE && controller.abort();
  const { trials, complete, fastest } = await faulty.tune(size, { ...quick, signal: controller.signal, onTrial });
  assert.ok(!complete);
  assert.deepEqual(
    trials.map((trial) => trial.status),
    ['ok', 'wrong', 'failed', 'failed'],
  );
  assert.match(trials[1].reason, /^on small integers element 0 of C is -?\d+, and -?\d+ by naive$/);
  assert.match(trials[2].reason, /no WGSL|error/);
  assert.match(trials[3].reason, /'steps\[0\].shader' is 77/);
  assert.ok(trials.slice(1, 4).every((trial) => trial.seconds === 0 && trial.spread === 0));
  assert.equal(fastest.status, 'ok');
});

test('candidates that the device lacks something for', async () => {
  const poor = await open();
  const { plan } = poor;
  poor.plan = (problem, options) => {
    const made = plan.call(poor, problem, options);
    if (options?.kernel !== 'naive' && options?.kernel) poor.profile.subgroups = false;
    made.shaders[0].needs_subgroups ||= options?.kernel === whole.trials[0].kernel;
    return made;
  };
  const controller = new AbortController();
  const { trials } = await poor.tune(size, {
    ...quick,
    signal: controller.signal,
    onTrial: () => controller.abort(),
  });
  assert.equal(trials[0].status, 'unsupported');
  assert.match(trials[0].reason, /subgroups/);
});

test('types, sums in f16, curves, batches and quantised weights', async (t) => {
  const f16 = { type: 'f16' };
  const problems = {
    'f16 in f32': { ...size, a: f16, b: f16 },
    'f16, sums in f16': { m: 17, n: 19, k: 600, a: f16, b: f16, c: f16, accumulate: 'f16' },
    'i8 and u8': { ...size, a: { type: 'i8' }, b: { type: 'u8' }, c: { type: 'i32' } },
    'u8, C in f16': { m: 9, n: 7, k: 300, a: { type: 'u8' }, b: { type: 'u8' }, c: f16 },
    'alpha, beta, bias, gelu': { ...size, alpha: 0.3, beta: -0.7, epilogue: { bias: 'per_row', activation: 'gelu' } },
    residual: { ...size, epilogue: { add_residual: true, residual: { type: 'f16' }, activation: 'silu' } },
    batch: { ...size, batch: { rank: 1, extents: [3, 0, 0, 0], a: [3072, 0, 0, 0], c: [1920, 0, 0, 0] } },
    'u4 with zero points': {
      ...size,
      b: { type: 'u4', order: 'col_major' },
      quantization: { block: 16, zeros: true, scale_type: 'f16' },
    },
    columns: { m: 7, n: 9, k: 11, a: { order: 'col_major', ld: 8, offset: 3 }, c: { order: 'col_major', ld: 10 } },
  };
  for (const [name, problem] of Object.entries(problems)) {
    await t.test(name, async () => {
      const own = await open();
      const controller = new AbortController();
      let count = 0;
      const onTrial = () => ++count === 2 && controller.abort();
      const { trials } = await own.tune(problem, { ...quick, signal: controller.signal, onTrial });
      assert.deepEqual(
        trials.map(({ status, reason }) => [status, reason]),
        Array.from({ length: 2 }, () => ['ok', '']),
      );
    });
  }
});

test('a signal ends it with what there is', async () => {
  const before = await gemm.tune(size, { ...quick, signal: AbortSignal.abort() });
  assert.deepEqual(
    { ...before, candidates: '' },
    { trials: [], fastest: null, kept: null, complete: false, entry: null, candidates: '' },
  );
  const spied = await open();
  const { preparePlan } = spied;
  const controller = new AbortController();
  let count = 0;
  spied.preparePlan = (plan, options) => {
    if (++count === 5) controller.abort(); // naive, and two for each candidate: in the middle of the second's
    return preparePlan.call(spied, plan, options);
  };
  const during = await spied.tune(size, { ...quick, signal: controller.signal });
  assert.deepEqual(during.trials.map(nameOf), whole.trials.slice(0, 1).map(nameOf));
  assert.ok(!during.complete && during.entry.entries.length === 1);
});

test('the budget: no trial begins that would not end in time', async () => {
  const { now } = performance;
  const slow = await open();
  const { preparePlan } = slow;
  let skipped = 0;
  performance.now = () => now.call(performance) / 1000 + skipped; // as if the machine did everything at once,
  slow.preparePlan = (plan, options) => {
    skipped += 1000; // but for preparing, which takes a second
    return preparePlan.call(slow, plan, options);
  };
  try {
    // One second for naive, two for each trial: the third trial would end at 7.
    const { trials, complete } = await slow.tune(size, { ...quick, budgetMs: 6500 });
    assert.equal(trials.length, 2);
    assert.ok(!complete);
  } finally {
    performance.now = now;
  }
});

test('plans go by what is kept', async () => {
  const own = await open({ tuning: null });
  const { device: ofDevice, problem } = whole.entry.entries[0];
  const other = whole.trials.find(({ kernel }) => !kernel.startsWith(whole.trials[0].kernel.split('_')[0]));
  const entry = { ...whole.entry.entries[0], kernel: other.kernel, split_k: other.split_k };
  const before = own.plan(size).kernel;
  const a = new Float32Array(48 * 64).fill(1);
  const b = new Float32Array(64 * 40).fill(2);
  await own.matmul(a, b, size);
  own.tuningData = { ...whole.entry, entries: [entry] };
  assert.notEqual(own.plan(size).kernel, before);
  assert.equal(own.plan(size).kernel, other.kernel);
  assert.equal(own.plan({ ...size, m: 4800 }).kernel, own.plan({ ...size, m: 4800 }, { tuning: null }).kernel);
  const used = [];
  const { preparePlan } = own;
  own.preparePlan = (plan, options) => {
    used.push(plan.kernel);
    return preparePlan.call(own, plan, options);
  };
  assert.ok(
    (await own.matmul(a, b, size)).every((value) => value === 128),
    'matmul keeps no old choice',
  );
  assert.deepEqual(used, [other.kernel]);
  own.tuningData = null;
  assert.equal(own.plan(size).kernel, before);
  assert.ok(ofDevice.name.length > 0 && problem.aligned);
});

test('data are merged, and damaged ones refused', () => {
  const [entry] = whole.entry.entries;
  const younger = { ...entry, kernel: whole.trials[1].kernel, date: '2999-01-01T00:00:00Z' };
  const elsewhere = { ...entry, problem: { ...entry.problem, m: 7 } };
  const data = (...entries) => ({ ...whole.entry, entries });
  assert.deepEqual(gemm.mergeTuning(data(entry), data(younger, elsewhere)).entries, [younger, elsewhere]);
  assert.throws(() => gemm.mergeTuning(data(entry), data({ ...entry, seconds: -1 })), {
    code: 'invalid_argument',
    argument: 'with.entries[0].seconds',
  });
  assert.throws(() => (gemm.tuningData = { ...whole.entry, version: 99 }), { name: 'GemmError', code: 'unsupported' });
  assert.equal(gemm.tuningData, undefined);
});

test('the native program takes the data', { skip: !existsSync(PROGRAM) && `there is no ${PROGRAM}` }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'wgemm-tuning-'));
  try {
    const [file, database] = ['mine.json', 'database.json'].map((name) => join(folder, name));
    writeFileSync(file, JSON.stringify(whole.entry));
    for (const way of ['--import', '--merge']) {
      execFileSync(PROGRAM, ['tune', way, file, '--database', database]);
      const shown = execFileSync(PROGRAM, ['tune', '--show', '--database', database], { encoding: 'utf8' });
      assert.ok(shown.includes('48x40x64') && shown.includes(whole.kept.kernel), shown);
    }
    assert.deepEqual(JSON.parse(readFileSync(database, 'utf8')).entries, whole.entry.entries);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a lost device', async () => {
  const { device: lost } = await openDevice();
  const doomed = await createGemm(lost);
  const told = [];
  const search = doomed.tune(size, {
    ...quick,
    onTrial: (trial) => {
      told.push(trial.status);
      if (told.length === 1) lost.destroy();
    },
  });
  await assert.rejects(search, { name: 'GemmError', code: 'device_lost' });
  assert.deepEqual(told, ['ok', 'device_lost']);
  await assert.rejects(doomed.tune(size, quick), { code: 'device_lost' });
});

test('a software adapter wants leave', async () => {
  const own = await open({ profile: { type: 'software', name: 'slowpipe' } });
  const spied = [];
  own.preparePlan = () => spied.push('prepared');
  for (const software of [undefined, false]) {
    await assert.rejects(own.tune(size, { ...quick, software }), (error) => {
      assert.ok(error instanceof GemmError);
      assert.deepEqual([error.code, error.argument], ['unsupported', 'software']);
      assert.match(error.message, /'slowpipe' is a software adapter.*software: true/);
      return true;
    });
  }
  assert.deepEqual(spied, []);
  assert.equal((await own.tune(size, { ...quick, budgetMs: 0 })).complete, false);
  const hardware = await open({ profile: { type: 'discrete' } });
  assert.equal((await hardware.tune(size, { ...quick, software: false, budgetMs: 0 })).complete, false);
});

test('options that are none', async () => {
  for (const [name, value] of [
    ['budgetMs', -1],
    ['budgetMs', NaN],
    ['repeats', 0],
    ['repeats', 1.5],
    ['warmUpMs', -1],
    ['software', 'yes'],
  ]) {
    await assert.rejects(gemm.tune(size, { [name]: value }), { code: 'invalid_argument', argument: name });
  }
  await assert.rejects(gemm.tune({ ...size, m: -1 }, quick), { code: 'invalid_argument' });
});

function nameOf({ kernel, split_k }) {
  return `${kernel} ${split_k}`;
}
