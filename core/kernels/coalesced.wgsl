// coalesced: the same workgroup, but x runs over the columns of C, so that lanes read neighbouring addresses of B.
//   WX  invocations along x, columns of C      WY  invocations along y, rows of C
#include operands/operands

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let group = group_of(id);
  let row = group.y * $(WY) + local.y;
  let col = group.x * $(WX) + local.x;  // neighbouring lanes read and write neighbouring columns
#if BOUNDS
  if (row >= dims.m || col >= dims.n) { return; }
#end
  var sum: $accumulate = 0;
  for (var k = 0u; k < dims.k; k++) {
    sum += $accumulate(load_a(row, k)) * $accumulate(load_b(k, col));
  }
  store_c(row, col, sum);
}
