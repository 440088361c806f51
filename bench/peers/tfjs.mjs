#!/usr/bin/env node
// TensorFlow.js on WebGPU: node tfjs.mjs ROWS.json -o PEER.json [--row-seconds S] [--budget S] [--types T,…]
//
// Needs the npm packages @tensorflow/tfjs-core, @tensorflow/tfjs-backend-webgpu and webgpu, in node_modules of this
// folder, of one above it, or of TFJS_MODULES. A sample is as many products of rotated operands as fill it, and ends
// when an element of the last one is there.
import {createRequire} from 'node:module';
import {performance} from 'node:perf_hooks';
import {errorOf, isTransposed, main, sample, setsOf, uniform, Unsupported} from './rows.mjs';

let tf;

async function open() {
  const require = createRequire(process.env.TFJS_MODULES ? `${process.env.TFJS_MODULES}/` : import.meta.url);
  const {create, globals} = require('webgpu');
  Object.assign(globalThis, globals);
  const flags = ['enable-dawn-features=allow_unsafe_apis,vulkan_enable_f16_on_nvidia'];
  Object.defineProperty(globalThis, 'navigator', {value: {gpu: create(flags), userAgent: 'node'}, configurable: true});
  const adapter = await navigator.gpu.requestAdapter({powerPreference: 'high-performance'});
  if (!adapter) throw new Error('there is no WebGPU adapter');
  tf = require('@tensorflow/tfjs-core');
  require('@tensorflow/tfjs-backend-webgpu');
  if (!await tf.setBackend('webgpu')) throw new Error('TensorFlow.js finds no WebGPU device');
  await tf.ready();
  return {tfjs: tf.version_core, adapter: adapter.info?.description || adapter.info?.device || 'unknown'};
}

const shape = (row, rows, cols) => row.batch === 1 ? [rows, cols] : [row.batch, rows, cols];

async function measure(row, options) {
  if (row.types !== 'f32') throw new Unsupported('TensorFlow.js multiplies f32 only');
  const {m, n, k, batch} = row;
  const [transA, transB] = isTransposed(row);
  const [a, b] = [uniform(batch * m * k), uniform(batch * k * n)];
  const count = setsOf(4 * (a.length + b.length + batch * m * n));
  const sets = Array.from({length: count}, () => [
    tf.tensor(a, transA ? shape(row, k, m) : shape(row, m, k)), tf.tensor(b, transB ? shape(row, n, k) : shape(row, k, n))]);
  try {
    const multiply = index => tf.matMul(...sets[index % count], transA, transB);
    const first = multiply(0);
    const relative_error = errorOf(row, a, b, await first.data());
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
    return {relative_error, timing: 'host_clock', ...await sample(run, options.rowSeconds)};
  } finally {
    for (const set of sets) for (const tensor of set) tensor.dispose();
  }
}

const needs = 'npm install @tensorflow/tfjs-core @tensorflow/tfjs-backend-webgpu webgpu';
// The library keeps the process alive.
process.exit(await main({name: 'TensorFlow.js WebGPU', needs, open, measure}));
