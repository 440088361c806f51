// register-tile: a workgroup computes a BM x BN block of C, each invocation TM x TN elements of it in registers. Every BK
// steps of k, a BM x BK tile of A and a BK x BN tile of B pass through workgroup memory, stored k by k so that a row of
// the tile is read as vectors. While one tile is multiplied the next one is already on its way from the storage buffers.
//   BM BN  block of C      BK  steps of k per tile      TM TN  elements of C per invocation      PAD  floats added to a row
//   LX     invocations side by side in a patch of 32 that follow each other; 0: a whole row of the block. Lanes that form
//          a compact patch read fewer different vectors of the tiles. Right for any subgroup size, meant for 32.
//   SLICES groups of invocations that each compute the whole block from their own BK / SLICES of a tile's steps of k, so
//          that few workgroups fill a device. Their sums are added in the end.
#include operands/operands
#include operands/vectors
#let COLUMNS = BN / TN
#let ROWS = BM / TM
#let SLICE = ROWS * COLUMNS
#let THREADS = SLICE * SLICES
#let DEPTH = BK / SLICES
#let LDA = (BM + PAD) / 4
#let LDB = (BN + PAD) / 4
#let LOADS_A = BM * BK / 4 / THREADS
#let LOADS_B = BN * BK / 4 / THREADS

// A step of k is a constant below, and a place in a row the same for all of them: what a WebGPU library adds against
// access beyond an array is then done once, before the loop.
#if SLICES == 1
var<workgroup> tile_a: array<array<vec4<$compute>, $(LDA)>, $(BK)>;
var<workgroup> tile_b: array<array<vec4<$compute>, $(LDB)>, $(BK)>;
#else
// The steps of k of each slice; a row of A's tile with the row of B's behind it. In the end it holds the slices' sums.
#let LD = (BM + BN + PAD) / 4
var<workgroup> tiles: array<array<array<vec4<$compute>, $(LD)>, $(DEPTH)>, $(SLICES)>;
#end

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
#if SLICES == 1
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) t: u32) {
#else
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  let slice = thread / $(SLICE);
  let t = thread % $(SLICE);
#end
  let group = group_of(id);
  let row0 = group.y * $(BM);
  let col0 = group.x * $(BN);
  // Its columns are the vectors tx, tx + COLUMNS, ... of the block; its rows four from 4 ty, four from 4 (ty + ROWS), ...
#if LX == 0
  let tx = t % $(COLUMNS);
  let ty = t / $(COLUMNS);
#else
  let patch_index = t / 32;
  let tx = patch_index % $(COLUMNS / LX) * $(LX) + t % $(LX);
  let ty = patch_index / $(COLUMNS / LX) * $(32 / LX) + t % 32 / $(LX);
#end
#for i in 0..TM
#for j in 0..TN/4
  var sum$(i)_$(j) = vec4<$accumulate>();
#end
#end
#include register_tile/place X="a" outer0="row0" extent="m" B=BM LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS V=A_V
#include register_tile/place X="b" outer0="col0" extent="n" B=BN LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS V=B_V
#if BOUNDS
  if ($(BK) <= dims.k) {
#include register_tile/fetch X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS MASK=0 k0="0u"
#include register_tile/fetch X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS MASK=0 k0="0u"
  } else {
#include register_tile/fetch X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS MASK=1 k0="0u"
#include register_tile/fetch X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS MASK=1 k0="0u"
  }
#else
#include register_tile/fetch X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS MASK=0 k0="0u"
#include register_tile/fetch X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS MASK=0 k0="0u"
#end
  for (var k0 = $(BK)u; ; k0 += $(BK)) {  // k0: where the tile after the one at hand starts
#include register_tile/stage X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS PLACE=0
#include register_tile/stage X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS PLACE=BM/4
    workgroupBarrier();
#if BOUNDS
    if (k0 + $(BK) <= dims.k) {
#else
    if (k0 < dims.k) {
#end
#include register_tile/advance X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS V=A_V
#include register_tile/advance X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS V=B_V
#include register_tile/fetch X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS MASK=0 k0="k0"
#include register_tile/fetch X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS MASK=0 k0="k0"
#if BOUNDS
    } else if (k0 < dims.k) {
#include register_tile/advance X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS V=A_V
#include register_tile/advance X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS V=B_V
#include register_tile/fetch X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS MASK=1 k0="k0"
#include register_tile/fetch X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS MASK=1 k0="k0"
#end
    }
#for k in 0..DEPTH
    {
#for i in 0..TM/4
#if SLICES == 1
      let left$(i) = tile_a[$(k)][$(i * ROWS) + ty];
#else
      let left$(i) = tiles[slice][$(k)][$(i * ROWS) + ty];
#end
#end
#for j in 0..TN/4
#if SLICES == 1
      let right$(j) = tile_b[$(k)][$(j * COLUMNS) + tx];
#else
      let right$(j) = tiles[slice][$(k)][$(BM / 4 + j * COLUMNS) + tx];
#end
#end
#for i in 0..TM
#for j in 0..TN/4
#if INTEGERS
      sum$(i)_$(j) += left$(i / 4)[$(i % 4)] * right$(j);
#else
      sum$(i)_$(j) = fma(vec4<$accumulate>(left$(i / 4)[$(i % 4)]), right$(j), sum$(i)_$(j));
#end
#end
#end
    }
#end
    if (k0 >= dims.k) { break; }
    workgroupBarrier();
  }
#if SLICES > 1
#include register_tile/add_slices
#else
#for i in 0..TM
#for j in 0..TN/4
  store_c4(row0 + 4 * ty + $(i / 4 * ROWS * 4 + i % 4), col0 + 4 * (tx + $(j * COLUMNS)), sum$(i)_$(j));
#end
#end
#end
}
