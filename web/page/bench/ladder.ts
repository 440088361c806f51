// A run of the whole ladder: the CPU's rows, every rung of the device, and the kernel that wgemm chooses.
import { GemmError } from '../../src/index.ts';
import { copyBandwidth } from './bandwidth.ts';
import { cpuRow } from './cpu_row.ts';
import { browserName, type Session } from './device.ts';
import { type Candidate, gpuRow } from './gpu_row.ts';
import type { ElementType } from './inputs.ts';
import { OperandStore } from './operands.ts';
import { emptyRow, type Row, type Run } from './result.ts';
import type { Settings } from './settings.ts';
import { WorkerClient } from './worker_client.ts';

export type Stage = 'bandwidth' | 'compile' | 'time' | 'verify';

export interface Report {
  stage(id: string, stage: Stage, n: number): void;
  row(row: Row, done: number, total: number): void;
}

/** How it ended. lost: the device went away under way; what was measured before remains. */
export type Ending = { kind: 'done' } | { kind: 'stopped' } | { kind: 'lost' | 'failed'; message: string };

const cpuKinds = ['cpu-js', 'cpu-wasm'] as const;

/** Names of all rows, in order. */
export function rowIds(session: Session | undefined): string[] {
  return [...cpuKinds, ...(session ? [...session.gemm.ladder().map((rung) => rung.name), 'choice'] : [])];
}

export function newRun(session: Session | undefined, settings: Settings): Run {
  return {
    format: 'wgemm page run', version: 1, date: new Date().toISOString(), browser: browserName(),
    device: session?.summary ?? null, n: settings.n, repeats: settings.repeats, bandwidth: null, rows: [],
  };
}

/** Fills `run`, row by row. */
export async function climb(run: Run, session: Session | undefined, report: Report, signal: AbortSignal):
    Promise<Ending> {
  const settings = { n: run.n, repeats: run.repeats };
  const worker = new WorkerClient(signal);
  const total = rowIds(session).length;
  const store = session && new OperandStore(session.device, worker);
  const add = (row: Row): void => {
    run.rows.push(row);
    report.row(row, run.rows.length, total);
  };
  try {
    for (const kind of cpuKinds) add(await cpuRow(kind, settings, worker, report));
    if (session && store) {
      report.stage('', 'bandwidth', settings.n);
      run.bandwidth = await copyBandwidth(session.device, session.summary.software, signal);
      const bench = { session, store, worker, settings, report, signal };
      for (const rung of session.gemm.ladder()) {
        add(await rowOf(rung, bench, rung.unavailable));
        await store.keepOnly(settings.n);
      }
      add(await rowOf({ name: 'choice', kernel: '', operands: 'f32' }, bench, ''));
    }
    return { kind: 'done' };
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' };
    const message = error instanceof Error ? error.message : String(error);
    return { kind: await isLost(error, session) ? 'lost' : 'failed', message };
  } finally {
    worker.end();
    await store?.keepOnly(0);
  }
}

/** An error of one kernel leaves the others be: its row says why. A lost device ends the run. */
async function rowOf(rung: { name: string; kernel: string; operands: string }, bench: Parameters<typeof gpuRow>[1],
    unavailable: string): Promise<Row> {
  const candidate: Candidate = { id: rung.name, kernel: rung.kernel, operands: rung.operands as ElementType };
  const without = (reason: string): Row =>
    ({ ...emptyRow(rung.name, bench.settings.n), kernel: rung.kernel, operands: candidate.operands, reason });
  if (unavailable !== '') return without(unavailable);
  try {
    return await gpuRow(candidate, bench);
  } catch (error) {
    if (bench.signal.aborted || await isLost(error, bench.session)) throw error;
    return without(error instanceof Error ? error.message : String(error));
  }
}

/** Calls on a device that is going fail in several ways before it is told lost. */
async function isLost(error: unknown, session: Session | undefined): Promise<boolean> {
  if (error instanceof GemmError && error.code === 'device_lost') return true;
  if (!session) return false;
  return Promise.race([
    session.device.lost.then(() => true),
    new Promise<false>((resolve) => setTimeout(() => resolve(false), 100)),
  ]);
}
