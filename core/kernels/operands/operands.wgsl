// The operands of C <- A * B: how an element is found, converted and guarded. The schedule knows nothing of layouts.
//   load_a(row, k), load_b(k, col)   one element, zero outside the matrix     store_c(row, col, value)   ignored outside
// C is row-major here; a column-major C is computed as the transposed product, with A and B exchanged by the planner.
struct Dims {
  m: u32, n: u32, k: u32,
  lda: u32, ldb: u32, ldc: u32,  // elements between rows (or columns) of each matrix
  group_x: u32, group_y: u32,    // where this dispatch starts in the grid of workgroups
}
@group(0) @binding(0) var<storage, read> a: array<$a_element>;
@group(0) @binding(1) var<storage, read> b: array<$b_element>;
@group(0) @binding(2) var<storage, read_write> c: array<$c_element>;
@group(0) @binding(3) var<uniform> dims: Dims;

// Workgroup in the grid of the whole product: long products are cut into several dispatches.
fn group_of(id: vec3u) -> vec2u {
  return id.xy + vec2u(dims.group_x, dims.group_y);
}

#if A_V == 1
fn load_a(row: u32, k: u32) -> $compute {
#if BOUNDS
  if (row >= dims.m || k >= dims.k) { return 0; }
#end
#if A_K_CONTIGUOUS
  return $compute(a[row * dims.lda + k]);
#else
  return $compute(a[k * dims.lda + row]);
#end
}
#end

#if B_V == 1
fn load_b(k: u32, col: u32) -> $compute {
#if BOUNDS
  if (k >= dims.k || col >= dims.n) { return 0; }
#end
#if B_K_CONTIGUOUS
  return $compute(b[col * dims.ldb + k]);
#else
  return $compute(b[k * dims.ldb + col]);
#end
}
#end

#if C_V == 1
fn store_c(row: u32, col: u32, value: $accumulate) {
#if BOUNDS
  if (row >= dims.m || col >= dims.n) { return; }
#end
  c[row * dims.ldc + col] = $c_element(value);
}
#end
