// Carries out a product that the device cannot hold at once: its panels pass through one after the other.
import { OPERAND } from '../device/usage.ts';
import { GemmError, throwIfAborted } from '../errors.ts';
import { download } from '../execute/download.ts';
import type { Home } from '../execute/prepared.ts';
import { upload } from '../execute/upload.ts';
import { checkStays, type HostArray, nameOf } from '../host_array.ts';
import type { PlanOptions } from '../plan.ts';
import { type ProblemInput, type Role, ROLES } from '../problem.ts';
import type { Product } from '../product.ts';
import { gather, scatter } from './copy.ts';
import type { Panel, Panels, Part } from './panels.ts';

export interface StreamHome extends Home {
  product(problem: ProblemInput, options: PlanOptions, signal: AbortSignal | undefined): Promise<Product>;
}

/** The operands with `c` among them, which is also where the product goes. */
export type Arrays = Partial<Record<Role, HostArray>> & { c: HostArray };

/** A buffer of the device, and the part that is in it. */
interface Held {
  buffer: GPUBuffer;
  part: Part | undefined;
}

/**
 * `bytes` is what each array must have. The panels are multiplied in the core's order, so the same bits come out on
 * every run. An error leaves the panels of C that were finished before it.
 * Errors: invalid_argument (C lies in an input, an array went away), unsupported, compilation, out_of_memory,
 * device_lost, cancelled.
 */
export async function multiplyInPanels(
  home: StreamHome,
  panels: Panels,
  arrays: Arrays,
  bytes: Record<Role, number>,
  options: PlanOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  home.device.checkAlive();
  throwIfAborted(signal);
  checkApart(arrays, bytes);
  home.pool.trim(); // what waits there is memory too
  const stream = new Stream(home, panels, arrays, bytes, options, signal);
  try {
    for (const panel of panels.panels) await stream.multiply(panel);
  } finally {
    stream.release();
  }
}

class Stream {
  readonly #held = new Map<Role, Held>();

  constructor(
    readonly home: StreamHome,
    readonly all: Panels,
    readonly arrays: Arrays,
    readonly bytes: Record<Role, number>,
    readonly options: PlanOptions,
    readonly signal: AbortSignal | undefined,
  ) {}

  async multiply(panel: Panel): Promise<void> {
    throwIfAborted(this.signal);
    const problem = at(this.all.problems, panel.problem);
    const product = await this.home.product(problem, this.options, this.signal);
    const buffers: Partial<Record<Role, GPUBuffer>> = {};
    let c: Part | undefined;
    for (const index of panel.parts) {
      const part = at(this.all.parts, index);
      if (part.role === 'c') c = part;
      // Sums of earlier k are C's alone; what the device holds of an input may serve the next panel too.
      const wanted = part.role === 'c' ? panel.first_k && problem.beta !== 0 : true;
      buffers[part.role] = await this.#hold(part, wanted);
    }
    await product.run(buffers, this.signal === undefined ? {} : { signal: this.signal });
    if (c === undefined || buffers.c === undefined || !panel.last_k) return;
    const found = await download(this.home, buffers.c, 0, Math.ceil(c.bytes / 4) * 4, this.signal);
    scatter(c, found, this.#array('c'));
  }

  /** Memory of its own, not the pool's, so that it goes with the product. */
  release(): void {
    for (const { buffer } of this.#held.values()) buffer.destroy();
    this.#held.clear();
  }

  /** The buffer of the part's role, large enough, and with the part in it where it is wanted. */
  async #hold(part: Part, wanted: boolean): Promise<GPUBuffer> {
    let held = this.#held.get(part.role);
    if (held === undefined || held.buffer.size < part.bytes) {
      held?.buffer.destroy();
      this.#held.delete(part.role);
      held = { buffer: await this.home.pool.create(part.bytes, OPERAND, part.role, this.signal), part: undefined };
      this.#held.set(part.role, held);
    }
    if (wanted && held.part !== part) {
      const elements = gather(part, this.#array(part.role));
      upload(this.home, held.buffer, elements, elements.byteLength);
      held.part = part;
    }
    return held.buffer;
  }

  #array(role: Role): HostArray {
    const array = this.arrays[role];
    if (array === undefined) throw new GemmError('internal', role, `the panels take ${role}, which nobody asked for`);
    checkStays(nameOf(role), array, this.bytes[role]);
    return array;
  }
}

/** Panels of C are written before all of the inputs are read. */
function checkApart(arrays: Arrays, bytes: Record<Role, number>): void {
  const { c } = arrays;
  for (const role of ROLES) {
    const input = arrays[role];
    if (role === 'c' || input === undefined || input.buffer !== c.buffer) continue;
    const begin = Math.max(c.byteOffset, input.byteOffset);
    const end = Math.min(c.byteOffset + bytes.c, input.byteOffset + bytes[role]);
    if (begin >= end) continue;
    throw new GemmError(
      'invalid_argument',
      'out',
      `out shares memory with ${role}; a product that passes through the device in panels is written before all of ` +
        `${role} is read, so it wants an array of its own`,
    );
  }
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new GemmError('internal', '', `the core names number ${index} of ${list.length}`);
  return found;
}
