// matrix-tile: matrix units as subgroup-matrix uses them, with what makes them fast. Each subgroup computes WM x WN elements
// of C; tiles are brought in vectors of 16 bytes, in the order in which they lie in memory, while the tile before is
// multiplied; the matrices of the next step are loaded before those of this one are multiplied.
//   BM BN  block of C      BK  steps of k per tile      WM WN  elements of C per subgroup
//   MM MN MK  shape that the units multiply      LANES  invocations of a subgroup
//   PAD  elements added to a staged row, against bank conflicts      AHEAD  tiles on their way while one is multiplied
#include operands/operands
#let VECTOR = 16 / STORED
#let SUBGROUPS_N = BN / WN
#let SUBGROUPS = BM / WM * SUBGROUPS_N
#let THREADS = SUBGROUPS * LANES
#let ROWS = WM / MM
#let COLS = WN / MN
#let STEPS = BK / MK
#let PATCH = MM * MN
// A part of a tile for each row of subgroups, or column of them. LD, SIZE in vectors. Where a line crosses parts, they
// begin in different memory banks, eight vectors wide, so that its vectors are stored at once.
#if A_K_CONTIGUOUS
#let LINE_A = BK
#let LDA = (BK + PAD) / VECTOR
#let SIZE_A = WM * LDA
#else
#let LINE_A = BM
#let LDA = (WM + PAD) / VECTOR
#let SIZE_A = BK * LDA + (WM / VECTOR + 8 - BK * LDA % 8) % 8
#end
#if B_K_CONTIGUOUS
#let LINE_B = BK
#let LDB = (BK + PAD) / VECTOR
#let SIZE_B = WN * LDB
#else
#let LINE_B = BN
#let LDB = (WN + PAD) / VECTOR
#let SIZE_B = BK * LDB + (WN / VECTOR + 8 - BK * LDB % 8) % 8
#end
#let LOADS_A = BM * BK / VECTOR / THREADS
#let LOADS_B = BN * BK / VECTOR / THREADS
// The older builtins take arrays of numbers only; elsewhere elements of arrays are vectors. UNIT: elements in a vector.
#if MATRIX_EMULATED || MATRIX_TEMPLATE
#let UNIT = 1
#else
#let UNIT = VECTOR
#end
#if C_ALIGNED && !BOUNDS
#let PATCHES = 0
#else
#let PATCHES = 1
#end

alias Vector = $a_element;
#if UNIT == 1
alias Staged = Vector;
#else
alias Staged = $compute;
#end
// Where in its part a subgroup finds a matrix is a constant: what a WebGPU library adds against loads beyond an array is
// then decided when it compiles.
var<workgroup> tile_a: array<array<Staged, $(SIZE_A * UNIT)>, $(BM / WM)>;  // of a part: [row][k] or [k][row], as A lies
var<workgroup> tile_b: array<array<Staged, $(SIZE_B * UNIT)>, $(BN / WN)>;
#include matrix_tile/put X="a"
#include matrix_tile/put X="b"
#if PATCHES
// A matrix of each subgroup, on its way to C.
#if UNIT == 1
var<workgroup> patches: array<vec4<$accumulate>, $(SUBGROUPS * PATCH / 4)>;
fn patch4(i: u32) -> vec4<$accumulate> { return patches[i]; }
#else
var<workgroup> patches: array<$accumulate, $(SUBGROUPS * PATCH)>;
fn patch4(i: u32) -> vec4<$accumulate> {
  return vec4<$accumulate>(patches[4 * i], patches[4 * i + 1], patches[4 * i + 2], patches[4 * i + 3]);
}
#end
#end

// Vectors from a tile to the next one.
#if A_K_CONTIGUOUS
fn advance_a() -> u32 { return $(BK / VECTOR); }
#else
fn advance_a() -> u32 { return $(BK) * (dims.lda / $(VECTOR)); }
#end
#if B_K_CONTIGUOUS
fn advance_b() -> u32 { return $(BK / VECTOR); }
#else
fn advance_b() -> u32 { return $(BK) * (dims.ldb / $(VECTOR)); }
#end

#if MATRIX_EMULATED
#include matrix/emulated LEFT_ROWS=A_K_CONTIGUOUS RIGHT_ROWS=!B_K_CONTIGUOUS VECTOR=VECTOR PATCH_V=4
#elif MATRIX_TEMPLATE
#include matrix/majorness_template PATCH_V=4
#else
#include matrix/majorness_argument
#end

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
#if MATRIX_TEMPLATE
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) t: u32,
        @builtin(subgroup_id) subgroup: u32, @builtin(num_subgroups) subgroups: u32) {
#else
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) t: u32) {
  let subgroup = subgroup_index(t);
  let subgroups = $(SUBGROUPS)u;
#end
  let group = group_of(id);
  let row0 = group.y * $(BM);
  let col0 = group.x * $(BN);
#include matrix_tile/place X="a" outer0="row0" extent="m" LINE=LINE_A LD=LDA W=WM LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS
#include matrix_tile/place X="b" outer0="col0" extent="n" LINE=LINE_B LD=LDB W=WN LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS
  // All subgroups make one pass. A driver that runs this shader with larger ones makes fewer: they take more passes.
  for (var first = 0u; first < $(SUBGROUPS); first += subgroups) {
    let place = min(first + subgroup, $(SUBGROUPS - 1));
    let part_a = place / $(SUBGROUPS_N);
    let part_b = place % $(SUBGROUPS_N);
    let row1 = part_a * $(WM);
    let col1 = part_b * $(WN);
#for i in 0..ROWS
#for j in 0..COLS
    var sum$(i)_$(j): Result;
#end
#end
#include matrix_tile/start X="a" LOADS=LOADS_A
#include matrix_tile/start X="b" LOADS=LOADS_B
#for s in 0..AHEAD
#include matrix_tile/fetch k="0u" AT=s*BK SET=s FIRST=1
#end
    for (var k1 = 0u; k1 < dims.k; k1 += $(AHEAD * BK)) {
#for s in 0..AHEAD
#include matrix_tile/step SET=s
#end
    }
    let stores = first + subgroup < $(SUBGROUPS);
#if C_ALIGNED
    // A block that lies wholly inside goes straight to C.
#if BOUNDS
    if (row0 + $(BM) <= dims.m && col0 + $(BN) <= dims.n) {
#else
    {
#end
      if (stores) {
#for i in 0..ROWS
#for j in 0..COLS
        store_to_c(index_c(row0 + row1 + $(i * MM), col0 + col1 + $(j * MN)), sum$(i)_$(j));
#end
#end
      }
#if BOUNDS
      continue;
#end
    }
#end
#if PATCHES
#for i in 0..ROWS
#for j in 0..COLS
    if (stores) { store_to_patch(place * $(PATCH), sum$(i)_$(j)); }
    workgroupBarrier();
    for (var e = first * $(PATCH / 4) + t; e < min(first + subgroups, $(SUBGROUPS)) * $(PATCH / 4); e += $(THREADS)) {
      let owner = e / $(PATCH / 4);
      let row = owner / $(SUBGROUPS_N) * $(WM) + $(i * MM) + e % $(PATCH / 4) / $(MN / 4);
      let col = owner % $(SUBGROUPS_N) * $(WN) + $(j * MN) + e % $(MN / 4) * 4;
      store_c4(row0 + row, col0 + col, patch4(e));
    }
    workgroupBarrier();
#end
#end
#end
  }
}
