// How many bytes a second the device copies within its memory, read and written: the slope of the roofline.
import { median } from './result.ts';

export async function copyBandwidth(device: GPUDevice, software: boolean, signal: AbortSignal): Promise<number> {
  const size = Math.min(device.limits.maxBufferSize, software ? 16 << 20 : 128 << 20);
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const [source, target] = [device.createBuffer({ size, usage }), device.createBuffer({ size, usage })];
  const time = async (copies: number): Promise<number> => {
    const encoder = device.createCommandEncoder();
    for (let i = 0; i < copies; i++) encoder.copyBufferToBuffer(source, 0, target, 0, size);
    const start = performance.now();
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
    signal.throwIfAborted();
    return performance.now() - start;
  };
  try {
    await time(2);  // memory is there, clocks are up
    // Submitting and hearing back takes its own time: it is the same for few copies and for many, and cancels out.
    const few = 2;
    const many = Math.min(66, few + Math.max(4, Math.ceil(100 / Math.max(await time(1), 0.5))));
    const differences = [];
    for (let i = 0; i < 5; i++) differences.push((await time(many)) - (await time(few)));
    const milliseconds = Math.max(median(differences), 0.001);
    return (2 * size * (many - few)) / (milliseconds / 1000);
  } finally {
    source.destroy();
    target.destroy();
  }
}
