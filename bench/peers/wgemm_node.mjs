#!/usr/bin/env node
// wgemm's own npm package in Node, beside the native program: node wgemm_node.mjs ROWS.json -o PEER.json
// [--row-seconds S] [--budget S] [--types T,…]
//
// Needs what `make web-build` makes, web/dist and the npm package webgpu, or the folder that WGEMM_WEB names with dist and
// node_modules in it. Shaders run without Dawn's bounds checks where WGEMM_SHADERS is "unchecked". Times are the device's
// own: a compute pass between two timestamps, with as many products of rotated operands as fill a sample.
import {createRequire} from 'node:module';
import {dirname, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {errorOf, isTransposed, main, sample, setsOf, uniform, Unsupported} from './rows.mjs';

const web = resolve(process.env.WGEMM_WEB ?? `${dirname(fileURLToPath(import.meta.url))}/../../web`);
const unchecked = process.env.WGEMM_SHADERS === 'unchecked';
const STAMP_BYTES = 8;

let gemm, device, usage, mapRead;
const kept = [];  // Dawn's objects die with the GPU object, if the garbage collector takes that first

async function open() {
  const {create, globals} = await import(pathToFileURL(createRequire(`${web}/package.json`).resolve('webgpu')));
  Object.assign(globalThis, globals);
  [usage, mapRead] = [GPUBufferUsage, GPUMapMode.READ];
  const enabled = ['allow_unsafe_apis', 'vulkan_enable_f16_on_nvidia', ...(unchecked ? ['disable_robustness'] : [])];
  const gpu = create([`enable-dawn-features=${enabled}`, 'disable-dawn-features=timestamp_quantization']);
  const {createGemm, requestGemmDevice} = await import(pathToFileURL(`${web}/dist/index.js`));
  const made = await requestGemmDevice({gpu});
  kept.push(gpu, made);
  device = made.device;
  gemm = await createGemm(device, {profile: {unchecked_shaders: unchecked}});
  if (!gemm.profile.timestamps) throw new Error('its device tells no times');
  const {name, driver, shader_f16, matrix_dialect, matrix_configs, denied_matrix_configs} = gemm.profile;
  return {adapter: name, driver, unchecked_shaders: unchecked, shader_f16, matrix_dialect, matrix_configs,
    denied_matrix_configs};
}

const BYTES = {f32: 4, f16: 2};

/** Odd multiples of 2^-11 in (-1, 1), as the package takes them: halfs as their bits. */
function halfs(count) {
  const bits = new Uint16Array(count);
  const values = uniform(count).map((value, i) => {
    const units = 2 * Math.floor(1024 * Math.abs(value)) + 1;
    const exponent = 31 - Math.clz32(units);
    bits[i] = (value < 0 ? 0x8000 : 0) | ((exponent + 4) << 10) | ((units << (10 - exponent)) & 0x3ff);
    return Math.sign(value || 1) * units / 2048;
  });
  return {bits, values};
}

function inputs(type, count) {
  if (type === 'f16') return halfs(count);
  const values = uniform(count);
  return {bits: values, values};
}

function problemOf(row) {
  const {m, n, k, batch} = row;
  const [trans_a, trans_b] = isTransposed(row);
  const problem = {m, n, k, trans_a, trans_b, a: {type: row.type_a}, b: {type: row.type_b}, c: {type: row.type_c}};
  if (batch > 1) problem.batch = {rank: 1, extents: [batch, 0, 0, 0], a: [m * k, 0, 0, 0], b: [k * n, 0, 0, 0], c: [m * n, 0, 0, 0]};
  return problem;
}

function bufferOf(bits, size = bits.byteLength) {
  const whole = Math.ceil(size / 4) * 4;
  const buffer = device.createBuffer({size: whole, usage: usage.STORAGE | usage.COPY_SRC | usage.COPY_DST});
  if (bits !== null) {
    const bytes = new Uint8Array(whole);
    bytes.set(new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength));
    device.queue.writeBuffer(buffer, 0, bytes);
  }
  return buffer;
}

/** Milliseconds between two timestamps, for passes that are recorded. Two may be under way: while the device is busy with
 * one the next is encoded, which takes JavaScript as long as small products take the device. */
class Clock {
  static AHEAD = 2;
  #slots = Array.from({length: Clock.AHEAD}, () => ({
    queries: device.createQuerySet({type: 'timestamp', count: 2}),
    resolved: device.createBuffer({size: 2 * STAMP_BYTES, usage: usage.QUERY_RESOLVE | usage.COPY_SRC}),
    readable: device.createBuffer({size: 2 * STAMP_BYTES, usage: usage.MAP_READ | usage.COPY_DST}),
  }));
  #next = 0;
  #end = 0n;

  async time(record) {
    const {queries, resolved, readable} = this.#slots[this.#next++ % Clock.AHEAD];
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass(
      {timestampWrites: {querySet: queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1}});
    record(pass);
    pass.end();
    encoder.resolveQuerySet(queries, 0, 2, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, readable, 0, 2 * STAMP_BYTES);
    device.queue.submit([encoder.finish()]);
    await readable.mapAsync(mapRead);
    const [begin, end] = new BigUint64Array(readable.getMappedRange());
    readable.unmap();
    // A device may write the first timestamp while the pass before still runs.
    const ms = Number(end - (begin > this.#end ? begin : this.#end)) / 1e6;
    this.#end = end;
    return ms;
  }

  destroy() {
    for (const slot of this.#slots) for (const each of Object.values(slot)) each.destroy();
  }
}

async function read(buffer) {
  const readable = device.createBuffer({size: buffer.size, usage: usage.MAP_READ | usage.COPY_DST});
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, readable, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await readable.mapAsync(mapRead);
  const values = new Float32Array(readable.getMappedRange().slice(0));
  readable.destroy();
  return values;
}

async function measure(row, options) {
  if (!(row.type_a in BYTES) || row.type_b !== row.type_a || row.type_c !== 'f32' || row.sums_in_f16) {
    throw new Unsupported('this script has f32 and f16, with C in f32');
  }
  const {m, n, k, batch} = row;
  const product = await gemm.prepare(problemOf(row));
  const [a, b] = [inputs(row.type_a, batch * m * k), inputs(row.type_b, batch * k * n)];
  const bytesC = 4 * batch * m * n;
  const count = setsOf(a.bits.byteLength + b.bits.byteLength + bytesC);
  const sets = Array.from({length: count}, () => ({a: bufferOf(a.bits), b: bufferOf(b.bits), c: bufferOf(null, bytesC)}));
  const clock = new Clock();
  try {
    await product.run(sets[0]);
    const relative_error = errorOf(row, a.values, b.values, await read(sets[0].c));
    const run = repeats => clock.time(pass => {
      for (let index = 0; index < repeats; index++) product.record(pass, sets[index % count]);
    });
    const {kernel, split_k} = product.plan;
    return {relative_error, kernel, split_k, timing: 'timestamps', ...await sample(run, options.rowSeconds, Clock.AHEAD)};
  } finally {
    clock.destroy();
    product.destroy();
    for (const set of sets) for (const buffer of Object.values(set)) buffer.destroy();
  }
}

// Dawn keeps the process alive.
process.exit(await main({name: 'wgemm in Node', needs: 'make web-build', open, measure}));
