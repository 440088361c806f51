// Runs a problem with poison around and in C, and compares every byte that comes back.
import assert from 'node:assert/strict';
import { ROLES, typesOf } from './arrays.mjs';
import { BITS, readElement, writeElement } from './elements.mjs';
import { reference } from './reference.mjs';

const GUARD_BYTES = 64;
const POISON = 0x6b;

/** A generator of numbers from a seed (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Numbers of a kind: small integers, whose product is exact, or any. */
function draw(type, exact, next, role) {
  const range = { i8: [-128, 127], u8: [0, 255], i4: [-8, 7], u4: [0, 15], i32: [-1000, 1000] }[type];
  if (role === 'scales') return exact ? (next() < 0.5 ? -1 : 2) : 0.01 + next() / 8;
  if (exact) return range && range[0] === 0 ? Math.floor(next() * 4) : Math.floor(next() * 7) - 3;
  return range ? range[0] + Math.floor(next() * (range[1] - range[0] + 1)) : 2 * next() - 1;
}

/** A complete problem, and its operands in memory: by role a DataView over bytes with a guard behind them. */
export function operandsOf(gemm, input, exact, seed) {
  const { problem } = gemm.plan(input);
  const { bytes } = gemm.describe(input);
  const types = typesOf(problem);
  const next = random(seed);
  const memory = {};
  for (const role of ROLES) {
    if (bytes[role] === 0) continue;
    const view = new DataView(new ArrayBuffer(Math.ceil(bytes[role] / 4) * 4 + GUARD_BYTES));
    new Uint8Array(view.buffer).fill(POISON);
    const elements = (bytes[role] * 8) / BITS[types[role]];
    const fill = role !== 'c' || problem.beta !== 0;
    for (let i = 0; fill && i < elements; i++) writeElement(types[role], view, i, draw(types[role], exact, next, role));
    memory[role] = view;
  }
  return { problem, memory };
}

export function upload(device, view) {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ size: view.byteLength, usage });
  device.queue.writeBuffer(buffer, 0, view.buffer, view.byteOffset, view.byteLength);
  return buffer;
}

export async function download(device, buffer) {
  const staging = device.createBuffer({ size: buffer.size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const bytes = staging.getMappedRange().slice(0);
  staging.destroy();
  return new DataView(bytes);
}

/** Compares C as it came back: its elements with the reference, and every other byte with what stood there. */
export function compare(problem, memory, found, exact) {
  const { type } = problem.c;
  const size = BITS[type] / 8;
  const expected = new Uint8Array(memory.c.buffer.slice(0));
  const bytes = new Uint8Array(found.buffer, found.byteOffset, found.byteLength);
  assert.equal(bytes.length, expected.length);
  reference(problem, memory, (index, value, bound) => {
    const got = readElement(type, found, index);
    const right =
      exact || type === 'i32' ? got === (type === 'i32' ? value | 0 : value) : Math.abs(got - value) <= bound;
    assert.ok(right, `element ${index} of C is ${got}; the reference is ${value}, the bound ${bound}`);
    expected.set(bytes.subarray(index * size, (index + 1) * size), index * size);
  });
  assert.deepEqual(bytes, expected, 'bytes between or behind the elements of C changed');
}

/** Runs the problem on numbers (false) and on small integers (true), by `execute(product, buffers)` where given. */
export async function judged(gemm, device, input, { options = {}, execute, runs = [false, true] } = {}) {
  const product = await gemm.prepare(input, options);
  for (const exact of runs) {
    const { problem, memory } = operandsOf(gemm, input, exact, exact ? 11 : 7);
    const buffers = Object.fromEntries(Object.entries(memory).map(([role, view]) => [role, upload(device, view)]));
    await (execute ? execute(product, buffers) : product.run(buffers));
    compare(problem, memory, await download(device, buffers.c), exact);
    for (const buffer of Object.values(buffers)) buffer.destroy();
  }
  return product;
}
