// What is to be multiplied, with the field names of the C++ core: C <- act(alpha op(A) op(B) + beta C + bias) +
// residual, once or for a batch of matrices. Fields that are left out take the core's defaults, which the comments say.

/** Types of stored elements. i4 and u4 are quantised weights only: two in a byte, the first in its lower half. */
export type DataType = 'f32' | 'f16' | 'i32' | 'i8' | 'u8' | 'i4' | 'u4';
export type Order = 'row_major' | 'col_major';
export type Bias = 'none' | 'per_row' | 'per_column';
export type Activation = 'none' | 'relu' | 'gelu' | 'gelu_tanh' | 'silu' | 'clamp';

export interface MatrixLayout {
  type: DataType; // f32
  order: Order; // row_major
  ld: number; // distance between rows (row_major) or columns (col_major), in elements; 0: tight
  offset: number; // elements of the buffer in front of the matrix
}

/** Elements at which the matrices of one product start, behind the offset of each layout. */
export interface BatchOffsets {
  a: number;
  b: number;
  c: number;
  residual: number;
}

/** A batch by strides (rank above 0), or by a table of places (rank 0). */
export interface Batch {
  rank: number; // dimensions in use, at most 4; 0: a single product
  extents: number[];
  a: number[]; // strides in elements; 0 gives all products the same matrix
  b: number[];
  c: number[];
  residual: number[];
  table: BatchOffsets[];
}

export interface Epilogue {
  bias: Bias;
  bias_type: DataType;
  activation: Activation;
  lower: number; // of clamp
  upper: number;
  add_residual: boolean;
  residual: MatrixLayout;
}

/** Scales for an integer B, in the layout of ONNX's MatMulNBits. */
export interface Quantization {
  block: number; // elements along k with one scale: a power of two from 16 to 1024; 0: B is not quantised
  scale_type: DataType;
  zeros: boolean;
}

export interface Problem {
  m: number; // rows of op(A) and C
  n: number; // columns of op(B) and C
  k: number; // columns of op(A), rows of op(B)
  trans_a: boolean;
  trans_b: boolean;
  alpha: number; // 1
  beta: number; // 0; then the old C is not read
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
  text: string; // "256x128x64 f32 rrc"
  flops: number; // 2 m n k for each product
  bytes: Record<Role, number>; // that each buffer must have at least; 0 where the problem has none
}
