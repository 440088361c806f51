// The operands of a problem on the device, filled with small integers.
import { OPERAND } from '../device/usage.ts';
import { GemmError } from '../errors.ts';
import { download } from '../execute/download.ts';
import type { View } from '../execute/operands.ts';
import type { Home } from '../execute/prepared.ts';
import { type DataType, type Problem, type Role, ROLES } from '../problem.ts';
import { type Drawn, integers } from './integers.ts';

type IntegerViews = Partial<Record<Role, View>>;

/** Words that are made and handed to the queue at a time. */
const PIECE = 1 << 20;

/** Above 2048 not every integer is an f16; how many elements of A are not 0 along k is known only about. */
const LARGEST_IN_F16 = 1024;

/** An element of B at most: a number of -3 to 3, less a zero point, by a scale. */
const LARGEST_OF_B = 18;

export class IntegerOperands {
  /** Whole buffers, by role. */
  readonly views: IntegerViews = {};

  private constructor(
    private readonly home: Pick<Home, 'device' | 'pool'>,
    private readonly problem: Problem,
  ) {}

  /** `bytes` of each operand that the problem has. Errors: unsupported, out_of_memory, device_lost, cancelled. */
  static async create(
    home: Pick<Home, 'device' | 'pool'>,
    problem: Problem,
    bytes: Partial<Record<Role, number>>,
    signal?: AbortSignal,
  ): Promise<IntegerOperands> {
    const operands = new IntegerOperands(home, problem);
    try {
      for (const role of ROLES) {
        const size = Math.ceil((bytes[role] ?? 0) / 4) * 4;
        if (size === 0) continue;
        const buffer = await home.pool.create(size, OPERAND, `${role} of small integers`, signal);
        operands.views[role] = { buffer, offset: 0, size, layout: undefined };
        operands.#fill(role);
      }
    } catch (error) {
      operands.destroy();
      throw error;
    }
    return operands;
  }

  /** C behind `run`, which writes it. Errors: those of run, and of a download. */
  async product(run: (views: IntegerViews) => Promise<void>, signal?: AbortSignal): Promise<ArrayBuffer> {
    const { c } = this.views;
    if (c === undefined) throw new GemmError('internal', 'c', 'a product of small integers has no C');
    this.#fill('c'); // what nobody writes differs from the result
    await run(this.views);
    return download(this.home, c.buffer, 0, c.size, signal);
  }

  destroy(): void {
    for (const view of Object.values(this.views)) view.buffer.destroy();
  }

  #fill(role: Role): void {
    const view = this.views[role];
    if (view === undefined) return;
    const { queue } = this.home.device.gpu;
    const drawn = drawnFor(this.problem, role);
    for (let first = 0; first < view.size / 4; first += PIECE) {
      const words = integers(drawn, first, Math.min(PIECE, view.size / 4 - first));
      queue.writeBuffer(view.buffer, 4 * first, words);
    }
  }
}

function drawnFor(problem: Problem, role: Role): Drawn {
  const thin = role === 'a' && problem.accumulate === 'f16';
  const sparse = thin ? Math.ceil((problem.k * LARGEST_OF_B) / LARGEST_IN_F16) : 0;
  return { type: typeOf(problem, role), seed: 1 + 1000 * ROLES.indexOf(role), sparse };
}

function typeOf({ a, b, c, epilogue, quantization }: Problem, role: Role): DataType {
  const types: Record<Role, DataType> = {
    a: a.type,
    b: b.type,
    c: c.type,
    bias: epilogue.bias_type,
    residual: epilogue.residual.type,
    scales: quantization.scale_type,
    zeros: b.type,
  };
  return types[role];
}
