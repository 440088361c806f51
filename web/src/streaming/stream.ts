// Carries out a product that the device cannot hold at once: its panels pass through one after the other.
import { OPERAND } from '../device/usage.ts';
import { GemmError, throwIfAborted } from '../errors.ts';
import { copyElements } from '../execute/copy_elements.ts';
import { download } from '../execute/download.ts';
import type { Home } from '../execute/prepared.ts';
import { upload } from '../execute/upload.ts';
import { bytesOf, checkStays, type HostArray, makeResult, nameOf } from '../host_array.ts';
import type { PlanOptions } from '../plan.ts';
import { BITS, type MatrixLayout, type Problem, type ProblemInput, type Role, ROLES } from '../problem.ts';
import type { Product } from '../product.ts';
import { gather, scatter } from './copy.ts';
import type { Panel, Panels, Part } from './panels.ts';

export interface StreamHome extends Home {
  product(problem: ProblemInput, options: PlanOptions, signal: AbortSignal | undefined): Promise<Product>;
}

/** The operands with `c` among them, which is also where the product goes. */
export type Arrays = Partial<Record<Role, HostArray>> & { c: HostArray };

/** A buffer of the device, and the part that is in it, as text. */
interface Held {
  buffer: GPUBuffer;
  part: string | undefined;
}

/** What is multiplied, and how each panel is asked for. */
export interface Cut extends Panels {
  one(index: number): Panel;
}

/**
 * `bytes` is what each array must have. The panels are multiplied in the core's order, so the same bits come out on
 * every run. An error leaves the panels of C that were finished before it; a C that lies in an input it leaves as it was.
 * Errors: invalid_argument (an array went away), unsupported, compilation, out_of_memory, device_lost, cancelled.
 */
export async function multiplyInPanels(
  home: StreamHome,
  cut: Cut,
  arrays: Arrays,
  bytes: Record<Role, number>,
  signal: AbortSignal | undefined,
): Promise<void> {
  home.device.checkAlive();
  throwIfAborted(signal);
  const { whole } = cut;
  const { c } = arrays;
  const shares = sharesMemoryWithC(whole, arrays, bytes);
  // Panels are written while the inputs are still read.
  const apart = shares ? makeResult(whole.c.type, bytes.c) : c;
  if (shares && whole.beta !== 0) bytesOf(apart).set(bytesOf(c).subarray(0, bytes.c));
  home.pool.trim(); // what waits there is memory too
  const stream = new Stream(home, cut, { ...arrays, c: apart }, bytes, signal);
  try {
    for (let index = 0; index < cut.count; index++) await stream.multiply(cut.one(index));
  } finally {
    stream.release();
  }
  if (!shares) return;
  checkStays(nameOf('c'), c, bytes.c);
  copyElements(whole, bytesOf(apart), bytesOf(c));
}

class Stream {
  readonly #held = new Map<Role, Held>();

  constructor(
    readonly home: StreamHome,
    readonly cut: Cut,
    readonly arrays: Arrays,
    readonly bytes: Record<Role, number>,
    readonly signal: AbortSignal | undefined,
  ) {}

  async multiply(panel: Panel): Promise<void> {
    throwIfAborted(this.signal);
    const { problem } = panel;
    const product = await this.home.product(problem, this.cut.options, this.signal);
    const buffers: Partial<Record<Role, GPUBuffer>> = {};
    let c: Part | undefined;
    for (const part of panel.parts) {
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
    const text = JSON.stringify(part);
    if (wanted && held.part !== text) {
      const elements = gather(part, this.#array(part.role));
      upload(this.home, held.buffer, elements, elements.byteLength);
      held.part = text;
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

/** Whether C lies in the memory of an input, as far as each of them is touched. */
function sharesMemoryWithC(problem: Problem, arrays: Arrays, bytes: Record<Role, number>): boolean {
  const { a, b, c: own, epilogue } = problem;
  const layouts: Partial<Record<Role, MatrixLayout>> = { a, b, c: own, residual: epilogue.residual };
  const rangeOf = (role: Role, { byteOffset }: HostArray): [number, number] => {
    const layout = layouts[role];
    const skipped = layout === undefined ? 0 : (layout.offset * BITS[layout.type]) / 8;
    return [byteOffset + skipped, byteOffset + bytes[role]];
  };
  const { c } = arrays;
  const [begin, end] = rangeOf('c', c);
  return ROLES.some((role) => {
    const input = arrays[role];
    if (role === 'c' || input === undefined || bytes[role] === 0) return false;
    // Shared memory has several objects: one for each time that it was handed over, or grew.
    if (input.buffer !== c.buffer) return isShared(input.buffer) && isShared(c.buffer);
    const [first, last] = rangeOf(role, input);
    return first < end && begin < last;
  });
}

function isShared(memory: ArrayBufferLike): boolean {
  return Object.prototype.toString.call(memory) === '[object SharedArrayBuffer]';
}
