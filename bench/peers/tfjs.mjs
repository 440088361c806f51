#!/usr/bin/env node
// TensorFlow.js on WebGPU: node tfjs.mjs ROWS.json -o PEER.json [--row-seconds S] [--budget S] [--types T,…]
//
// Needs the npm packages @tensorflow/tfjs-core, @tensorflow/tfjs-backend-webgpu and webgpu, in node_modules of this
// folder, of one above it, or of TFJS_MODULES. A sample is as many products of rotated operands as fill it, and ends
// when an element of the last one is there. The report has the shape of rows.py's.
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {performance} from 'node:perf_hooks';

const NAME = 'TensorFlow.js WebGPU';
const BEYOND_CACHES = 256 * 2 ** 20;
const MOST_SETS = 512;
const TARGET_SPREAD = 0.03;
const [FEWEST_SAMPLES, MOST_SAMPLES] = [5, 25];
const SAMPLE_MS = 50;  // reading an element back costs some tenths of a millisecond
const MOST_REPEATS = 4096;
const WRONG = 0.1;

class Unsupported extends Error {}

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
  if (!options.rows || !options.output) throw new Error('usage: node tfjs.mjs ROWS.json -o PEER.json');
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

// Throws where a package or an adapter is missing.
async function open() {
  const require = createRequire(process.env.TFJS_MODULES ? `${process.env.TFJS_MODULES}/` : import.meta.url);
  const {create, globals} = require('webgpu');
  Object.assign(globalThis, globals);
  const flags = ['enable-dawn-features=allow_unsafe_apis,vulkan_enable_f16_on_nvidia'];
  Object.defineProperty(globalThis, 'navigator', {value: {gpu: create(flags), userAgent: 'node'}, configurable: true});
  const adapter = await navigator.gpu.requestAdapter({powerPreference: 'high-performance'});
  if (!adapter) throw new Error('there is no WebGPU adapter');
  const tf = require('@tensorflow/tfjs-core');
  require('@tensorflow/tfjs-backend-webgpu');
  if (!await tf.setBackend('webgpu')) throw new Error('TensorFlow.js finds no WebGPU device');
  await tf.ready();
  return {tf, adapter: adapter.info?.description || adapter.info?.device || 'unknown'};
}

const shape = (row, rows, cols) => row.batch === 1 ? [rows, cols] : [row.batch, rows, cols];

function uniform(count) {
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) values[i] = Math.random() * 2 - 1;
  return values;
}

