// workgroup: WX x WY invocations per workgroup, so that the device's lanes are filled. x runs over the rows of C.
//   WX  invocations along x, rows of C      WY  invocations along y, columns of C
#include operands/operands

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let group = group_of(id);
  let row = group.x * $(WX) + local.x;  // neighbouring lanes read neighbouring rows: far apart in memory
  let col = group.y * $(WY) + local.y;
#if BOUNDS
  if (row >= dims.m || col >= dims.n) { return; }
#end
  var sum: $accumulate = 0;
  for (var k = 0u; k < dims.k; k++) {
    sum += $accumulate(load_a(row, k)) * $accumulate(load_b(k, col));
  }
  store_c(row, col, sum);
}
