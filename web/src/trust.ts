// Whether a device's matrix units give right products: each configuration is tried on small integers before its first
// use, against the plainest kernel. There are drivers that report what they get wrong.
import { GemmError } from './errors.ts';
import { differenceOf } from './exact/compare.ts';
import { IntegerOperands } from './exact/operands.ts';
import { type Home, PreparedPlan } from './execute/prepared.ts';
import { run } from './execute/run.ts';
import type { Plan, PlanOptions } from './plan.ts';
import type { ProblemInput } from './problem.ts';
import type { MatrixConfig } from './profile.ts';
import { describeConfig, sameConfig } from './matrix_config.ts';

export type Planner = (problem: ProblemInput, options: PlanOptions) => Plan;

/** The argument of the error for a configuration that gives wrong numbers. */
export const DENIED = 'matrix configuration';

export class MatrixTrust {
  readonly #trusted: MatrixConfig[] = [];
  #check: Promise<unknown> = Promise.resolve(); // one at a time; who asks for the same waits for its verdict

  constructor(
    private readonly home: Home,
    private readonly planner: Planner,
    private readonly log: (message: string) => void,
  ) {}

  /** Errors: unsupported (its configuration gives wrong numbers), and what says nothing of it. */
  async trust(plan: Plan, signal?: AbortSignal): Promise<void> {
    const config = configOf(plan);
    if (!plan.shaders.some((shader) => shader.needs_subgroup_matrix) || config === undefined) return;
    const mine = this.#check.catch(() => undefined).then(() => this.#try(plan, config, signal));
    this.#check = mine;
    await mine;
  }

  async #try(plan: Plan, config: MatrixConfig, signal: AbortSignal | undefined): Promise<void> {
    const { profile } = this.home;
    if (this.#trusted.some((each) => sameConfig(each, config))) return;
    const fault = await this.#faultOf(plan, signal);
    if (fault === undefined) {
      this.#trusted.push(config);
      return;
    }
    const reason = `the check of ${plan.kernel} failed: ${fault}`;
    profile.matrix_configs = profile.matrix_configs.filter((each) => !sameConfig(each, config));
    profile.denied_matrix_configs.push({ config, reason });
    const message = `${describeConfig(config)} is denied on '${profile.name}': ${reason}`;
    this.log(message);
    throw new GemmError('unsupported', DENIED, message);
  }

  async #faultOf(plan: Plan, signal: AbortSignal | undefined): Promise<string | undefined> {
    const { a, b } = plan.problem;
    const problem: ProblemInput = {
      ...WHOLE_BLOCKS,
      a: { type: a.type, order: a.order },
      b: { type: b.type, order: b.order },
    };
    const units = this.planner(problem, { kernel: plan.kernel, split_k: 1, tuning: null });
    const plain = this.planner(problem, { kernel: 'naive', split_k: 1, tuning: null });
    const bytes = Object.fromEntries(plain.buffers.map((buffer) => [buffer.role, buffer.bytes]));
    const operands = await IntegerOperands.create(this.home, plain.problem, bytes, signal);
    try {
      const right = await this.#productOf(plain, operands, signal);
      const found = await this.#productOf(units, operands, signal).catch((error: unknown) => {
        // A driver that refuses the text says as much as one that gets it wrong.
        if (error instanceof GemmError && OF_THE_TEXT.has(error.code)) return error.message;
        throw error;
      });
      return typeof found === 'string' ? found : differenceOf(plain.problem.c.type, found, right, plain.kernel);
    } finally {
      operands.destroy();
    }
  }

  async #productOf(plan: Plan, operands: IntegerOperands, signal: AbortSignal | undefined): Promise<ArrayBuffer> {
    const prepared = await PreparedPlan.prepare(this.home, plan, signal);
    try {
      return await operands.product((views) => run(prepared, views, { ms: undefined }, { signal }), signal);
    } finally {
      prepared.destroy();
    }
  }
}

const OF_THE_TEXT: ReadonlySet<string> = new Set(['compilation', 'validation', 'unsupported']);

/** Several whole blocks of each kernel each way: the text that large products get. */
const WHOLE_BLOCKS = { m: 768, n: 768, k: 384 };

/** The configuration that a kernel's full name says; undefined where it names none of matrix units. */
function configOf({ kernel, problem }: Plan): MatrixConfig | undefined {
  const [, m, n, k] = /_MM(\d+)_MN(\d+)_MK(\d+)_/.exec(kernel) ?? [];
  if (m === undefined) return undefined;
  return { component: problem.a.type, result: 'f32', m: Number(m), n: Number(n), k: Number(k) };
}
