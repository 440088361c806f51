// The uniform block of every kernel. Sizes are never part of a text; what the block holds beyond the first eight words is.
struct Dims {
  m: u32, n: u32, k: u32,
  lda: u32, ldb: u32, ldc: u32,  // elements between rows (or columns) of each matrix
  group_x: u32, group_y: u32,    // where this dispatch starts in the grid of workgroups
#if BASED
  offset_a: u32, offset_b: u32, offset_c: u32, offset_residual: u32,  // elements in front of each matrix
  offset_bias: u32,
#end
#if RANK > 0
  batch0: u32,                   // product of the batch at which this dispatch starts
#for d in 0..RANK
  extent$(d): u32, stride_a$(d): u32, stride_b$(d): u32, stride_c$(d): u32, stride_residual$(d): u32,
#if QUANTISED
  stride_block$(d): u32,
#end
#end
#if TABLE
  table_a: u32, table_b: u32, table_c: u32, table_residual: u32,  // places in an entry of the table, from 1; 0: none
#end
#end
#if QUANTISED
  offset_scales: u32, offset_zeros: u32,  // in front of the first line's
  scales_ld: u32, zeros_ld: u32, block_shift: u32,  // scales a line, zero points a line, log2 of a block
#end
#if SCALED
  alpha: f32, beta: f32,
#end
#if CLAMP
  lower: f32, upper: f32,
#end
#if RESIDUAL
  ld_residual: u32,
#end
#if PARTIALS
  parts: u32, part_stride: u32,  // partial results to add, and elements from one to the next
#end
}
@group(0) @binding($(DIMS_BINDING)) var<uniform> dims: Dims;
#if TABLE
// Where the matrices of each product start, in elements behind the offsets: A, B, C, residual.
@group(0) @binding($(TABLE_BINDING)) var<storage, read> table: array<u32>;
#end

#if BASED
// Where the matrices of this product of the batch start, in elements; for parts of k, in blocks of a quantised one as well.
struct Base { a: u32, b: u32, c: u32, residual: u32, block: u32 }
var<private> base: Base;
#end

// Workgroup in the grid of the whole product: long products are cut into several dispatches.
fn group_of(id: vec3u) -> vec2u {
#if BASED
  base = Base(dims.offset_a, dims.offset_b, dims.offset_c, dims.offset_residual, 0);
#if RANK > 0
  var product = id.z + dims.batch0;
#include operands/batch_indices
#include operands/batch_start X="a"
#include operands/batch_start X="b"
#include operands/batch_start X="c"
#include operands/batch_start X="residual"
#if QUANTISED
#for d in 0..RANK
  base.block += i$(d) * dims.stride_block$(d);
#end
#end
#end
#end
  return id.xy + vec2u(dims.group_x, dims.group_y);
}
