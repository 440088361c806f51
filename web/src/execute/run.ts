// Submits a prepared plan and waits for it. Drivers end devices whose submissions last for several seconds, so long
// plans come in several submissions.
import { GemmError, throwIfAborted } from '../errors.ts';
import { dispatchCount } from '../plan.ts';
import type { Views } from './operands.ts';
import type { PreparedPlan, Scratch } from './prepared.ts';

/** Work that one submission holds at most, as far as it can be told beforehand. */
const LONGEST_SUBMISSION_MS = 1000;

/** How long one run takes, in milliseconds as last seen; undefined while unknown. */
export interface Estimate {
  ms: number | undefined;
}

/** How a submission is recorded and waited for. */
export interface Submission {
  begin(encoder: GPUCommandEncoder): GPUComputePassEncoder;
  /** Behind the pass, before the encoder is finished. */
  end(encoder: GPUCommandEncoder): void;
  /** Called right after the submission; resolves when its work is done. */
  done(): Promise<void>;
}

export interface RunOptions {
  /** How many times, one behind the other; 1 */
  readonly products?: number;
  readonly submission?: Submission;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the plan and resolves when it is done.
 * Errors: invalid_argument, out_of_memory, validation, device_lost, cancelled.
 */
export async function run(
  prepared: PreparedPlan,
  views: Views,
  estimate: Estimate,
  { products = 1, submission, signal }: RunOptions = {},
): Promise<void> {
  const { device } = prepared.home;
  device.checkAlive();
  throwIfAborted(signal);
  prepared.check(views);
  if (prepared.plan.steps.length === 0) return;
  const how = submission ?? plain(device.gpu);
  const scratch = await prepared.takeScratch(signal);
  try {
    const start = performance.now();
    for (const dispatches of submissionsOf(prepared, products, estimate.ms)) {
      throwIfAborted(signal);
      const { done } = await device.scoped(
        'validation',
        prepared.plan.kernel,
        () => {
          submit(prepared, views, scratch, dispatches, how);
          const done = how.done();
          done.catch(() => undefined); // where the submission was refused, nobody waits for it
          return { done };
        },
        signal,
      );
      await device.wait(done, signal);
    }
    estimate.ms = Math.max(performance.now() - start, 1e-3) / products;
  } finally {
    prepared.giveScratch(scratch);
  }
}

type GPURecorder = GPUCommandEncoder & GPUComputePassEncoder;
/** By what they can do: outside a browser there are no global classes of them. */
const RECORDERS = ['beginComputePass', 'dispatchWorkgroups'] as const;

/** Records the plan into a pass, or into a pass of its own of an encoder. Submits nothing. */
export function record(prepared: PreparedPlan, views: Views, into: GPUCommandEncoder | GPUComputePassEncoder): void {
  if (!RECORDERS.some((name) => typeof (into as Partial<GPURecorder> | null | undefined)?.[name] === 'function')) {
    throw new GemmError(
      'invalid_argument',
      'into',
      'into is to be a GPUCommandEncoder, as device.createCommandEncoder() gives, or a GPUComputePassEncoder',
    );
  }
  const groups = prepared.bindForRecording(views);
  if (prepared.plan.steps.length === 0) return;
  const own = 'beginComputePass' in into;
  const pass = own ? into.beginComputePass({ label: prepared.plan.kernel }) : into;
  for (const [step, dispatch] of placesOf(prepared)) prepared.encode(pass, groups, step, dispatch);
  if (own) pass.end();
}

function plain(gpu: GPUDevice): Submission {
  return {
    begin: (encoder) => encoder.beginComputePass(),
    end: () => undefined,
    done: async () => {
      await gpu.queue.onSubmittedWorkDone();
    },
  };
}

type Place = readonly [step: number, dispatch: number];

function placesOf({ plan }: PreparedPlan): Place[] {
  return plan.steps.flatMap((step, index) => step.dispatches.map((_, dispatch): Place => [index, dispatch]));
}

/** One submission for every dispatch where nothing is known of their length. */
function submissionsOf(prepared: PreparedPlan, products: number, estimateMs: number | undefined): Place[][] {
  const once = placesOf(prepared);
  const dispatchMs = estimateMs === undefined ? LONGEST_SUBMISSION_MS : estimateMs / dispatchCount(prepared.plan);
  const each = Math.max(1, Math.floor(LONGEST_SUBMISSION_MS / dispatchMs));
  const places = Array.from({ length: products }, () => once).flat();
  const submissions: Place[][] = [];
  for (let first = 0; first < places.length; first += each) submissions.push(places.slice(first, first + each));
  return submissions;
}

function submit(
  prepared: PreparedPlan,
  views: Views,
  scratch: Scratch,
  dispatches: readonly Place[],
  how: Submission,
): void {
  const { gpu } = prepared.home.device;
  const groups = prepared.bind(views, scratch);
  const encoder = gpu.createCommandEncoder({ label: prepared.plan.kernel });
  const pass = how.begin(encoder);
  for (const [step, dispatch] of dispatches) prepared.encode(pass, groups, step, dispatch);
  pass.end();
  how.end(encoder);
  gpu.queue.submit([encoder.finish()]);
}
