// Work that is called off, and a device that goes away.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createGemm } from '../dist/index.js';
import { openDevice } from './support/device.mjs';

const buffersOf = (device, { m, n, k }) =>
  Object.fromEntries(
    [
      ['a', m * k],
      ['b', k * n],
      ['c', m * n],
    ].map(([role, elements]) => [
      role,
      device.createBuffer({
        size: 4 * elements,
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC,
      }),
    ]),
  );
const lost = { name: 'GemmError', code: 'device_lost', argument: 'device' };
const cancelled = { name: 'GemmError', code: 'cancelled', argument: 'signal' };
const size = { m: 64, n: 64, k: 64 };

test('signals that were aborted before', async () => {
  const { device } = await openDevice();
  const gemm = await createGemm(device);
  const signal = AbortSignal.abort('no need');
  const product = await gemm.prepare(size);
  const buffers = buffersOf(device, size);
  await assert.rejects(gemm.prepare(size, { signal }), cancelled);
  await assert.rejects(gemm.prepareAll([size], { signal }), cancelled);
  await assert.rejects(
    product.run(buffers, { signal }),
    (error) => error.code === 'cancelled' && error.cause === 'no need',
  );
  await assert.rejects(product.time(buffers, { signal }), cancelled);
  await assert.rejects(gemm.prepareOperand('b', buffers.b, size, { signal, kernel: 'vec4' }), cancelled);
  await assert.rejects(gemm.matmul(new Float32Array(4096), new Float32Array(4096), { ...size, signal }), cancelled);
  await product.run(buffers, { signal: new AbortController().signal });
});

test('a signal between the submissions of a run', async () => {
  const { device } = await openDevice();
  const gemm = await createGemm(device);
  const large = { m: 256, n: 256, k: 256 };
  const product = await gemm.prepare(large, { kernel: 'naive', max_dispatch_flops: 200000 });
  assert.ok(product.plan.steps[0].dispatches.length > 100);
  const buffers = buffersOf(device, large);
  const controller = new AbortController();
  let submissions = 0;
  const { queue } = device;
  const submit = queue.submit.bind(queue);
  queue.submit = (commands) => {
    submit(commands);
    if (++submissions === 3) controller.abort();
  };
  await assert.rejects(product.run(buffers, { signal: controller.signal }), cancelled);
  assert.equal(submissions, 3);
  delete queue.submit;
  await product.run(buffers);
});

test('a lost device rejects what waits, and all that comes', async () => {
  const { device } = await openDevice();
  const gemm = await createGemm(device);
  const product = await gemm.prepare(size);
  const buffers = buffersOf(device, size);
  const pending = [
    product.run(buffers),
    product.time(buffers, { repeats: 1000 }),
    gemm.matmul(new Float32Array(4096), new Float32Array(4096), size),
    gemm.prepareAll([
      { ...size, m: 1 },
      { ...size, a: { type: 'f16' }, b: { type: 'f16' } },
    ]),
  ];
  const outcomes = Promise.all(pending.map((promise) => assert.rejects(promise, lost)));
  device.destroy();
  await outcomes;
  await assert.rejects(product.run(buffers), lost);
  await assert.rejects(gemm.prepare(size), lost);
  assert.throws(() => product.record(device.createCommandEncoder(), buffers), lost);
  assert.ok(gemm.plan(size)); // plans need no device
});

test('a device that was lost before', async () => {
  const { device } = await openDevice();
  device.destroy();
  await device.lost;
  await assert.rejects(createGemm(device), lost);
});
