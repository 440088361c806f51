// The product in one call: host arrays or GPU buffers in, the same kind out.
import { GemmError } from './errors.ts';
import { OPERAND } from './device/usage.ts';
import { copyElements } from './execute/copy_elements.ts';
import { download } from './execute/download.ts';
import { checkGiven, isBufferLike } from './execute/operands.ts';
import { upload } from './execute/upload.ts';
import {
  bytesOf,
  checkArray,
  checkStays,
  type HostArray,
  isHostArray,
  makeResult,
  nameOf,
  type ResultType,
  typeOf,
} from './host_array.ts';
import type { PlanOptions } from './plan.ts';
import { type Description, type Problem, type ProblemInput, type Role, ROLES } from './problem.ts';
import type { Panel, Panels } from './streaming/panels.ts';
import { type Arrays, multiplyInPanels, type StreamHome } from './streaming/stream.ts';

export type Operand = HostArray | GPUBuffer;

/** Sizes and whatever else the problem has, the operands beside A and B, and how it is planned. */
export interface MatmulOptions<C extends ResultType = ResultType> extends Omit<ProblemInput, 'c'>, PlanOptions {
  c?: Partial<NonNullable<ProblemInput['c']>> & { type?: C };
  /** C in place: its old elements count where beta is not 0, and what lies between the elements stays. */
  out?: Operand;
  bias?: Operand;
  residual?: Operand;
  scales?: Operand;
  zeros?: Operand;
  /**
   * Bytes of device memory that a product of arrays alone may take; a larger one passes through it in panels, a million
   * at most. 0: as many as the device's limits allow
   */
  memory_cap?: number;
  signal?: AbortSignal;
}

/** What this needs of the Gemm that it belongs to. */
export interface MatmulHome extends StreamHome {
  describe(problem: ProblemInput): Description;
  /** null: the device can hold the operands at once */
  panels(problem: ProblemInput, options: PlanOptions, memoryCap: number | undefined): Panels | null;
  panel(problem: ProblemInput, options: PlanOptions, memoryCap: number | undefined, index: number): Panel;
}

type Given = Partial<Record<Role, Operand>>;

/** Errors: invalid_argument, unsupported, compilation, out_of_memory, device_lost, cancelled. */
export async function matmul(home: MatmulHome, a: Operand, b: Operand, options: MatmulOptions): Promise<Operand> {
  if (typeof options !== 'object' || options === null) {
    throw new GemmError('invalid_argument', 'options', 'options is missing; it has the sizes: { m, n, k }');
  }
  const {
    out,
    bias,
    residual,
    scales,
    zeros,
    memory_cap,
    signal,
    kernel,
    edges,
    split_k,
    scratch_cap,
    max_dispatch_flops,
    dequantise,
    tuning,
    ...rest
  } = options;
  const planOptions = defined({ kernel, edges, split_k, scratch_cap, max_dispatch_flops, dequantise, tuning });
  const given: Given = operandsOf({ a, b, c: out, bias, residual, scales, zeros });
  const input = withTypes(rest, given);
  const { bytes } = home.describe(input);
  const arrays = arraysOf(given);
  if (arrays === undefined && memory_cap !== undefined && memory_cap !== 0) {
    throw new GemmError(
      'invalid_argument',
      'memory_cap',
      `memory_cap is ${memory_cap}, and an operand is a GPUBuffer; only products of arrays alone pass in panels`,
    );
  }
  const panels = arrays === undefined ? null : home.panels(input, planOptions, memory_cap);
  if (arrays !== undefined && panels !== null) {
    checkHost(panels.whole, given, bytes);
    const c = arrays.c ?? makeResult(panels.whole.c.type, bytes.c);
    const one = (index: number): Panel => home.panel(input, planOptions, memory_cap, index);
    await multiplyInPanels(
      home,
      { ...panels, one, options: { ...planOptions, ...panels.options } },
      { ...arrays, c },
      bytes,
      signal,
    );
    return c;
  }
  const product = await home.product(input, planOptions, signal);
  const { problem } = product.plan;
  checkHost(problem, given, bytes);
  const asArray = given.c === undefined ? isHostArray(a) && isHostArray(b) : isHostArray(given.c);
  const taken: GPUBuffer[] = [];
  try {
    const buffers: Partial<Record<Role, GPUBuffer>> = {};
    for (const role of ROLES) {
      const operand = given[role];
      if (role === 'c' ? operand === undefined || isHostArray(operand) : isHostArray(operand)) {
        if (bytes[role] === 0 && (role !== 'c' || asArray)) continue;
        const pooled = role !== 'c' || asArray;
        const buffer = pooled
          ? await home.pool.take(bytes[role], OPERAND, role, signal)
          : await home.pool.create(bytes[role], OPERAND, role, signal);
        if (pooled) taken.push(buffer);
        const uploads = role !== 'c' || problem.beta !== 0;
        if (uploads && isHostArray(operand)) {
          checkStays(nameOf(role), operand, bytes[role]);
          upload(home, buffer, operand, bytes[role]);
        }
        buffers[role] = buffer;
      } else if (operand !== undefined && !isHostArray(operand)) {
        buffers[role] = operand;
      }
    }
    await product.run(buffers, signal === undefined ? {} : { signal });
    if (!asArray) return buffers.c as GPUBuffer;
    const result = isHostArray(given.c) ? given.c : makeResult(problem.c.type, bytes.c);
    if (buffers.c !== undefined && product.plan.steps.length > 0) {
      const found = await download(home, buffers.c, 0, Math.ceil(bytes.c / 4) * 4, signal);
      checkStays(nameOf('c'), result, bytes.c);
      copyElements(problem, new Uint8Array(found), bytesOf(result));
    }
    return result;
  } finally {
    for (const buffer of taken) home.pool.give(buffer);
  }
}

