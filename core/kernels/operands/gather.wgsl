// gather: see operands/vectors. A quantised operand always has V == 4, so that single elements need no outer and k.
fn gather_$X(index: u32, room: u32, outer: u32, k: u32) -> vec4<$compute> {
#if V == 4
  return number4_$X(index, outer, k);
#else
  return vec4<$compute>(number_$X(index, 0, 0), number_$X(index + min(1, room), 0, 0),
                        number_$X(index + min(2, room), 0, 0), number_$X(index + min(3, room), 0, 0));
#end
}
