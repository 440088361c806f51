// tiled: a workgroup computes a TILE x TILE block of C. TILE x TILE pieces of A and B pass through workgroup memory, where
// each element is read TILE times for one read from the storage buffer. Loads outside the matrices give zeros.
//   TILE  edge of the block      ROWS  elements of C per invocation, one below the other, TILE / ROWS apart
//   PAD   unused columns added to a staged row, so that a column's elements fall into different memory banks
#include operands/operands

var<workgroup> tile_a: array<array<$compute, $(TILE + PAD)>, $(TILE)>;
var<workgroup> tile_b: array<array<$compute, $(TILE + PAD)>, $(TILE)>;

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let group = group_of(id);
  let row0 = group.y * $(TILE);
  let col0 = group.x * $(TILE);
#for r in 0..ROWS
  var sum$(r): $accumulate = 0;
#end
  for (var k0 = 0u; k0 < dims.k; k0 += $(TILE)) {
#for r in 0..ROWS
    tile_a[local.y + $(r * TILE / ROWS)][local.x] = load_a(row0 + local.y + $(r * TILE / ROWS), k0 + local.x);
    tile_b[local.y + $(r * TILE / ROWS)][local.x] = load_b(k0 + local.y + $(r * TILE / ROWS), col0 + local.x);
#end
    workgroupBarrier();
    for (var k = 0u; k < $(TILE); k++) {
      let right = $accumulate(tile_b[k][local.x]);
#for r in 0..ROWS
      sum$(r) += $accumulate(tile_a[local.y + $(r * TILE / ROWS)][k]) * right;
#end
    }
    workgroupBarrier();
  }
#for r in 0..ROWS
  store_c(row0 + local.y + $(r * TILE / ROWS), col0 + local.x, sum$(r));
#end
}
