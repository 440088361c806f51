// The caller's buffers for a product, checked against its plan.
import { GemmError } from '../errors.ts';
import { STORAGE } from '../device/usage.ts';
import type { Plan } from '../plan.ts';
import { type Problem, type Role, ROLES } from '../problem.ts';

/** A buffer, or a part of one: from `offset` on, `size` bytes (left out: to the end). */
export type BufferLike = GPUBuffer | GPUBufferBinding | PreparedOperand;

/** The buffers of a product. Only c is written; it must not be a buffer of the others. */
export interface Buffers {
  a?: BufferLike;
  b?: BufferLike;
  c?: BufferLike;
  bias?: BufferLike;
  residual?: BufferLike;
  scales?: BufferLike;
  zeros?: BufferLike;
}

/** A or B, made ready once for many products: what `prepareOperand` gives. */
export interface PreparedOperand {
  readonly operand: 'a' | 'b';
  readonly buffer: GPUBuffer;
  /** How its elements lie; empty: as they were given */
  readonly layout: string;
}

/** A range of a buffer, with its numbers written out. */
export interface View {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  readonly size: number;
  /** Of a prepared operand; undefined: nothing is known of it */
  readonly layout: string | undefined;
}

export type Views = Partial<Record<Role, View>>;

/** How prepared operands lie, by buffer, for those that are handed over as bare buffers too. */
export type Layouts = WeakMap<GPUBuffer, string>;

/** Errors: invalid_argument, naming what is no buffer. */
export function viewsOf(buffers: Buffers, layouts: Layouts): Views {
  if (typeof buffers !== 'object' || buffers === null || ArrayBuffer.isView(buffers)) {
    throw new GemmError('invalid_argument', 'buffers', 'buffers is to be an object: { a, b, c }, a buffer for each');
  }
  const views: Views = {};
  for (const [role, given] of Object.entries(buffers) as [Role, BufferLike | undefined][]) {
    if (!ROLES.includes(role)) {
      throw new GemmError('invalid_argument', role, `there is no buffer '${role}'; there are ${ROLES.join(', ')}`);
    }
    if (given === undefined || given === null) continue;
    if (!isBufferLike(given)) {
      throw new GemmError(
        'invalid_argument',
        role,
        `${role} is no buffer; it may be a GPUBuffer, { buffer, offset, size }, or what prepareOperand gave`,
      );
    }
    views[role] = viewOf(given, layouts);
  }
  return views;
}

/** By what it can do: outside a browser there is no global GPUBuffer. */
function isBuffer(given: unknown): given is GPUBuffer {
  return typeof given === 'object' && given !== null && 'mapAsync' in given;
}

export function isBufferLike(given: unknown): given is BufferLike {
  return (
    isBuffer(given) || (typeof given === 'object' && given !== null && 'buffer' in given && isBuffer(given.buffer))
  );
}

function viewOf(given: BufferLike, layouts: Layouts): View {
  if (!('buffer' in given)) return { buffer: given, offset: 0, size: given.size, layout: layouts.get(given) };
  const { buffer } = given;
  if ('layout' in given) return { buffer, offset: 0, size: buffer.size, layout: given.layout };
  const offset = given.offset ?? 0;
  return { buffer, offset, size: given.size ?? buffer.size - offset, layout: layouts.get(buffer) };
}

/** Refuses an operand that the problem does not have: it would be left out of the result without a word. */
export function checkGiven(problem: Problem, given: ReadonlySet<Role>): void {
  const { epilogue, quantization } = problem;
  const optional: [Role, boolean, string][] = [
    ['bias', epilogue.bias !== 'none', 'epilogue.bias is none'],
    ['residual', epilogue.add_residual, 'epilogue.add_residual is false'],
    ['scales', quantization.block !== 0, 'quantization.block is 0'],
    ['zeros', quantization.zeros && quantization.block !== 0, 'quantization.zeros is false'],
  ];
  for (const [role, wanted, field] of optional) {
    if (!wanted && given.has(role)) {
      throw new GemmError('invalid_argument', role, `${role} is given, but the problem has none: its ${field}`);
    }
  }
}

/** Errors: invalid_argument, naming the operand. */
export function checkOperands(plan: Plan, views: Views, alignment: number): void {
  checkGiven(plan.problem, new Set(Object.keys(views) as Role[]));
  const preparedB = plan.buffers.some(({ role, layout }) => role === 'b' && layout);
  for (const role of ['scales', 'zeros'] as const) {
    // A prepared B is numbers already: other scales would change nothing, without a word.
    if (preparedB && views[role] !== undefined) {
      throw new GemmError(
        'invalid_argument',
        role,
        `${role} is given, but this plan takes a prepared b, which has it in it`,
      );
    }
  }
  for (const { role, bytes, layout = '' } of plan.buffers) {
    if (role === 'constant' || role === 'scratch' || bytes === 0) continue;
    const view = views[role];
    if (view === undefined || view.size < bytes) {
      throw new GemmError(
        'invalid_argument',
        role,
        `buffer ${role} has ${view?.size ?? 0} bytes; ${plan.kernel} needs ${bytes}`,
      );
    }
    checkRange(role, view, alignment);
    if (role !== 'c') checkLayout(role, view.layout, layout);
  }
  const c = views.c?.buffer;
  if (c !== undefined && ROLES.some((role) => role !== 'c' && views[role]?.buffer === c)) {
    throw new GemmError(
      'invalid_argument',
      'c',
      'C must not be the buffer of an input: WebGPU binds no buffer for reading and writing at once',
    );
  }
}

function checkLayout(role: Role, found: string | undefined, wanted: string): void {
  if ((found ?? '') === wanted) return;
  const message =
    wanted === ''
      ? `buffer ${role} is an operand prepared for another plan (${found}); this one takes it as the problem says`
      : `buffer ${role} must be prepared for this plan (${wanted}), by prepareOperand`;
  throw new GemmError('invalid_argument', role, message);
}

function checkRange(role: Role, { buffer, offset, size }: View, alignment: number): void {
  if (!(offset >= 0) || !(size >= 0) || offset + size > buffer.size) {
    throw new GemmError(
      'invalid_argument',
      role,
      `${role} is given as ${size} bytes from byte ${offset} on; the buffer has ${buffer.size}`,
    );
  }
  if ((buffer.usage & STORAGE) === 0) {
    throw new GemmError(
      'invalid_argument',
      role,
      `buffer ${role} was made without the usage STORAGE, so that no shader can bind it`,
    );
  }
  if (offset % alignment !== 0) {
    throw new GemmError(
      'invalid_argument',
      role,
      `buffer ${role} is given from byte ${offset} on; the device binds multiples of ${alignment}`,
    );
  }
}