// The largest error of some rows of the first product over the largest element, against float64.
function errorOf({m, n, k}, transA, transB, a, b, c) {
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

// `run(repeats)` gives milliseconds for that many products.
async function sample(run, seconds) {
  await run(1);
  let repeats = 1;
  let ms = await run(1);
  while (ms < SAMPLE_MS && repeats < MOST_REPEATS) {
    repeats = Math.min(MOST_REPEATS, Math.max(repeats + 1, Math.floor(repeats * Math.min(1.1 * SAMPLE_MS / ms, 16))));
    ms = await run(repeats);
  }
  const samples = [];
  const start = performance.now();
  while (samples.length < MOST_SAMPLES && (samples.length === 0 || performance.now() - start < seconds * 1e3)) {
    samples.push(await run(repeats) / repeats);
    if (samples.length >= FEWEST_SAMPLES && summary(samples, repeats).spread_reached) break;
  }
  return summary(samples, repeats);
}

async function measure(tf, row, options) {
  if (row.types !== 'f32') throw new Unsupported('TensorFlow.js multiplies f32 only');
  const {m, n, k, batch, layout} = row;
  const [transA, transB] = [layout[0] === 't', layout[1] === 't'];
  const [a, b] = [uniform(batch * m * k), uniform(batch * k * n)];
  const count = Math.max(1, Math.min(MOST_SETS, Math.ceil(BEYOND_CACHES / (4 * (a.length + b.length + batch * m * n)))));
  const sets = Array.from({length: count}, () => [
    tf.tensor(a, transA ? shape(row, k, m) : shape(row, m, k)), tf.tensor(b, transB ? shape(row, n, k) : shape(row, k, n))]);
  try {
    const multiply = index => tf.matMul(...sets[index % count], transA, transB);
    const first = multiply(0);
    const relative_error = errorOf(row, transA, transB, a, b, await first.data());
    first.dispose();
    for (let index = 1; index < count; index++) multiply(index).dispose();  // brings all operands to the GPU
    const run = async repeats => {
      const start = performance.now();
      for (let index = 0; index + 1 < repeats; index++) multiply(index).dispose();
      const last = multiply(repeats - 1);
      const element = tf.slice(last, last.shape.map(() => 0), last.shape.map(() => 1));
      await element.data();
      const ms = performance.now() - start;
      element.dispose();
      last.dispose();
      return ms;
    };
    return {relative_error, note: '', timing: 'host_clock', ...await sample(run, options.rowSeconds)};
  } finally {
    for (const set of sets) for (const tensor of set) tensor.dispose();
  }
}

// What a row asks, of a report that also answers.
const QUESTION = ['suite', 'label', 'm', 'n', 'k', 'batch', 'types', 'layout', 'type_a', 'type_b', 'type_c', 'sums_in_f16',
                  'block', 'flops', 'wanted_kernel', 'wanted_split', 'prepared'];

async function measured(tf, row, options) {
  const question = Object.fromEntries(QUESTION.filter((key) => key in row).map((key) => [key, row[key]]));
  const fields = {...question, kernel: NAME, status: 'ok', reason: '', note: '', ms: null};
  try {
    Object.assign(fields, await measure(tf, row, options));
  } catch (error) {
    const status = error instanceof Unsupported ? 'unsupported' : 'failed';
    return Object.assign(fields, {status, reason: String(error.message ?? error).split('\n')[0]});
  }
  if (!(fields.relative_error <= WRONG)) {
    return Object.assign(fields, {status: 'wrong', reason: `an error of ${fields.relative_error.toPrecision(3)}`, ms: null});
  }
  return Object.assign(fields, {gflops: 2 * row.batch * row.m * row.n * row.k / fields.ms * 1e-6});
}

async function main() {
  const options = parseArguments(process.argv.slice(2));
  const rows = readRows(options.rows).filter(row => !options.types || options.types.includes(row.types));
  let peer;
  try {
    peer = await open();
  } catch (error) {
    const why = String(error.message ?? error).split('\n')[0];
    console.error(`${NAME}: ${why} (npm install @tensorflow/tfjs-core @tensorflow/tfjs-backend-webgpu webgpu); nothing was measured`);
    return 3;
  }
  const results = [];
  const start = performance.now();
  for (const [index, row] of rows.entries()) {
    if (options.budget && performance.now() - start >= options.budget * 1e3) {
      console.error(`${NAME}: the budget was spent after ${index} of ${rows.length} rows`);
      break;
    }
    const fields = await measured(peer.tf, row, options);
    results.push(fields);
    const figure = fields.ms ? `${fields.ms.toFixed(4)} ms, ${fields.gflops.toFixed(1)} GFLOP/s` : fields.reason;
    console.error(`${NAME} ${index + 1}/${rows.length} ${row.batch > 1 ? `${row.batch} x ` : ''}${row.m}x${row.n}x${row.k} ${row.types} ${row.layout}: ${fields.status} ${figure}`);
  }
  const conditions = {host: `${process.platform} ${process.arch}`, date: new Date().toISOString(), node: process.version,
    tfjs: peer.tf.version_core, adapter: peer.adapter};
  writeFileSync(options.output, JSON.stringify({version: 1, peer: NAME, command: process.argv.join(' '), conditions, rows: results}, null, 1));
  return results.some(row => ['wrong', 'failed'].includes(row.status)) ? 1 : 0;
}

// The library keeps the process alive.
process.exit(await main());
