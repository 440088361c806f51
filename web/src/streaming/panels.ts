// A product that the device cannot hold at once, in panels, as the core's calls `panels` and `panel` give it.
import type { PlanOptions } from '../plan.ts';
import type { DataType, Problem, Role } from '../problem.ts';

/** Where lines lie in a buffer, in elements. */
export interface Spacing {
  /** Of the first line of the first matrix */
  start: number;
  /** From a line to the next */
  line: number;
  /** From a matrix to the next */
  matrix: number;
}

/** Lines of elements that lie equally far apart, in matrices that do. */
export interface StridedCopy {
  /** Elements of a line */
  length: number;
  lines: number;
  matrices: number;
  caller: Spacing;
  panel: Spacing;
}

/** What of an operand is on the device at a time. */
export interface Part {
  role: Role;
  caller_type: DataType;
  /** Differs for C alone: f32 sums on the device of what is f16 at the caller's */
  panel_type: DataType;
  /** Of the panel's buffer */
  bytes: number;
  copies: StridedCopy[];
}

export interface Panel {
  problem: Problem;
  /** What the problem takes */
  parts: Part[];
  /** Its C is begun: the old one comes in, where beta is not 0 */
  first_k: boolean;
  /** Its C is finished */
  last_k: boolean;
}

export interface Panels {
  /** With every field */
  whole: Problem;
  /** Of every panel's plan */
  options: PlanOptions;
  /** Those that differ in k alone follow each other and add up in one C */
  count: number;
}
