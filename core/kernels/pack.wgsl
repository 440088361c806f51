// pack: copies matrices into another order or larger, zero-filled ones (transpose, pad), and into a type that every kernel
// reads: weights dequantised, halfs as f32 where a device has no shader-f16, bytes as i32.
// Where the order stays a workgroup moves parts of 16 lines, an invocation elements of several. Where it changes, a
// workgroup turns a 16 x 16 tile in workgroup memory, so that reads and writes both run along consecutive addresses.
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

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  place(id.z);
#if SRC_ROW == DST_ROW
#if SRC_ROW
  let row0 = (id.y + dims.group_y) * 16 + local.y;
  let col = (id.x + dims.group_x) * $(WORKGROUP_X) + local.x;
#for i in 0..16/WORKGROUP_Y
  let value$(i) = load(row0 + $(i * WORKGROUP_Y), col);
#end
#for i in 0..16/WORKGROUP_Y
  store(row0 + $(i * WORKGROUP_Y), col, value$(i));
#end
#else
  let row = (id.y + dims.group_y) * $(WORKGROUP_X) + local.x;
  let col0 = (id.x + dims.group_x) * 16 + local.y;
#for i in 0..16/WORKGROUP_Y
  let value$(i) = load(row, col0 + $(i * WORKGROUP_Y));
#end
#for i in 0..16/WORKGROUP_Y
  store(row, col0 + $(i * WORKGROUP_Y), value$(i));
#end
#end
#else
  let row0 = (id.y + dims.group_y) * 16;
  let col0 = (id.x + dims.group_x) * 16;
#if SRC_ROW
  tile[local.y][local.x] = load(row0 + local.y, col0 + local.x);
  workgroupBarrier();
  store(row0 + local.x, col0 + local.y, tile[local.x][local.y]);
#else
  tile[local.x][local.y] = load(row0 + local.x, col0 + local.y);
  workgroupBarrier();
  store(row0 + local.y, col0 + local.x, tile[local.y][local.x]);
#end
#end
}
