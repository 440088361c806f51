// matrix-tile: matrix units as subgroup-matrix uses them, with what makes them fast. Each subgroup computes WM x WN elements
// of C; tiles are brought in vectors of 16 bytes, in the order in which they lie in memory, while the tile before is
// multiplied; the matrices of the next step are loaded before those of this one are multiplied.
// SLICES subgroups may share the k of every tile among them, and add their results in workgroup memory in a fixed order:
// small blocks of C take few long steps instead of many short ones.
//   BM BN  block of C      BK  steps of k per tile      WM WN  elements of C per subgroup
//   MM MN MK  shape that the units multiply      LANES  invocations of a subgroup
//   PAD  elements added to a staged row, against bank conflicts      AHEAD  tiles on their way while one is multiplied
//   SLICES  parts of the k of a tile, each with subgroups of its own      BUFFERS  tiles in workgroup memory
#include operands/operands
#let VECTOR = 16 / STORED
#let SUBGROUPS_N = BN / WN
#let PLACES = BM / WM * SUBGROUPS_N
#let SUBGROUPS = PLACES * SLICES
#let THREADS = SUBGROUPS * LANES
#let ROWS = WM / MM
#let COLS = WN / MN
#let KS = BK / SLICES
#let STEPS = KS / MK
#let PATCH = MM * MN
#let DIRECT = C_ALIGNED && SLICES == 1
// Workgroup memory for this many matrices of results; several tiles leave room for few.
#if BUFFERS > 1
#let PATCHED = min(SUBGROUPS, 2)
#else
#let PATCHED = SUBGROUPS
#end
// A part of a tile for each row of subgroups, or column of them. LD, SIZE in vectors. Where a line crosses parts, they
// begin in different memory banks, eight vectors wide, so that its vectors are stored at once.
// Each slice of k has such parts, which follow those of the slice before.
#if A_K_CONTIGUOUS
#let LINE_A = BK
#let LDA = (KS + PAD) / VECTOR
#let SIZE_A = WM * LDA + min(SLICES - 1, 1) * ((KS / VECTOR + 8 - WM * LDA % 8) % 8)
#else
#let LINE_A = BM
#let LDA = (WM + PAD) / VECTOR
#let SIZE_A = KS * LDA + (WM / VECTOR + 8 - KS * LDA % 8) % 8
#end
#if B_K_CONTIGUOUS
#let LINE_B = BK
#let LDB = (KS + PAD) / VECTOR
#let SIZE_B = WN * LDB + min(SLICES - 1, 1) * ((KS / VECTOR + 8 - WN * LDB % 8) % 8)
#else
#let LINE_B = BN
#let LDB = (WN + PAD) / VECTOR
#let SIZE_B = KS * LDB + (WN / VECTOR + 8 - KS * LDB % 8) % 8
#end
#let VECTORS_A = BM * BK / VECTOR
#let VECTORS_B = BN * BK / VECTOR
#let LOADS_A = ceil_div(VECTORS_A, THREADS)
#let LOADS_B = ceil_div(VECTORS_B, THREADS)
#let PARTS_A = BM / WM * SLICES
#let PARTS_B = BN / WN * SLICES
// The older builtins take arrays of numbers only; elsewhere elements of arrays are vectors. UNIT: elements in a vector.
#if MATRIX_EMULATED || MATRIX_TEMPLATE
#let UNIT = 1
#else
#let UNIT = VECTOR
#end
#if DIRECT && !BOUNDS
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
var<workgroup> tile_a: array<array<Staged, $(SIZE_A * UNIT)>, $(PARTS_A * BUFFERS)>;  // of a part: [row][k] or [k][row], as A lies
var<workgroup> tile_b: array<array<Staged, $(SIZE_B * UNIT)>, $(PARTS_B * BUFFERS)>;
#include matrix_tile/put X="a"
#include matrix_tile/put X="b"
#if PATCHES
// Matrices of subgroups, one of each if there is room, on their way to C.
#if UNIT == 1
var<workgroup> patches: array<vec4<$accumulate>, $(PATCHED * PATCH / 4)>;
fn patch4(i: u32) -> vec4<$accumulate> { return patches[i]; }
#else
var<workgroup> patches: array<$accumulate, $(PATCHED * PATCH)>;
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
#include matrix/emulated LEFT_ROWS=A_K_CONTIGUOUS RIGHT_ROWS=!B_K_CONTIGUOUS VECTOR=VECTOR PATCH_V=4 C_ALIGNED=DIRECT
#elif MATRIX_TEMPLATE
#include matrix/majorness_template PATCH_V=4 C_ALIGNED=DIRECT
#else
#include matrix/majorness_argument C_ALIGNED=DIRECT
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
#include matrix_tile/place X="a" outer0="row0" extent="m" LINE=LINE_A LD=LDA W=WM PARTS=BM/WM LOADS=LOADS_A VECTORS=VECTORS_A K_CONTIGUOUS=A_K_CONTIGUOUS
#include matrix_tile/place X="b" outer0="col0" extent="n" LINE=LINE_B LD=LDB W=WN PARTS=BN/WN LOADS=LOADS_B VECTORS=VECTORS_B K_CONTIGUOUS=B_K_CONTIGUOUS
  // All subgroups make one pass. A driver that runs this shader with larger ones makes fewer: they take more passes.
#if SLICES > 1
  // Those of one place in C stand side by side; fewer than there are slices take several, one after the other.
  let slices = min(subgroups, $(SLICES));
  let places = subgroups / slices;
  let own_place = subgroup / slices;
  let own_slice = subgroup % slices;
  for (var first = 0u; first < $(PLACES); first += places) {
    let place = min(first + own_place, $(PLACES - 1));
#else
  for (var first = 0u; first < $(SUBGROUPS); first += subgroups) {
    let place = min(first + subgroup, $(SUBGROUPS - 1));
    let part_a = place / $(SUBGROUPS_N);
    let part_b = place % $(SUBGROUPS_N);
    let row1 = part_a * $(WM);
    let col1 = part_b * $(WN);
#end
#for i in 0..ROWS
#for j in 0..COLS
    var sum$(i)_$(j) = Result();  // written out: a variable without a value keeps that of the pass before on some drivers
#end
#end
#if SLICES > 1
    for (var slice0 = 0u; slice0 < $(SLICES); slice0 += slices) {
    let slice = slice0 + own_slice;
    let part_a = slice * $(BM / WM) + place / $(SUBGROUPS_N);
    let part_b = slice * $(SUBGROUPS_N) + place % $(SUBGROUPS_N);
#end
#include matrix_tile/start X="a" LOADS=LOADS_A
#include matrix_tile/start X="b" LOADS=LOADS_B
#if BUFFERS > 1
#include matrix_tile/buffered
#else
#for s in 0..AHEAD
#include matrix_tile/fetch k="0u" AT=s*BK SET=s FIRST=1
#end
    for (var k1 = 0u; k1 < dims.k; k1 += $(AHEAD * BK)) {
#for s in 0..AHEAD
#include matrix_tile/step SET=s
#end
    }
#end
#if SLICES > 1
    }
    let stores = first + own_place < $(PLACES);
#else
    let stores = first + subgroup < $(SUBGROUPS);
#end
#if DIRECT
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
#if SLICES > 1
#include matrix_tile/patch_of_slices
#elif PATCHED < SUBGROUPS
#include matrix_tile/patch_in_turns
#else
#include matrix_tile/patch
#end
#end
#end
#end
  }
}
