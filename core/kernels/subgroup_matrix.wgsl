// subgroup-matrix: the device's matrix units multiply. A matrix of MM x MK elements and one of MK x MN lie spread over the
// lanes of a subgroup; one builtin call multiplies them and adds. A workgroup has four subgroups, two by two, each with
// two by two matrices of results: a block of 4 MM x 4 MN of C.
//   MM MN MK  shape that the units multiply      LANES  invocations of a subgroup
//   BK  steps of k per tile      PAD  elements added to a staged row, against bank conflicts
// A matrix load that reaches beyond its array is moved elsewhere without a word, so none is ever issued: both operands
// pass through workgroup memory, filled with zeros beyond the edges, and results beyond the edges never reach C.
#include operands/operands
#let BM = 4 * MM
#let BN = 4 * MN
#let WM = 2 * MM
#let WN = 2 * MN
#let LDA = BK + PAD
#let LDB = WN + PAD
#let THREADS = 4 * LANES
#let PATCH = MM * MN
#let PATCHES = 1

// A half of a tile for each row of subgroups, or column of them: where in it a subgroup finds a matrix is a constant, so
// that what a WebGPU library adds against loads beyond an array is decided when it compiles.
var<workgroup> tile_a: array<array<$compute, $(WM * LDA)>, 2>;  // of a half: [row][k]
var<workgroup> tile_b: array<array<$compute, $(BK * LDB)>, 2>;  // of a half: [k][column]
var<workgroup> patches: array<$accumulate, $(4 * PATCH)>;  // of each quarter a matrix of results, on its way to C

// The dialects give the types Left, Right and Result and the same few functions; matrix/load spells a load in each.
#if MATRIX_EMULATED
#include matrix/emulated LEFT_ROWS=1 RIGHT_ROWS=1 VECTOR=1 PATCH_V=1
#elif MATRIX_TEMPLATE
#include matrix/majorness_template PATCH_V=1
#else
#include matrix/majorness_argument
#end

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
#if MATRIX_TEMPLATE
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) thread: u32,
        @builtin(subgroup_id) subgroup: u32, @builtin(num_subgroups) subgroups: u32) {
#else
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  let subgroup = subgroup_index(thread);
  let subgroups = 4u;
#end
  let group = group_of(id);
  let row0 = group.y * $(BM);
  let col0 = group.x * $(BN);
  // Four subgroups make one pass. A driver that runs this shader with larger ones makes fewer: they take more passes.
  for (var first = 0u; first < 4; first += subgroups) {
    let quarter = min(first + subgroup, 3);
    let half_a = quarter / 2;
    let half_b = quarter % 2;
    let row1 = half_a * $(WM);
    let col1 = half_b * $(WN);
#for i in 0..2
#for j in 0..2
    var sum$(i)_$(j) = Result();  // written out: without a value it keeps that of the pass before on some drivers
#end
#end
    for (var k0 = 0u; k0 < dims.k; k0 += $(BK)) {
      for (var i = thread; i < $(BM * BK); i += $(THREADS)) {
#if A_K_CONTIGUOUS
        let row = i / $(BK);
        tile_a[row / $(WM)][row % $(WM) * $(LDA) + i % $(BK)] = load_a(row0 + row, k0 + i % $(BK));
#else
        let row = i % $(BM);
        tile_a[row / $(WM)][row % $(WM) * $(LDA) + i / $(BM)] = load_a(row0 + row, k0 + i / $(BM));
#end
      }
      for (var i = thread; i < $(BK * BN); i += $(THREADS)) {
#if B_K_CONTIGUOUS
        let col = i / $(BK);
        tile_b[col / $(WN)][i % $(BK) * $(LDB) + col % $(WN)] = load_b(k0 + i % $(BK), col0 + col);
#else
        let col = i % $(BN);
        tile_b[col / $(WN)][i / $(BN) * $(LDB) + col % $(WN)] = load_b(k0 + i / $(BN), col0 + col);
#end
      }
      workgroupBarrier();
#for step in 0..BK/MK
      {
#for i in 0..2
#include matrix/load SIDE="left" TYPE="Left" X="a" FROM="half_" S=step I=i ROWS=1 AT=i*MM*LDA+step*MK LD=LDA UNIT=1
#end
#for j in 0..2
#include matrix/load SIDE="right" TYPE="Right" X="b" FROM="half_" S=step I=j ROWS=1 AT=step*MK*LDB+j*MN LD=LDB UNIT=1
#end
#for i in 0..2
#for j in 0..2
        sum$(i)_$(j) = multiply_add(left$(step)_$(i), right$(step)_$(j), sum$(i)_$(j));
#end
#end
      }
#end
      workgroupBarrier();
    }
    let stores = first + subgroup < 4;
#if C_ALIGNED
    // A block that lies wholly inside goes straight to C, where the units can write rows that start at 16 bytes. That they
    // do is in the text: where C starts in a batch is no uniform value to the compiler.
    if (row0 + $(BM) <= dims.m && col0 + $(BN) <= dims.n) {
      if (stores) {
#for i in 0..2
#for j in 0..2
        store_to_c(index_c(row0 + row1 + $(i * MM), col0 + col1 + $(j * MN)), sum$(i)_$(j));
#end
#end
      }
      continue;
    }
#end
#for i in 0..2
#for j in 0..2
    if (stores) { store_to_patch(quarter * $(PATCH), sum$(i)_$(j)); }
    workgroupBarrier();
    for (var e = first * $(PATCH) + thread; e < min(first + subgroups, 4) * $(PATCH); e += $(THREADS)) {
      let row = e / $(2 * PATCH) * $(WM) + $(i * MM) + e % $(PATCH) / $(MN);
      let col = e / $(PATCH) % 2 * $(WN) + $(j * MN) + e % $(MN);
      store_c(row0 + row, col0 + col, patches[e]);
    }
    workgroupBarrier();
#end
#end
  }
}
