// reduce: adds partial results in a fixed order, so that the same bits come out on every run, and finishes them into C.
// One part is the result of a kernel that worked on whole tiles; several come from a product cut along k; none stand for
// a product with k = 0. Each invocation takes one element of C.
#include operands/dims
#include operands/output

@group(0) @binding(0) var<storage, read> partial: array<$accumulate>;

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let group = group_of(id);
  let row = group.y * $(WORKGROUP_Y) + local.y;
  let col = group.x * $(WORKGROUP_X) + local.x;
  if (row >= dims.m || col >= dims.n) { return; }
  var sum: $accumulate = 0;
  for (var part = 0u; part < dims.parts; part++) {
#if BASED
    sum += partial[base.a + part * dims.part_stride + row * dims.lda + col];
#else
    sum += partial[part * dims.part_stride + row * dims.lda + col];
#end
  }
  store_c(row, col, sum);
}
