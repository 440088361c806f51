// The CPU's rows: at the largest size that their budget allows.
import type { CpuKind } from './cpu.ts';
import { emptyRow, median, type Row } from './result.ts';
import { affordable, CPU_BUDGET_MS, repeatsWithin, SAMPLE_MS, type Settings, SIZES } from './settings.ts';
import type { Report } from './ladder.ts';
import type { WorkerClient } from './worker_client.ts';

export async function cpuRow(kind: CpuKind, settings: Settings, worker: WorkerClient, report: Report): Promise<Row> {
  let n: number = SIZES[0];
  report.stage(kind, 'compile', n);
  let one = await worker.call('cpuTrial', { kind, n });
  for (let next; (next = affordable(settings.n, n, one, CPU_BUDGET_MS)) !== n;) {
    n = next;
    one = await worker.call('cpuTrial', { kind, n });
  }
  report.stage(kind, 'time', n);
  const products = Math.ceil(SAMPLE_MS / Math.max(one, 0.001));
  const repeats = repeatsWithin(settings.repeats, one * products, CPU_BUDGET_MS);
  const times = await worker.call('cpuTime', { kind, n, repeats, products });
  report.stage(kind, 'verify', n);
  const verdict = await worker.call('cpuVerify', { kind, n });
  const kernelMs = median(times);
  return {
    ...emptyRow(kind, n),
    kernelMs,
    gflops: (2 * n ** 3) / kernelMs / 1e6,
    error: verdict.error,
    verified: verdict.error <= 1 && verdict.wrongRows === 0,
  };
}
