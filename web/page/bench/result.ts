// What a run of the ladder gives: plain data, the same in the table, in a link and in a file.
import type { ElementType } from './inputs.ts';

/** gpu: timestamp queries. page: on the GPU many products handed over at once, the time divided by their number. */
export type Clock = 'gpu' | 'page';

export interface Row {
  id: string;               // "cpu-js", the name of a rung, or "choice": the kernel that wgemm chooses
  kernel: string;           // full name; empty on the CPU
  operands: ElementType;
  n: number;                // size that was multiplied: n x n x n
  gflops: number;
  kernelMs: number | null;  // median time of a product, without the way to the GPU and back
  clock: Clock;             // whose time that is
  wallMs: number | null;    // median from submit to mapAsync
  compileMs: number | null;
  intensity: number | null; // operations a byte that the kernel asks for
  error: number | null;     // largest error over its bound
  verified: boolean;
  reason: string;           // why there is no measurement; empty where there is one
}

export interface DeviceSummary {
  name: string;
  vendor: string;
  architecture: string;
  software: boolean;
  timestamps: boolean;
}

export interface Run {
  format: 'wgemm page run';
  version: 1;
  date: string;                  // ISO 8601
  browser: string;
  device: DeviceSummary | null;  // null without WebGPU
  n: number;
  repeats: number;
  bandwidth: number | null;      // bytes a second, read and written
  rows: Row[];
}

export function measured(row: Row): boolean {
  return row.reason === '';
}

export function onCpu(row: Row): boolean {
  return row.id.startsWith('cpu-');
}

/** The fastest verified row on the GPU. */
export function best(run: Run): Row | undefined {
  return run.rows.filter((row) => measured(row) && row.verified && !onCpu(row))
    .reduce<Row | undefined>((top, row) => (top === undefined || row.gflops > top.gflops ? row : top), undefined);
}

export function emptyRow(id: string, n: number): Row {
  return {
    id, n, kernel: '', operands: 'f32', gflops: 0, kernelMs: null, clock: 'page', wallMs: null, compileMs: null, intensity: null,
    error: null, verified: false, reason: '',
  };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((x, y) => x - y);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
