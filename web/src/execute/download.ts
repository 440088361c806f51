// From a buffer of the device to host memory.
import { READ, STAGING } from '../device/usage.ts';
import type { Home } from './prepared.ts';

/**
 * `bytes` of the buffer from `offset` on, both multiples of 4.
 * Errors: out_of_memory, validation, device_lost, cancelled.
 */
export async function download(
  home: Pick<Home, 'device' | 'pool'>,
  from: GPUBuffer,
  offset: number,
  bytes: number,
  signal?: AbortSignal,
): Promise<ArrayBuffer> {
  const { device, pool } = home;
  if (bytes === 0) return new ArrayBuffer(0);
  const staging = await pool.take(bytes, STAGING, 'a download', signal);
  try {
    await device.scoped(
      'validation',
      'a download',
      () => {
        const encoder = device.gpu.createCommandEncoder();
        encoder.copyBufferToBuffer(from, offset, staging, 0, bytes);
        device.gpu.queue.submit([encoder.finish()]);
      },
      signal,
    );
    await device.wait(staging.mapAsync(READ, 0, bytes), signal);
    const copy = staging.getMappedRange(0, bytes).slice(0);
    staging.unmap();
    pool.give(staging);
    return copy;
  } catch (error) {
    staging.destroy(); // it may still be being mapped
    throw error;
  }
}
