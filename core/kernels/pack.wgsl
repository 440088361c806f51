// pack: copies matrices into another order or larger, zero-filled ones (transpose, pad).
// A workgroup moves a 16 x 16 tile; where the order changes it turns the tile in workgroup memory, so that reads and
// writes both run along consecutive addresses.
struct Dims {
  rows: u32, cols: u32,          // of the source; zeros outside
  dst_rows: u32, dst_cols: u32,  // of the destination
  src_ld: u32, dst_ld: u32,      // elements between rows (or columns)
  group_x: u32, group_y: u32,    // where this dispatch starts in the grid of workgroups
#if BASED
  src_offset: u32,               // elements in front of the first source
  dst_stride: u32,               // elements from one destination to the next
  batch0: u32,                   // matrix at which this dispatch starts
#for d in 0..RANK
  extent$(d): u32, src_stride$(d): u32,
#end
#end
}
@group(0) @binding(0) var<storage, read> src: array<$src_element>;
@group(0) @binding(1) var<storage, read_write> dst: array<$dst_element>;
@group(0) @binding(2) var<uniform> dims: Dims;

#if SRC_ROW != DST_ROW
var<workgroup> tile: array<array<f32, 17>, 16>;  // 17: a column falls into 16 different banks
#end
var<private> src_base: u32;
var<private> dst_base: u32;

fn load(row: u32, col: u32) -> f32 {
  if (row >= dims.rows || col >= dims.cols) { return 0; }
#if SRC_ROW
  return f32(src[src_base + row * dims.src_ld + col]);
#else
  return f32(src[src_base + col * dims.src_ld + row]);
#end
}

fn store(row: u32, col: u32, value: f32) {
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
#if BASED
  var matrix = id.z + dims.batch0;
  dst_base = matrix * dims.dst_stride;
  src_base = dims.src_offset;
#for d in 0..RANK
  src_base += matrix % dims.extent$(RANK - 1 - d) * dims.src_stride$(RANK - 1 - d);
  matrix /= dims.extent$(RANK - 1 - d);
#end
#end
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
