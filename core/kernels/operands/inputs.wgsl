// The factors: where an element is found, converted and guarded.
//   load_a(row, k), load_b(k, col)        one element, zero outside the matrix
//   index_a(row, k), index_b(col, k)      its place in the buffer, in elements
@group(0) @binding(0) var<storage, read> a: array<$a_element>;
@group(0) @binding(1) var<storage, read> b: array<$b_element>;

fn index_a(row: u32, k: u32) -> u32 {
#if A_K_CONTIGUOUS
  let index = row * dims.lda + k;
#else
  let index = k * dims.lda + row;
#end
#if BASED
  return base.a + index;
#else
  return index;
#end
}

fn index_b(col: u32, k: u32) -> u32 {
#if B_K_CONTIGUOUS
  let index = col * dims.ldb + k;
#else
  let index = k * dims.ldb + col;
#end
#if BASED
  return base.b + index;
#else
  return index;
#end
}

#if A_V == 1
fn load_a(row: u32, k: u32) -> $compute {
#if BOUNDS
  if (row >= dims.m || k >= dims.k) { return 0; }
#end
  return $compute(a[index_a(row, k)]);
}
#end

#if B_V == 1
fn load_b(k: u32, col: u32) -> $compute {
#if BOUNDS
  if (k >= dims.k || col >= dims.n) { return 0; }
#end
  return $compute(b[index_b(col, k)]);
}
#end
