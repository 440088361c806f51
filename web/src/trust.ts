// Whether a device's matrix units give right products: each configuration is tried on small integers before its first
// use, against the plainest kernel. There are drivers that report what they get wrong.
import { GemmError } from './errors.ts';
import { OPERAND } from './device/usage.ts';
import { download } from './execute/download.ts';
import { type Home, PreparedPlan } from './execute/prepared.ts';
import { run } from './execute/run.ts';
import type { Plan, PlanOptions } from './plan.ts';
import type { DataType, ProblemInput } from './problem.ts';
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
    const right = await this.#productOf(plain, signal);
    try {
      const found = await this.#productOf(units, signal);
      const wrong = right.findIndex((value, index) => value !== found[index]);
      if (wrong < 0) return undefined;
      return `on small integers element ${wrong} of C is ${found[wrong]}, and ${right[wrong]} by ${plain.kernel}`;
    } catch (error) {
      // A driver that refuses the text says as much as one that gets it wrong.
      if (error instanceof GemmError && OF_THE_TEXT.has(error.code)) return error.message;
      throw error;
    }
  }

  async #productOf(plan: Plan, signal: AbortSignal | undefined): Promise<Float32Array> {
    const { device, pool } = this.home;
    const prepared = await PreparedPlan.prepare(this.home, plan, signal);
    const made: GPUBuffer[] = [];
    try {
      const types: DataType[] = [plan.problem.a.type, plan.problem.b.type, plan.problem.c.type];
      for (const [index, type] of types.entries()) {
        const bytes = plan.buffers[index]?.bytes ?? 0;
        const buffer = await pool.create(bytes, OPERAND, 'a check of matrix units', signal);
        made.push(buffer);
        // C too: what nobody writes differs from the result.
        device.gpu.queue.writeBuffer(buffer, 0, integers(bytes, type, 1 + 1000 * index));
      }
      const [a, b, c] = made;
      if (!a || !b || !c) throw new GemmError('internal', '', 'a check of matrix units lacks a buffer');
      const view = (buffer: GPUBuffer) => ({ buffer, offset: 0, size: buffer.size, layout: undefined });
      await run(prepared, { a: view(a), b: view(b), c: view(c) }, { ms: undefined }, { signal });
      return new Float32Array(await download(this.home, c, 0, c.size, signal));
    } finally {
      prepared.destroy();
      for (const buffer of made) buffer.destroy();
    }
  }
}

const OF_THE_TEXT: ReadonlySet<string> = new Set(['compilation', 'validation', 'unsupported']);

/** -3 to 3 as f16. */
const HALFS = [0xc200, 0xc000, 0xbc00, 0x0000, 0x3c00, 0x4000, 0x4200];

/** Sums of products of such numbers are exact in f32, in any order. */
function integers(bytes: number, type: DataType, seed: number): Uint16Array<ArrayBuffer> | Float32Array<ArrayBuffer> {
  const drawn = (_: unknown, index: number): number => (Math.imul(index + seed, 2654435761) >>> 7) % HALFS.length;
  if (type === 'f16') return Uint16Array.from({ length: bytes / 2 }, (_, i) => HALFS[drawn(_, i)] ?? 0);
  return Float32Array.from({ length: bytes / 4 }, (_, i) => drawn(_, i) - 3);
}

/** Several whole blocks of each kernel each way: the text that large products get. */
const WHOLE_BLOCKS = { m: 768, n: 768, k: 384 };

/** The configuration that a kernel's full name says; undefined where it names none of matrix units. */
function configOf({ kernel, problem }: Plan): MatrixConfig | undefined {
  const [, m, n, k] = /_MM(\d+)_MN(\d+)_MK(\d+)_/.exec(kernel) ?? [];
  if (m === undefined) return undefined;
  return { component: problem.a.type, result: 'f32', m: Number(m), n: Number(n), k: Number(k) };
}
