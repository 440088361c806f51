// reduce: adds partial results in a fixed order, so that the same bits come out on every run, and finishes them into C.
// One part is the result of a kernel that worked on whole tiles; several come from a product cut along k; none stand for
// a product with k = 0. Each invocation takes one element of C, or one of SLICES shares of its parts.
//   ROWS, COLUMNS  of C that a workgroup finishes      SLICES  invocations that share the parts of an element
#include operands/dims
#include operands/output

@group(0) @binding(0) var<storage, read> partial: array<$accumulate>;
#if SLICES > 1
var<workgroup> sums: array<array<$accumulate, $(COLUMNS)>, $(ROWS * SLICES)>;
#end

@compute @workgroup_size($(COLUMNS), $(ROWS * SLICES))
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let group = group_of(id);
  let row = group.y * $(ROWS) + local.y / $(SLICES);
  let first = local.y % $(SLICES);
  let col = group.x * $(COLUMNS) + local.x;
  let exists = row < dims.m && col < dims.n;
  var sum: $accumulate = 0;
  if (exists) {
    for (var part = first; part < dims.parts; part += $(SLICES)) {
#if BASED
      sum += partial[base.a + part * dims.part_stride + row * dims.lda + col];
#else
      sum += partial[part * dims.part_stride + row * dims.lda + col];
#end
    }
  }
#if SLICES > 1
  sums[local.y][local.x] = sum;
  workgroupBarrier();
  if (first > 0) { return; }
#for slice in 1..SLICES
  sum += sums[local.y + $(slice)][local.x];
#end
#end
  if (exists) { store_c(row, col, sum); }
}
