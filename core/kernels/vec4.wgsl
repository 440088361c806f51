// vec4: unrolled, with four consecutive k in one vector: one load moves four elements, one dot() makes four products.
// Both operands must run along k in memory, so A is row-major and B column-major; a step before this kernel copies an
// operand that is not.
//   BM BN  block of C per workgroup      BK  steps of k per tile      TM TN  elements of C per invocation
//   PAD    unused vectors added to a staged row, so that neighbouring rows start in different memory banks
#include operands/operands
#include operands/vectors_along_k
#let COLUMNS = BN / TN
#let ROWS = BM / TM
#let THREADS = ROWS * COLUMNS
#let VECTORS = BK / 4

var<workgroup> tile_a: array<array<vec4<$compute>, $(VECTORS + PAD)>, $(BM)>;  // [row][k / 4]
var<workgroup> tile_b: array<array<vec4<$compute>, $(VECTORS + PAD)>, $(BN)>;  // [column][k / 4]

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
#for load in 0..BM*VECTORS/THREADS
    {
      let i = thread + $(load * THREADS);
      tile_a[i / $(VECTORS)][i % $(VECTORS)] = load_a_k4(row0 + i / $(VECTORS), k0 + i % $(VECTORS) * 4);
    }
#end
#for load in 0..BN*VECTORS/THREADS
    {
      let i = thread + $(load * THREADS);
      tile_b[i / $(VECTORS)][i % $(VECTORS)] = load_b_k4(k0 + i % $(VECTORS) * 4, col0 + i / $(VECTORS));
    }
#end
    workgroupBarrier();
    for (var v = 0u; v < $(VECTORS); v++) {
#for i in 0..TM
      let left$(i) = vec4<$accumulate>(tile_a[local.y + $(i * ROWS)][v]);
#end
#for j in 0..TN
      let right$(j) = vec4<$accumulate>(tile_b[local.x + $(j * COLUMNS)][v]);
#end
#for i in 0..TM
#for j in 0..TN
      sum$(i)_$(j) += dot(left$(i), right$(j));
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
