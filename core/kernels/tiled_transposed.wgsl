// tiled-transposed: tiled, but the tile of B is stored transposed, column by column, so that both operands are read along
// k: neighbours in k lie side by side for a row of A and for a column of B.
//   TILE  edge of the block, TILE x TILE invocations
//   PAD   unused elements added to a staged row; without one, the lanes that read TILE elements apart in tile_b share
//         memory banks and wait for each other: the price of this layout, made visible
#include operands/operands

var<workgroup> tile_a: array<array<$compute, $(TILE + PAD)>, $(TILE)>;  // [row][k]
var<workgroup> tile_b: array<array<$compute, $(TILE + PAD)>, $(TILE)>;  // [column][k]

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let group = group_of(id);
  let row0 = group.y * $(TILE);
  let col0 = group.x * $(TILE);
  var sum: $accumulate = 0;
  for (var k0 = 0u; k0 < dims.k; k0 += $(TILE)) {
    tile_a[local.y][local.x] = load_a(row0 + local.y, k0 + local.x);
#if B_K_CONTIGUOUS
    tile_b[local.y][local.x] = load_b(k0 + local.x, col0 + local.y);  // B is stored by columns: no turn is needed
#else
    tile_b[local.x][local.y] = load_b(k0 + local.y, col0 + local.x);
#end
    workgroupBarrier();
    for (var k = 0u; k < $(TILE); k++) {
      sum += $accumulate(tile_a[local.y][k]) * $accumulate(tile_b[local.x][k]);
    }
    workgroupBarrier();
  }
  store_c(row0 + local.y, col0 + local.x, sum);
}
