// The uniform block of the copies, and their source.
//   place(z)         finds the matrices of this product of the batch
//   load(row, col)   an element of the source, zero outside
struct Dims {
  rows: u32, cols: u32,          // of the source; zeros outside
  dst_rows: u32, dst_cols: u32,  // of the destination
  ldsrc: u32, dst_ld: u32,       // elements between rows (or columns)
  group_x: u32, group_y: u32,    // where this dispatch starts in the grid of workgroups
#if BASED
  offset_src: u32,               // elements in front of the first source
  dst_stride: u32,               // elements from one destination to the next
  batch0: u32,                   // matrix at which this dispatch starts
#for d in 0..RANK
  extent$(d): u32, stride_src$(d): u32,
#end
#if TABLE
  table_src: u32,                // place of the source in an entry of the table, from 1
#end
#end
#if QUANTISED
  offset_scales: u32, offset_zeros: u32,  // in front of the first line's
  scales_ld: u32, zeros_ld: u32, block_shift: u32,  // scales a line, zero points a line, log2 of a block
#end
}
@group(0) @binding(0) var<storage, read> src: array<$src_element>;
@group(0) @binding(2) var<uniform> dims: Dims;
#if TABLE
@group(0) @binding($(TABLE_BINDING)) var<storage, read> table: array<u32>;
#end
#if BASED
struct Base { src: u32, block: u32 }
var<private> base: Base;
#end
var<private> dst_base: u32;

#if QUANTISED
#include operands/quantised
#end
#include operands/input X="src" K_CONTIGUOUS=SRC_ROW V=1 BITS=SRC_BITS SIGNED=SRC_SIGNED QUANTISED=QUANTISED

fn place(z: u32) {
#if BASED
  var product = z + dims.batch0;
  base = Base(dims.offset_src, 0);
  dst_base = product * dims.dst_stride;
#include operands/batch_indices
#include operands/batch_start X="src"
#end
}

fn load(row: u32, col: u32) -> $compute {
  if (row >= dims.rows || col >= dims.cols) { return 0; }
  return value_src(row, col);
}
