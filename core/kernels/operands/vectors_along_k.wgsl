// Four consecutive k of a row of A or of a column of B at a time. Included by kernels behind operands/operands.
//   load_a_k4(row, k), load_b_k4(k, col)   with k a multiple of 4; zeros outside the matrix
// The planner gives such kernels a row-major A and a column-major B of whole vectors: dims.k is a multiple of 4, and what
// the last vector holds beyond the caller's K is zero. Where rows are not aligned to vectors, four loads gather one.

fn load_a_k4(row: u32, k: u32) -> vec4<$compute> {
#if A_V == 4
#if BOUNDS
  if (row >= dims.m || k >= dims.k) { return vec4<$compute>(); }
#end
  return value4_a(row, k);
#else
  return vec4<$compute>(load_a(row, k), load_a(row, k + 1), load_a(row, k + 2), load_a(row, k + 3));
#end
}

fn load_b_k4(k: u32, col: u32) -> vec4<$compute> {
#if B_V == 4
#if BOUNDS
  if (k >= dims.k || col >= dims.n) { return vec4<$compute>(); }
#end
  return value4_b(col, k);
#else
  return vec4<$compute>(load_b(k, col), load_b(k + 1, col), load_b(k + 2, col), load_b(k + 3, col));
#end
}
