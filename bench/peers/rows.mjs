// What the peers' scripts for Node share: the list of rows from `wgemm bench --list --json`, samples, the report, whose
// shape is that of rows.py.
//
// A peer has a `name`, `open()`, which gives the conditions of its report and throws what is missing, and
// `measure(row, options)`, which gives the fields of an answer.
import {readFileSync, writeFileSync} from 'node:fs';
import {performance} from 'node:perf_hooks';

export const BEYOND_CACHES = 256 * 2 ** 20;
const MOST_SETS = 512;
const TARGET_SPREAD = 0.03;
const [FEWEST_SAMPLES, MOST_SAMPLES] = [5, 25];
const SAMPLE_MS = 50;  // reading an element back costs some tenths of a millisecond
const WARM_UP_MS = 400;  // the clocks of an idle GPU are low
const MOST_REPEATS = 4096;
const WRONG = 0.1;

/** What a peer cannot multiply, and why. */
export class Unsupported extends Error {}

function parseArguments(words) {
  const options = {rows: null, output: null, rowSeconds: 4, budget: 0, types: null};
  for (let i = 0; i < words.length; i++) {
    if (words[i] === '-o' || words[i] === '--output') options.output = words[++i];
    else if (words[i] === '--row-seconds') options.rowSeconds = Number(words[++i]);
    else if (words[i] === '--budget') options.budget = Number(words[++i]);
    else if (words[i] === '--types') options.types = words[++i].split(',');
    else if (options.rows === null && !words[i].startsWith('-')) options.rows = words[i];
    else throw new Error(`unknown argument ${words[i]}`);
  }
  if (!options.rows || !options.output) throw new Error(`usage: node ${process.argv[1]} ROWS.json -o PEER.json`);
  return options;
}

// Every product once: kernels, splits and preparations are wgemm's.
function readRows(path) {
  const rows = new Map();
  for (const question of JSON.parse(readFileSync(path, 'utf8')).rows) {
    const {m, n, k, batch, types, layout} = question;
    rows.set([batch, m, n, k, types, layout].join(' '), {...question, wanted_kernel: '', wanted_split: 0, prepared: false});
  }
  return [...rows.values()];
}

/** How many copies of operands of so many bytes no cache holds together. */
export const setsOf = (bytes) => Math.max(1, Math.min(MOST_SETS, Math.ceil(BEYOND_CACHES / bytes)));

export const isTransposed = ({layout}) => [layout[0] === 't', layout[1] === 't'];

export function uniform(count) {
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) values[i] = Math.random() * 2 - 1;
  return values;
}

/** The largest error of some rows of the first product over the largest element, against float64. */
export function errorOf(row, a, b, c) {
  const {m, n, k} = row;
  const [transA, transB] = isTransposed(row);
  let [worst, largest] = [0, 1e-30];
  for (const i of new Set([0, Math.floor(m / 2), m - 1])) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let l = 0; l < k; l++) sum += (transA ? a[l * m + i] : a[i * k + l]) * (transB ? b[j * k + l] : b[l * n + j]);
      worst = Math.max(worst, Math.abs(c[i * n + j] - sum));
      largest = Math.max(largest, Math.abs(sum));
    }
  }
  return worst / largest;
}

function quantile(sorted, part) {
  const at = part * (sorted.length - 1);
  const below = Math.floor(at);
  return sorted[below] + (sorted[Math.min(below + 1, sorted.length - 1)] - sorted[below]) * (at - below);
}

function summary(samples, repeats) {
  const sorted = [...samples].sort((a, b) => a - b);
  const median = quantile(sorted, 0.5);
  const spread = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / median;
  return {ms: median, ms_min: sorted[0], ms_max: sorted.at(-1), spread, samples: samples.length, repeats,
    spread_reached: samples.length >= FEWEST_SAMPLES && spread <= TARGET_SPREAD};
}

