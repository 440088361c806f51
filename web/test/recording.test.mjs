// Products in the caller's own commands.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createGemm } from '../dist/index.js';
import { openDevice } from './support/device.mjs';
import { download, judged, upload } from './support/judged.mjs';

const { device } = await openDevice();
const gemm = await createGemm(device);
const size = { m: 19, n: 21, k: 37 };

function submitted(write) {
  const encoder = device.createCommandEncoder();
  write(encoder);
  device.queue.submit([encoder.finish()]);
}

test('into an encoder', () =>
  judged(gemm, device, size, {
    execute: (product, buffers) => submitted((encoder) => product.record(encoder, buffers)),
  }));

test('into a pass, with scratch memory', () =>
  judged(
    gemm,
    device,
    { m: 9, n: 8, k: 200 },
    {
      options: { split_k: 4 },
      execute: (product, buffers) =>
        submitted((encoder) => {
          const pass = encoder.beginComputePass();
          product.record(pass, buffers);
          pass.end();
        }),
    },
  ));

test('one behind the other, in parts of one buffer, without waiting', async () => {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const eye = upload(device, new DataView(Float32Array.of(0, 1, 1, 0).buffer));
  const all = device.createBuffer({ size: 1024, usage });
  const out = device.createBuffer({ size: 16, usage });
  device.queue.writeBuffer(all, 256, Float32Array.of(1, 2, 3, 4));
  const swap = await gemm.prepare({ m: 2, n: 2, k: 2 });
  device.pushErrorScope('validation');
  submitted((encoder) => {
    swap.record(encoder, { a: eye, b: { buffer: all, offset: 256, size: 16 }, c: out });
    encoder.copyBufferToBuffer(out, 0, all, 512, 16);
    swap.record(encoder, { a: { buffer: all, offset: 512 }, b: eye, c: out });
  });
  assert.equal(await device.popErrorScope(), null);
  assert.deepEqual([...new Float32Array((await download(device, out)).buffer)], [4, 3, 2, 1]);
});

test('an empty product records nothing', async () => {
  const product = await gemm.prepare({ m: 0, n: 5, k: 7 });
  submitted((encoder) => product.record(encoder, {}));
});
