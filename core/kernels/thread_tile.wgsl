// thread-tile: an invocation computes TM x TN elements of C and keeps their sums in registers. What it reads from a tile
// serves several products: TM + TN reads for TM * TN of them, where tiled needs two reads for one.
//   BM BN  block of C per workgroup      BK  steps of k per tile      TM TN  elements of C per invocation
// An invocation's rows lie BM / TM apart and its columns BN / TN apart, so that in every read and every store
// neighbouring lanes touch neighbouring columns.
#include operands/operands
#let COLUMNS = BN / TN
#let ROWS = BM / TM
#let THREADS = ROWS * COLUMNS

var<workgroup> tile_a: array<array<$compute, $(BK)>, $(BM)>;  // [row][k]
var<workgroup> tile_b: array<array<$compute, $(BN)>, $(BK)>;  // [k][column]

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u,
        @builtin(local_invocation_index) thread: u32) {
  let group = group_of(id);
  let row0 = group.y * $(BM);
  let col0 = group.x * $(BN);
  var sums: array<$accumulate, $(TM * TN)>;
  for (var k0 = 0u; k0 < dims.k; k0 += $(BK)) {
    // The workgroup loads both tiles together, along the axis in which the matrix lies contiguous in memory.
    for (var i = thread; i < $(BM * BK); i += $(THREADS)) {
#if A_K_CONTIGUOUS
      tile_a[i / $(BK)][i % $(BK)] = load_a(row0 + i / $(BK), k0 + i % $(BK));
#else
      tile_a[i % $(BM)][i / $(BM)] = load_a(row0 + i % $(BM), k0 + i / $(BM));
#end
    }
    for (var i = thread; i < $(BK * BN); i += $(THREADS)) {
#if B_K_CONTIGUOUS
      tile_b[i % $(BK)][i / $(BK)] = load_b(k0 + i % $(BK), col0 + i / $(BK));
#else
      tile_b[i / $(BN)][i % $(BN)] = load_b(k0 + i / $(BN), col0 + i % $(BN));
#end
    }
    workgroupBarrier();
    for (var k = 0u; k < $(BK); k++) {
      var left: array<$accumulate, $(TM)>;
      for (var i = 0u; i < $(TM); i++) { left[i] = $accumulate(tile_a[local.y + i * $(ROWS)][k]); }
      for (var j = 0u; j < $(TN); j++) {
        let right = $accumulate(tile_b[k][local.x + j * $(COLUMNS)]);
        for (var i = 0u; i < $(TM); i++) { sums[i * $(TN) + j] += left[i] * right; }
      }
    }
    workgroupBarrier();
  }
  for (var i = 0u; i < $(TM); i++) {
    for (var j = 0u; j < $(TN); j++) {
      store_c(row0 + local.y + i * $(ROWS), col0 + local.x + j * $(COLUMNS), sums[i * $(TN) + j]);
    }
  }
}
