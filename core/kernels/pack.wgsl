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
  extent$(d): u32, stride_src$(d): u32,
#end
#if TABLE
  table_src: u32, src_word: u32, // 1; place of the source in an entry of the table
#end
#end
}
@group(0) @binding(0) var<storage, read> src: array<$src_element>;
@group(0) @binding(1) var<storage, read_write> dst: array<$dst_element>;
@group(0) @binding(2) var<uniform> dims: Dims;
#if TABLE
@group(0) @binding($(TABLE_BINDING)) var<storage, read> table: array<u32>;
#end

#if SRC_ROW != DST_ROW
var<workgroup> tile: array<array<f32, 17>, 16>;  // 17: a column falls into 16 different banks
#end
struct Base { src: u32, dst: u32 }
var<private> base: Base;

fn load(row: u32, col: u32) -> f32 {
  if (row >= dims.rows || col >= dims.cols) { return 0; }
#if SRC_ROW
  return f32(src[base.src + row * dims.src_ld + col]);
#else
  return f32(src[base.src + col * dims.src_ld + row]);
#end
}

fn store(row: u32, col: u32, value: f32) {
  if (row >= dims.dst_rows || col >= dims.dst_cols) { return; }
#if DST_ROW
  dst[base.dst + row * dims.dst_ld + col] = $dst_element(value);
#else
  dst[base.dst + col * dims.dst_ld + row] = $dst_element(value);
#end
}

@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let row0 = (id.y + dims.group_y) * 16;
  let col0 = (id.x + dims.group_x) * 16;
#if BASED
  var product = id.z + dims.batch0;
  base = Base(dims.src_offset, product * dims.dst_stride);
#include operands/batch_indices
#include operands/batch_start X="src" word="dims.src_word"
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
