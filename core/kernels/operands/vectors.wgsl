// Four elements at a time, along the axis in which an operand is contiguous. Included by kernels behind operands/operands.
//   gather_x(index, room)  the vector at that place, in vectors of width V; elements past `room` repeat the last one
// A vector has a width V of 4 where the layout is aligned (one load), otherwise 1 (four loads).
// Rows of A and columns of B outside the matrix are clamped to the last one: what they give lands outside C and is never
// stored. Only k beyond the end must give zeros, since it would be added to every element.

#if A_V == 4
fn gather_a(index: u32, room: u32) -> vec4<$compute> { return vec4<$compute>(a[index]); }
#else
fn gather_a(index: u32, room: u32) -> vec4<$compute> {
  return vec4<$compute>(vec4(a[index], a[index + min(1, room)], a[index + min(2, room)], a[index + min(3, room)]));
}
#end

#if B_V == 4
fn gather_b(index: u32, room: u32) -> vec4<$compute> { return vec4<$compute>(b[index]); }
#else
fn gather_b(index: u32, room: u32) -> vec4<$compute> {
  return vec4<$compute>(vec4(b[index], b[index + min(1, room)], b[index + min(2, room)], b[index + min(3, room)]));
}
#end

// Zeros for the components of a vector along k that lie at or beyond the end.
fn mask_k(value: vec4<$compute>, k: u32) -> vec4<$compute> {
  return select(vec4<$compute>(), value, vec4u(k, k + 1, k + 2, k + 3) < vec4u(dims.k));
}
