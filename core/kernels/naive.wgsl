// naive: one workgroup of a single invocation per element of C. Each walks a row of A and a column of B.
#include operands/operands

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
fn main(@builtin(workgroup_id) id: vec3u) {
  let group = group_of(id);
  let row = group.y;
  let col = group.x;
  var sum: $accumulate = 0;
  for (var k = 0u; k < dims.k; k++) {
    sum += $accumulate(load_a(row, k)) * $accumulate(load_b(k, col));
  }
  store_c(row, col, sum);
}
