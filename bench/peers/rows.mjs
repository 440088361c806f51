// What the peers' scripts for Node share: the list of rows from `wgemm bench --list --json`, samples, the report, whose
// shape is that of rows.py.
//
// A peer has a `name`, `open()`, which gives the conditions of its report and throws what is missing, and
// `measure(row, options)`, which gives the fields of an answer.
import {closeSync, existsSync, openSync, readFileSync, unlinkSync, writeFileSync} from 'node:fs';
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

/** A command line (exit code 2) or a file (1) that is wrong; the message is for people. */
class Refused extends Error {
  constructor(exitCode, message) {
    super(message);
    this.exitCode = exitCode;
  }
}

function parseArguments(words) {
  const usage = `usage: node ${process.argv[1]} ROWS.json -o PEER.json [--row-seconds S] [--budget S] [--types T,…]`;
  const refuse = why => { throw new Refused(2, `${why}; ${usage}`); };
  const options = {rows: null, output: null, rowSeconds: 4, budget: 0, types: null};
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const value = () => words[++i] ?? refuse(`${word} wants a value`);
    const seconds = () => {
      const text = value();
      return text.trim() !== '' && Number(text) >= 0 ? Number(text) : refuse(`${word}: '${text}' is no number of seconds`);
    };
    if (word === '-o' || word === '--output') options.output = value();
    else if (word === '--row-seconds') options.rowSeconds = seconds();
    else if (word === '--budget') options.budget = seconds();
    else if (word === '--types') options.types = value().split(',');
    else if (options.rows === null && !word.startsWith('-')) options.rows = word;
    else refuse(`unknown argument ${word}`);
  }
  if (!options.rows) refuse('no list of rows is given');
  if (!options.output) refuse('no report is named');
  return options;
}

// Whether a row says what it multiplies.
const isQuestion = row => row !== null && typeof row === 'object' &&
  ['m', 'n', 'k', 'batch'].every(key => Number.isSafeInteger(row[key]) && row[key] > 0) &&
  typeof row.types === 'string' && ['nn', 'nt', 'tn', 'tt'].includes(row.layout);

// Every product once: kernels, splits and preparations are wgemm's.
function readRows(path) {
  let text, questions;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Refused(1, `'${path}' cannot be read: ${error.code}`);
  }
  try {
    questions = JSON.parse(text)?.rows;
  } catch {}
  if (!Array.isArray(questions)) {
    throw new Refused(1, `'${path}' is no list of rows; \`wgemm bench ... --list --json FILE\` writes one`);
  }
  const rows = new Map();
  for (const question of questions) {
    if (!isQuestion(question)) {
      throw new Refused(1, `'${path}' has a row without sizes, types or layout: ${JSON.stringify(question).slice(0, 80)}`);
    }
    const {m, n, k, batch, types, layout} = question;
    rows.set([batch, m, n, k, types, layout].join(' '), {...question, wanted_kernel: '', wanted_split: 0, prepared: false});
  }
  return [...rows.values()];
}

function refuseUnwritten(path, write) {
  try {
    write();
  } catch (error) {
    throw new Refused(1, `'${path}' cannot be written: ${error.code}`);
  }
}

// Better known before the rows are measured than after.
function checkWritable(path) {
  refuseUnwritten(path, () => {
    const existed = existsSync(path);
    closeSync(openSync(path, 'a'));
    if (!existed) unlinkSync(path);
  });
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
  try {
    return await run(peer, parseArguments(process.argv.slice(2)));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(`${peer.name}: ${error.message}`);
    return error.exitCode;
  }
}

async function run(peer, options) {
  const rows = readRows(options.rows).filter(row => !options.types || options.types.includes(row.types));
  checkWritable(options.output);
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
  const report = {version: 1, peer: peer.name, command: process.argv.join(' '), conditions, rows: results};
  refuseUnwritten(options.output, () => writeFileSync(options.output, JSON.stringify(report, null, 1)));
  return results.some(row => ['wrong', 'failed'].includes(row.status)) ? 1 : 0;
}
