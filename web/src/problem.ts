// What is to be multiplied, with the field names of the C++ core: C <- act(alpha op(A) op(B) + beta C + bias) +
// residual, once or for a batch of matrices. Fields that are left out take the core's defaults, which the comments say.

/** Types of stored elements. i4 and u4 are quantised weights only: two in a byte, the first in its lower half. */
export type DataType = 'f32' | 'f16' | 'i32' | 'i8' | 'u8' | 'i4' | 'u4';
/** Of a stored element */
export const BITS: Record<DataType, number> = { f32: 32, f16: 16, i32: 32, i8: 8, u8: 8, i4: 4, u4: 4 };

export type Real = number | 'inf' | '-inf' | 'nan';
export type Order = 'row_major' | 'col_major';
export type Bias = 'none' | 'per_row' | 'per_column';
export type Activation = 'none' | 'relu' | 'gelu' | 'gelu_tanh' | 'silu' | 'clamp';

export interface MatrixLayout {
  /** Default f32 */
  type: DataType;
  /** Default row_major */
  order: Order;
  /** Distance between rows (row_major) or columns (col_major), in elements; 0: tight */
  ld: number;
  /** Elements of the buffer in front of the matrix */
  offset: number;
}

/** Elements at which the matrices of one product start, behind the offset of each layout. */
export interface BatchOffsets {
  a: number;
  b: number;
  c: number;
  residual: number;
}

/**
 * A batch by strides (rank above 0), or by a table of places (rank 0). The arrays have an entry for each dimension, all
 * of them equally many, at most 4; in a plan's problem they have 4, behind `rank` without meaning.
 */
export interface Batch {
  /** Dimensions in use. Left out: as many as the arrays have entries; 0: a single product */
  rank: number;
  extents: number[];
  /** Strides in elements; 0 gives all products the same matrix. Left out: 0 */
  a: number[];
  b: number[];
  c: number[];
  residual: number[];
  table: BatchOffsets[];
}

export interface Epilogue {
  bias: Bias;
  bias_type: DataType;
  activation: Activation;
  /** Of clamp; JSON has no infinities, so plans spell them out */
  lower: Real;
  upper: Real;
  add_residual: boolean;
  residual: MatrixLayout;
}

/** Scales for an integer B, in the layout of ONNX's MatMulNBits. */
export interface Quantization {
  /** Elements along k with one scale: a power of two from 16 to 1024; 0: B is not quantised */
  block: number;
  scale_type: DataType;
  zeros: boolean;
}

export interface Problem {
  /** Rows of op(A) and C */
  m: number;
  /** Columns of op(B) and C */
  n: number;
  /** Columns of op(A), rows of op(B) */
  k: number;
  trans_a: boolean;
  trans_b: boolean;
  /** Default 1 */
  alpha: number;
  /** Default 0; then the old C is not read */
  beta: number;
  accumulate: 'standard' | 'f16';
  a: MatrixLayout;
  b: MatrixLayout;
  c: MatrixLayout;
  quantization: Quantization;
  batch: Batch;
  epilogue: Epilogue;
}

/** A problem as a caller writes it: its sizes, and what differs from the defaults. */
export interface ProblemInput extends Partial<Omit<Problem, 'a' | 'b' | 'c' | 'quantization' | 'batch' | 'epilogue'>> {
  m: number;
  n: number;
  k: number;
  a?: Partial<MatrixLayout>;
  b?: Partial<MatrixLayout>;
  c?: Partial<MatrixLayout>;
  quantization?: Partial<Quantization>;
  batch?: Partial<Omit<Batch, 'table'>> & { table?: Partial<BatchOffsets>[] };
  epilogue?: Partial<Omit<Epilogue, 'residual'>> & { residual?: Partial<MatrixLayout> };
}

/** The caller's buffers, in the order of wgemm::BufferRole. */
export const ROLES = ['a', 'b', 'c', 'bias', 'residual', 'scales', 'zeros'] as const;
export type Role = (typeof ROLES)[number];

export interface Description {
  /** "256x128x64 f32 rrc" */
  text: string;
  /** 2 m n k for each product */
  flops: number;
  /** That each buffer must have at least; 0 where the problem has none */
  bytes: Record<Role, number>;
}
