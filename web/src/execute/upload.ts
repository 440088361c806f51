// From host memory to a buffer of the device.
import type { Home } from './prepared.ts';

/** The first `bytes` of the array to the start of the buffer, which has whole words. */
export function upload(home: Pick<Home, 'device'>, buffer: GPUBuffer, array: ArrayBufferView, bytes: number): void {
  const { queue } = home.device.gpu;
  const whole = Math.floor(bytes / 4) * 4;
  let elements = new Uint8Array(array.buffer as ArrayBuffer, array.byteOffset, bytes);
  // Queues take no resizable memory, and not every one takes shared memory.
  const { buffer: memory } = array;
  if (!(memory instanceof ArrayBuffer) || (memory as { resizable?: boolean }).resizable) elements = elements.slice();
  queue.writeBuffer(buffer, 0, elements, 0, whole);
  if (whole === bytes) return;
  // A queue writes whole words.
  const last = new Uint8Array(4);
  last.set(elements.subarray(whole));
  queue.writeBuffer(buffer, whole, last);
}
