// Four consecutive k of a row of A or of a column of B at a time. Included by kernels behind operands/operands.
//   load_a_k4(row, k), load_b_k4(k, col)   with k a multiple of 4; zeros outside the matrix
// The planner gives such kernels a row-major A and a column-major B of whole vectors: dims.k is a multiple of 4, and what
// the last vector holds beyond the caller's K is zero.

fn load_a_k4(row: u32, k: u32) -> vec4<$compute> {
#if BOUNDS
  if (row >= dims.m || k >= dims.k) { return vec4<$compute>(); }
#end
  return vec4<$compute>(a[(row * dims.lda + k) / 4]);
}

fn load_b_k4(k: u32, col: u32) -> vec4<$compute> {
#if BOUNDS
  if (k >= dims.k || col >= dims.n) { return vec4<$compute>(); }
#end
  return vec4<$compute>(b[(col * dims.ldb + k) / 4]);
}
