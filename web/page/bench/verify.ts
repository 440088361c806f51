// The verdict on a product on the GPU: sampled rows against float64, and all rows of a product of whole numbers.
import type { Verdict } from './worker.ts';
import type { WorkerClient } from './worker_client.ts';
import type { OperandStore } from './operands.ts';
import type { ElementType } from './inputs.ts';
import type { Operands } from './operands.ts';

const PIECE = 8 << 20;  // bytes read back at once

export interface Target {
  device: GPUDevice;
  worker: WorkerClient;
  store: OperandStore;
  n: number;
  type: ElementType;
  multiply(operands: Operands): Promise<unknown>;
}

export async function verify(target: Target): Promise<Verdict> {
  const { device, worker, store, n, type } = target;
  const run = async (kind: 'random' | 'whole'): Promise<GPUBuffer> => {
    const operands = await store.operands(n, type, kind);
    const encoder = device.createCommandEncoder();
    encoder.clearBuffer(operands.c);
    device.queue.submit([encoder.finish()]);
    await target.multiply(operands);
    return operands.c;
  };
  const sampled = await worker.call('rows', { n });
  const c = await run('random');
  const rows = await read(device, c, sampled.map((row) => ({ offset: row * n * 4, size: n * 4 })));
  const error = await worker.call('error', { n, rows }, [rows.buffer]);

  await run('whole');
  const step = Math.max(1, Math.floor(PIECE / (n * 4)));
  let wrongRows = 0;
  for (let first = 0; first < n; first += step) {
    const size = Math.min(step, n - first) * n * 4;
    const part = await read(device, c, [{ offset: first * n * 4, size }]);
    wrongRows += await worker.call('wrongRows', { n, first, rows: part }, [part.buffer]);
  }
  return { error, wrongRows };
}

async function read(device: GPUDevice, source: GPUBuffer, ranges: { offset: number; size: number }[]):
    Promise<Float32Array<ArrayBuffer>> {
  const size = ranges.reduce((sum, range) => sum + range.size, 0);
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  let at = 0;
  for (const range of ranges) {
    encoder.copyBufferToBuffer(source, range.offset, staging, at, range.size);
    at += range.size;
  }
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const values = new Float32Array(staging.getMappedRange().slice(0));
  staging.destroy();
  return values;
}
