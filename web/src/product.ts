// A product that is compiled and ready to run.
import { checkOptions } from './errors.ts';
import { type Buffers, type Layouts, viewsOf } from './execute/operands.ts';
import type { PreparedPlan } from './execute/prepared.ts';
import { type Estimate, record, run } from './execute/run.ts';
import { time, type TimeOptions, type Times } from './execute/timing.ts';
import type { Plan } from './plan.ts';

export class Product {
  readonly #prepared: PreparedPlan;
  readonly #layouts: Layouts;
  readonly #estimate: Estimate = { ms: undefined };
  #clock: Promise<unknown> = Promise.resolve();

  /** Made by Gemm.prepare. */
  constructor(prepared: PreparedPlan, layouts: Layouts) {
    this.#prepared = prepared;
    this.#layouts = layouts;
  }

  get plan(): Plan {
    return this.#prepared.plan;
  }

  /** Milliseconds that its pipelines took to compile; those that another product shares count in both. */
  get compileMs(): number {
    return this.#prepared.compileMs;
  }

  /**
   * Writes the product into a command encoder (as a compute pass of its own) or into a compute pass, and submits
   * nothing. Errors of the device reach the caller's error scopes. Scratch memory stays with the product, so its
   * commands must run one behind the other, as those of one queue do.
   * Errors: invalid_argument (a buffer), device_lost.
   */
  record(into: GPUCommandEncoder | GPUComputePassEncoder, buffers: Buffers): void {
    record(this.#prepared, viewsOf(buffers, this.#layouts), into);
  }

  /**
   * Submits the product and resolves when it is done. Long ones come in several submissions; with the signal those
   * that are not submitted yet stay away, and C is then incomplete.
   * Errors: invalid_argument (a buffer), out_of_memory, validation, device_lost, cancelled.
   */
  async run(buffers: Buffers, options: { signal?: AbortSignal } = {}): Promise<void> {
    checkOptions(options);
    const { signal } = options;
    await run(this.#prepared, viewsOf(buffers, this.#layouts), this.#estimate, { signal });
  }

  /** Times runs of it, behind two that are not counted. Timings of one product take turns. Errors: as run. */
  async time(buffers: Buffers, options: TimeOptions = {}): Promise<Times> {
    checkOptions(options);
    const before = this.#clock.catch(() => undefined);
    const timed = before.then(() => time(this.#prepared, viewsOf(buffers, this.#layouts), this.#estimate, options));
    this.#clock = timed;
    return timed;
  }

  /** Releases its uniform blocks and scratch memory; its pipelines stay for others. */
  destroy(): void {
    this.#prepared.destroy();
  }
}
