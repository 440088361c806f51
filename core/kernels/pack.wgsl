// pack: copies matrices into another order or larger, zero-filled ones (transpose, pad), and into a type that every kernel
// reads: weights dequantised, halfs as f32 where a device has no shader-f16, bytes as i32.
// A workgroup moves a 16 x 16 tile; where the order changes it turns the tile in workgroup memory, so that reads and
// writes both run along consecutive addresses.
#include operands/copy_dims
@group(0) @binding(1) var<storage, read_write> dst: array<$dst_element>;

#if SRC_ROW != DST_ROW
var<workgroup> tile: array<array<$compute, 17>, 16>;  // 17: a column falls into 16 different banks
#end

fn store(row: u32, col: u32, value: $compute) {
  if (row >= dims.dst_rows || col >= dims.dst_cols) { return; }
#if DST_ROW
  dst[dst_base + row * dims.dst_ld + col] = $dst_element(value);
#else
  dst[dst_base + col * dims.dst_ld + row] = $dst_element(value);
#end
}

@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let row0 = (id.y + dims.group_y) * 16;
  let col0 = (id.x + dims.group_x) * 16;
  place(id.z);
#if SRC_ROW == DST_ROW
#if SRC_ROW
  store(row0 + local.y, col0 + local.x, load(row0 + local.y, col0 + local.x));
#else
  store(row0 + local.x, col0 + local.y, load(row0 + local.x, col0 + local.y));
#end
#elif SRC_ROW
  tile[local.y][local.x] = load(row0 + local.y, col0 + local.x);
  workgroupBarrier();
  store(row0 + local.x, col0 + local.y, tile[local.x][local.y]);
#else
  tile[local.x][local.y] = load(row0 + local.x, col0 + local.y);
  workgroupBarrier();
  store(row0 + local.y, col0 + local.x, tile[local.y][local.x]);
#end
}
