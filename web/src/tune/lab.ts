// Where candidates of one problem are tried: each on the same operands, and its product compared before its time
// counts.
import { differenceOf } from '../exact/compare.ts';
import { IntegerOperands } from '../exact/operands.ts';
import type { Home } from '../execute/prepared.ts';
import type { Plan, PlanOptions } from '../plan.ts';
import type { Activation, Description, ProblemInput, Real } from '../problem.ts';
import type { Product } from '../product.ts';
import { type Measured, measure, type Stopwatch } from './stopwatch.ts';

/** What this needs of the Gemm that it belongs to. */
export interface LabHome extends Home {
  describe(problem: ProblemInput): Description;
  plan(problem: ProblemInput, options: PlanOptions): Plan;
  preparePlan(plan: Plan, options: { signal?: AbortSignal }): Promise<Product>;
}

export interface Candidate {
  kernel: string;
  split_k: number;
}

/** Of a dispatch of which nothing is known: long ones end the device. */
const CAREFUL_FLOPS = 2e10;

/** A run that took longer is cut into careful dispatches in timings too. */
const LONGEST_MS = 1000;

export class Lab {
  private constructor(
    private readonly home: LabHome,
    private readonly problem: ProblemInput,
    private readonly checked: ProblemInput,
    private readonly operands: IntegerOperands,
    private readonly right: ArrayBuffer,
    private readonly watch: Stopwatch,
  ) {}

  /** Multiplies with `naive`. Errors: as Gemm.prepare and Product.run. */
  static async open(home: LabHome, problem: ProblemInput, watch: Stopwatch): Promise<Lab> {
    const { signal } = watch;
    const checked = exactForm(problem);
    const naive = { kernel: 'naive', split_k: 1, tuning: null };
    const plan = home.plan(checked, { ...naive, max_dispatch_flops: CAREFUL_FLOPS });
    const operands = await IntegerOperands.create(home, plan.problem, home.describe(checked).bytes, signal);
    try {
      const { c } = await multiply(home, plan, operands, signal);
      return new Lab(home, problem, checked, operands, c, watch);
    } catch (error) {
      operands.destroy();
      throw error;
    }
  }

  /** Its time, or in words why its product is wrong. Errors: as Gemm.prepare, Product.run and Product.time. */
  async try({ kernel, split_k }: Candidate): Promise<Measured | string> {
    const { home, operands, watch } = this;
    const options = { kernel, split_k, tuning: null };
    const careful = { ...options, max_dispatch_flops: CAREFUL_FLOPS };
    const plan = home.plan(this.checked, careful);
    const { c, ms } = await multiply(home, plan, operands, watch.signal);
    const difference = differenceOf(plan.problem.c.type, c, this.right, 'naive');
    if (difference !== undefined) return difference;
    const product = await home.preparePlan(
      home.plan(this.problem, ms > LONGEST_MS ? careful : options),
      withSignal(watch.signal),
    );
    try {
      return await measure(product, operands.views, watch);
    } finally {
      product.destroy();
    }
  }

  close(): void {
    this.operands.destroy();
  }
}

async function multiply(
  home: LabHome,
  plan: Plan,
  operands: IntegerOperands,
  signal: AbortSignal | undefined,
): Promise<{ c: ArrayBuffer; ms: number }> {
  const product = await home.preparePlan(plan, withSignal(signal));
  try {
    const begin = performance.now();
    const c = await operands.product((views) => product.run(views, withSignal(signal)), signal);
    return { c, ms: performance.now() - begin };
  } finally {
    product.destroy();
  }
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

const CURVES: ReadonlySet<Activation | undefined> = new Set(['gelu', 'gelu_tanh', 'silu']);

/**
 * The problem with what rounds left out of its epilogue, so that equality can be asked for: that arithmetic is the
 * same text in every kernel, but may be contracted otherwise.
 */
function exactForm(problem: ProblemInput): ProblemInput {
  const { alpha, beta, epilogue } = problem;
  const exact = { ...problem };
  if (alpha !== undefined) exact.alpha = whole(alpha);
  if (beta !== undefined) exact.beta = whole(beta);
  if (epilogue !== undefined) {
    exact.epilogue = { ...epilogue, ...(CURVES.has(epilogue.activation) ? { activation: 'relu' } : {}) };
  }
  return exact;
}

/** A small integer, 0 for 0 and 1 for 1. */
function whole(value: Real): number {
  if (value === 0 || value === 1) return value;
  return Number(value) < 0 ? -1 : 2;
}
