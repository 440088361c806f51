// The factors: where an element is found, converted and guarded.
//   load_a(row, k), load_b(k, col)        one element, zero outside the matrix (where vectors have a width of 1)
//   index_a(row, k), index_b(col, k)      its place in the buffer, in elements
@group(0) @binding(0) var<storage, read> a: array<$a_element>;
@group(0) @binding(1) var<storage, read> b: array<$b_element>;
#if QUANTISED
#include operands/quantised
#end
#include operands/input X="a" K_CONTIGUOUS=A_K_CONTIGUOUS V=A_V BITS=A_BITS SIGNED=A_SIGNED QUANTISED=A_QUANTISED
#include operands/input X="b" K_CONTIGUOUS=B_K_CONTIGUOUS V=B_V BITS=B_BITS SIGNED=B_SIGNED QUANTISED=B_QUANTISED

#if A_V == 1
fn load_a(row: u32, k: u32) -> $compute {
#if BOUNDS
  if (row >= dims.m || k >= dims.k) { return 0; }
#end
  return value_a(row, k);
}
#end

#if B_V == 1
fn load_b(k: u32, col: u32) -> $compute {
#if BOUNDS
  if (k >= dims.k || col >= dims.n) { return 0; }
#end
  return value_b(col, k);
}
#end