/** `run(repeats)` gives milliseconds for that many products; `ahead` calls of it may be under way at once. */
export async function sample(run, seconds, ahead = 1) {
  await run(1);
  let repeats = 1;
  let ms = await run(1);
  while (ms < SAMPLE_MS && repeats < MOST_REPEATS) {
    repeats = Math.min(MOST_REPEATS, Math.max(repeats + 1, Math.floor(repeats * Math.min(1.1 * SAMPLE_MS / ms, 16))));
    ms = await run(repeats);
  }
  const underWay = [];
  const next = () => {
    while (underWay.length < ahead) underWay.push(run(repeats));
    return underWay.shift();
  };
  let start = performance.now();
  while (performance.now() - start < Math.min(WARM_UP_MS, seconds * 250)) await next();
  const samples = [];
  start = performance.now();
  while (samples.length < MOST_SAMPLES && (samples.length === 0 || performance.now() - start < seconds * 1e3)) {
    samples.push(await next() / repeats);
    if (samples.length >= FEWEST_SAMPLES && summary(samples, repeats).spread_reached) break;
  }
  await Promise.all(underWay);
  return summary(samples, repeats);
}

// What a row asks, of a report that also answers.
const QUESTION = ['suite', 'label', 'm', 'n', 'k', 'batch', 'types', 'layout', 'type_a', 'type_b', 'type_c', 'sums_in_f16',
                  'block', 'flops', 'wanted_kernel', 'wanted_split', 'prepared'];

async function measured(peer, row, options) {
  const question = Object.fromEntries(QUESTION.filter((key) => key in row).map((key) => [key, row[key]]));
  const fields = {...question, kernel: peer.name, status: 'ok', reason: '', note: '', ms: null};
  try {
    Object.assign(fields, await peer.measure(row, options));
  } catch (error) {
    const status = error instanceof Unsupported ? 'unsupported' : 'failed';
    return Object.assign(fields, {status, reason: String(error.message ?? error).split('\n')[0]});
  }
  if (!(fields.relative_error <= WRONG)) {
    return Object.assign(fields, {status: 'wrong', reason: `an error of ${fields.relative_error.toPrecision(3)}`, ms: null});
  }
  return Object.assign(fields, {gflops: 2 * row.batch * row.m * row.n * row.k / fields.ms * 1e-6});
}

/** Measures the rows that the command line names, and gives the exit code. */
export async function main(peer) {
  const options = parseArguments(process.argv.slice(2));
  const rows = readRows(options.rows).filter(row => !options.types || options.types.includes(row.types));
  let conditions;
  try {
    conditions = await peer.open();
  } catch (error) {
    const why = String(error.message ?? error).split('\n')[0];
    console.error(`${peer.name}: ${why} (${peer.needs}); nothing was measured`);
    return 3;
  }
  const results = [];
  const start = performance.now();
  for (const [index, row] of rows.entries()) {
    if (options.budget && performance.now() - start >= options.budget * 1e3) {
      console.error(`${peer.name}: the budget was spent after ${index} of ${rows.length} rows`);
      break;
    }
    const fields = await measured(peer, row, options);
    results.push(fields);
    const figure = fields.ms ? `${fields.ms.toFixed(4)} ms, ${fields.gflops.toFixed(1)} GFLOP/s` : fields.reason;
    console.error(`${peer.name} ${index + 1}/${rows.length} ${row.batch > 1 ? `${row.batch} x ` : ''}${row.m}x${row.n}x${row.k} ${row.types} ${row.layout}: ${fields.status} ${figure}`);
  }
  Object.assign(conditions, {host: `${process.platform} ${process.arch}`, date: new Date().toISOString(), node: process.version});
  writeFileSync(options.output, JSON.stringify({version: 1, peer: peer.name, command: process.argv.join(' '), conditions, rows: results}, null, 1));
  return results.some(row => ['wrong', 'failed'].includes(row.status)) ? 1 : 0;
}