/** Those that are there. Errors: invalid_argument (what is neither an array nor a buffer). */
function operandsOf(all: { [role in Role]: Operand | null | undefined }): Given {
  const given: Given = {};
  for (const role of ROLES) {
    const operand = all[role];
    if (operand === undefined || operand === null) continue;
    if (!isHostArray(operand) && !isBufferLike(operand)) {
      const name = nameOf(role);
      throw new GemmError('invalid_argument', name, `${name} is neither a typed array nor a GPUBuffer`);
    }
    given[role] = operand;
  }
  return given;
}

/** Where none is a buffer. */
function arraysOf(given: Given): Partial<Arrays> | undefined {
  return Object.values(given).every(isHostArray) ? (given as Partial<Arrays>) : undefined;
}

/** Without the fields that are undefined. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Where the caller names no type, it is that of the array. */
function withTypes(problem: ProblemInput, given: Given): ProblemInput {
  const typed: ProblemInput = { ...problem };
  for (const role of ['a', 'b'] as const) {
    const operand = given[role];
    if (isHostArray(operand)) typed[role] = { type: typeOf(role, operand), ...problem[role] };
    else if (operand === undefined)
      throw new GemmError('invalid_argument', role, `${role} is missing: a typed array or a GPUBuffer`);
  }
  if (isHostArray(given.c)) typed.c = { type: typeOf('out', given.c), ...problem.c };
  if (isHostArray(given.scales))
    typed.quantization = { scale_type: typeOf('scales', given.scales), ...problem.quantization };
  const { residual, ...epilogue } = problem.epilogue ?? {};
  if (isHostArray(given.bias)) epilogue.bias_type ??= typeOf('bias', given.bias);
  const residualType = isHostArray(given.residual) ? { type: typeOf('residual', given.residual) } : {};
  if (problem.epilogue !== undefined || isHostArray(given.bias)) {
    typed.epilogue = { ...epilogue, residual: { ...residualType, ...residual } };
  }
  return typed;
}

function checkHost(problem: Problem, given: Given, bytes: Record<Role, number>): void {
  checkGiven(problem, new Set(Object.keys(given) as Role[]));
  const types = {
    a: problem.a.type,
    b: problem.b.type,
    c: problem.c.type,
    bias: problem.epilogue.bias_type,
    residual: problem.epilogue.residual.type,
    scales: problem.quantization.scale_type,
    zeros: problem.b.type,
  };
  for (const role of ROLES) {
    const operand = given[role];
    const name = nameOf(role);
    if (operand === undefined) {
      if (bytes[role] > 0 && role !== 'c')
        throw new GemmError(
          'invalid_argument',
          name,
          `${name} is missing; the problem has one of ${bytes[role]} bytes`,
        );
    } else if (isHostArray(operand)) {
      checkArray(name, operand, types[role], bytes[role]);
    }
  }
  if (problem.beta !== 0 && given.c === undefined) {
    throw new GemmError('invalid_argument', 'out', `beta is ${problem.beta}, so out must hold the old C`);
  }
}
