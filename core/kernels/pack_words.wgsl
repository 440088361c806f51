// pack-words: copies matrices of bytes so that four along k lie in each 32-bit word: a row of words for each line (a row of A, a
// column of B), zeros beyond the end. Each invocation makes one word. Lanes run along the axis in which the source is
// contiguous.
#include operands/copy_dims
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  place(id.z);
#if SRC_ROW
  let line = (id.y + dims.group_y) * 16 + local.y;
  let word = (id.x + dims.group_x) * 16 + local.x;
#else
  let line = (id.y + dims.group_y) * 16 + local.x;
  let word = (id.x + dims.group_x) * 16 + local.y;
#end
  if (line >= dims.dst_rows || 4 * word >= dims.dst_cols) { return; }
  let four = vec4i(load(line, 4 * word), load(line, 4 * word + 1), load(line, 4 * word + 2), load(line, 4 * word + 3));
  let bytes = vec4u(four & vec4i(255)) << vec4u(0, 8, 16, 24);
  dst[(dst_base + line * dims.dst_ld) / 4 + word] = bytes.x | bytes.y | bytes.z | bytes.w;
}
