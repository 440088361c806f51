// Four elements at a time, along the axis in which an operand is contiguous. Included by kernels behind operands/operands.
//   gather_x(index, room, outer, k)  the vector at that place, in vectors of width V; elements past `room` repeat the last
//                                    one; outer and k say the same place, for operands whose elements need more than a load
// A vector has a width V of 4 where the layout is aligned (one load), otherwise 1 (four loads).
// Rows of A and columns of B outside the matrix are clamped to the last one: what they give lands outside C and is never
// stored. Only k beyond the end must give zeros, since it would be added to every element.
#include operands/gather X="a" V=A_V
#include operands/gather X="b" V=B_V

// Zeros for the components of a vector along k that lie at or beyond the end.
fn mask_k(value: vec4<$compute>, k: u32) -> vec4<$compute> {
  return select(vec4<$compute>(), value, vec4u(k, k + 1, k + 2, k + 3) < vec4u(dims.k));
}
