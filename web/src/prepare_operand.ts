// A or B made ready once for many products: transposed, padded, dequantised, as the kernel wants it.
import type { WatchedDevice } from './device/watched.ts';
import { OPERAND } from './device/usage.ts';
import { checkObject, checkOptions, GemmError } from './errors.ts';
import { type Buffers, checkGiven, type Layouts, type PreparedOperand, viewsOf } from './execute/operands.ts';
import { type Home, PreparedPlan } from './execute/prepared.ts';
import { run } from './execute/run.ts';
import type { Plan, PlanOptions, SplitPlan } from './plan.ts';
import type { Description, ProblemInput, Role } from './problem.ts';

export interface OperandHome extends Home {
  readonly layouts: Layouts;
  readonly device: WatchedDevice;
  describe(problem: ProblemInput): Description;
  split(problem: ProblemInput, options: PlanOptions, operand: 'a' | 'b'): SplitPlan;
}

/** Scales and zero points are turned into numbers along with a quantised B. */
export type OperandBuffers = Pick<Buffers, 'a' | 'b' | 'scales' | 'zeros'>;

/** Errors: invalid_argument, unsupported, compilation, out_of_memory, device_lost, cancelled. */
export async function prepareOperand(
  home: OperandHome,
  operand: 'a' | 'b',
  buffers: OperandBuffers,
  problem: ProblemInput,
  given: PlanOptions & { signal?: AbortSignal },
): Promise<PreparedOperand> {
  checkOptions(given);
  const { signal, ...options } = given;
  const split = splitFor(home, operand, problem, options);
  const views = viewsOf(buffers, home.layouts);
  checkGiven(split.use.problem, new Set(Object.keys(views) as Role[]));
  const source = views[operand];
  if (source === undefined) throw new GemmError('invalid_argument', operand, `${operand} is missing from the buffers`);
  if (split.prepare.steps.length === 0) {
    if (source.offset !== 0) {
      throw new GemmError(
        'invalid_argument',
        operand,
        `${operand} is its own preparation here, and a prepared operand is a whole buffer: give it from byte 0 on`,
      );
    }
    return { operand, buffer: source.buffer, layout: '' };
  }
  const preparation = await PreparedPlan.prepare(home, split.prepare, signal);
  const bytes = split.prepare.buffers.find(({ role }) => role === 'c')?.bytes ?? 0;
  const made = await home.pool.create(bytes, OPERAND, `the prepared ${operand}`, signal);
  try {
    const c = { buffer: made, offset: 0, size: made.size, layout: undefined };
    await run(preparation, { ...views, c }, { ms: undefined }, { signal });
  } catch (error) {
    made.destroy();
    throw error;
  } finally {
    preparation.destroy();
  }
  const layout = layoutOf(split.use, operand);
  home.layouts.set(made, layout);
  return { operand, buffer: made, layout };
}

/** The plan of a product that takes the prepared operand. Errors: invalid_argument (it is prepared otherwise). */
export function planWith(
  home: OperandHome,
  operand: PreparedOperand,
  problem: ProblemInput,
  options: PlanOptions,
): Plan {
  checkObject('operand', operand, 'what prepareOperand gave');
  const { use } = splitFor(home, operand.operand, problem, options);
  const wanted = layoutOf(use, operand.operand);
  if (wanted !== operand.layout) {
    const name = (layout: string): string => layout || 'as it lies';
    throw new GemmError(
      'invalid_argument',
      'operand',
      `${use.kernel} takes the operand of ${home.describe(problem).text} otherwise (${name(wanted)}) than it was ` +
        `prepared (${name(operand.layout)}); prepare it for these sizes, or name the kernel that it was prepared for`,
    );
  }
  return use;
}

function splitFor(home: OperandHome, operand: 'a' | 'b', problem: ProblemInput, options: PlanOptions): SplitPlan {
  if (operand !== 'a' && operand !== 'b') {
    throw new GemmError('invalid_argument', 'operand', `only 'a' and 'b' can be prepared, not '${String(operand)}'`);
  }
  checkObject('problem', problem, 'an object with the sizes: { m, n, k }');
  const quantised = operand === 'b' && (problem.quantization?.block ?? 0) !== 0;
  const split = home.split(problem, quantised ? { ...options, dequantise: true } : options, operand);
  const binds = split.use.steps.some((step) =>
    step.bindings.some(({ buffer }) => split.use.buffers[buffer]?.role === operand),
  );
  if (quantised && split.prepare.steps.length === 0 && binds) {
    throw new GemmError(
      'unsupported',
      'operand',
      `B of ${home.describe(problem).text} as numbers is larger than what is bound or allowed at once: it is turned ` +
        'into numbers piece by piece, in every run',
    );
  }
  return split;
}

function layoutOf(plan: Plan, operand: 'a' | 'b'): string {
  return plan.buffers.find(({ role }) => role === operand)?.layout ?? '';
}
