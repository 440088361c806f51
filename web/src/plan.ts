// A plan is data: shader texts, buffers, and the dispatches that carry a product out. The core makes it.
import type { Problem, Role } from './problem.ts';

export interface PlanBuffer {
  role: Role | 'constant' | 'scratch';
  /** At least; a multiple of 4; 0 where no step touches it */
  bytes: number;
  /** Of a constant */
  words?: number[];
  /** Of an operand that is given prepared: how its elements lie */
  layout?: string;
}

export interface Shader {
  label: string;
  wgsl: string;
  entry_point: string;
  workgroup_size: [number, number, number];
  needs_f16: boolean;
  needs_subgroups: boolean;
  needs_subgroup_matrix: boolean;
  proven_in_bounds: boolean;
}

export interface PlanBinding {
  index: number;
  /** Index into Plan.buffers */
  buffer: number;
  writable: boolean;
  offset: number;
  /** 0: up to the buffer's end */
  bytes: number;
}

export interface Dispatch {
  uniforms: number[];
  workgroups: [number, number, number];
  batch_word: number;
}

export interface Step {
  kind: 'multiply' | 'transpose' | 'pad' | 'reduce';
  /** Index into Plan.shaders */
  shader: number;
  bindings: PlanBinding[];
  uniform_binding: number;
  dispatches: Dispatch[];
  workgroup_flops: number;
}

/** Bytes and operations that the plan's kernel asks for, counted from its tiles. */
export interface Traffic {
  flops: number;
  global_bytes: number;
  compulsory_bytes: number;
}

export interface Plan {
  version: number;
  /** Full name, with every parameter */
  kernel: string;
  problem: Problem;
  buffers: PlanBuffer[];
  steps: Step[];
  shaders: Shader[];
  traffic: Traffic;
  split_k: number;
}

/** A plan in two: what is done with one operand alone, once, and the rest, many times. */
export interface SplitPlan {
  prepare: Plan;
  use: Plan;
}

export interface PlanOptions {
  /** By name; empty: the core chooses. A named kernel that cannot run is an error */
  kernel?: string;
  edges?: 'checked' | 'padded';
  /** Parts into which k is cut; 1: none, 0: the core chooses */
  split_k?: number;
  /** Bytes of scratch memory; 0: as much as the limits allow */
  scratch_cap?: number;
  /** Operations that a dispatch may do; 0: any number */
  max_dispatch_flops?: number;
  /** A quantised B becomes numbers before the product */
  dequantise?: boolean;
  /** Looked up before what is shipped; null: no measured choices at all */
  tuning?: TuningData | null;
}

/** Measured choices, as the core's JSON has them: what `wgemm tune` writes. */
export interface TuningData {
  format: 'wgemm tuning';
  version: number;
  entries: Record<string, unknown>[];
}

/** Bytes of a buffer that a binding makes visible to a shader. */
export function boundBytes(plan: Plan, binding: PlanBinding): number {
  const whole = plan.buffers[binding.buffer]?.bytes ?? 0;
  return binding.bytes === 0 ? whole - binding.offset : binding.bytes;
}

export function dispatchCount(plan: Plan): number {
  return plan.steps.reduce((sum, step) => sum + step.dispatches.length, 0);
}

/** Bytes of a step's uniform block; 0 without one. In whole vectors, so that a block may hold vec4u. */
export function uniformBytes(step: Step): number {
  const words = step.dispatches.reduce((most, dispatch) => Math.max(most, dispatch.uniforms.length), 0);
  return Math.ceil(words / 4) * 16;
}
