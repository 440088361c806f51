// unrolled: thread-tile with its inner loops written out. The sums have names instead of indices, so that they stay in
// registers on every compiler, and no instruction is spent on counting.
//   BM BN  block of C per workgroup      BK  steps of k per tile      TM TN  elements of C per invocation
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
#for i in 0..TM
#for j in 0..TN
  var sum$(i)_$(j): $accumulate = 0;
#end
#end
  for (var k0 = 0u; k0 < dims.k; k0 += $(BK)) {
#for load in 0..BM*BK/THREADS
    {
      let i = thread + $(load * THREADS);
#if A_K_CONTIGUOUS
      tile_a[i / $(BK)][i % $(BK)] = load_a(row0 + i / $(BK), k0 + i % $(BK));
#else
      tile_a[i % $(BM)][i / $(BM)] = load_a(row0 + i % $(BM), k0 + i / $(BM));
#end
    }
#end
#for load in 0..BK*BN/THREADS
    {
      let i = thread + $(load * THREADS);
#if B_K_CONTIGUOUS
      tile_b[i % $(BK)][i / $(BK)] = load_b(k0 + i % $(BK), col0 + i / $(BK));
#else
      tile_b[i / $(BN)][i % $(BN)] = load_b(k0 + i / $(BN), col0 + i % $(BN));
#end
    }
#end
    workgroupBarrier();
    for (var k = 0u; k < $(BK); k++) {
#for i in 0..TM
      let left$(i) = $accumulate(tile_a[local.y + $(i * ROWS)][k]);
#end
#for j in 0..TN
      let right$(j) = $accumulate(tile_b[k][local.x + $(j * COLUMNS)]);
#end
#for i in 0..TM
#for j in 0..TN
      sum$(i)_$(j) += left$(i) * right$(j);
#end
#end
    }
    workgroupBarrier();
  }
#for i in 0..TM
#for j in 0..TN
  store_c(row0 + local.y + $(i * ROWS), col0 + local.x + $(j * COLUMNS), sum$(i)_$(j));
#end
#end
}
