// skinny-k: few rows of C, and a B whose columns are contiguous: LANES neighbouring invocations walk along k, each
// with the dot products of TM rows and TN columns. Their sums meet in workgroup memory and are added in a fixed order,
// so that nothing depends on the size of a subgroup.
//   TM  rows of C per workgroup      TN  columns of C per invocation
//   LANES  invocations along k      GROUPS  of them side by side, with other columns
#include operands/operands
#include operands/vectors
#include skinny/left MASK=BOUNDS
#let BN = TN * GROUPS
#let THREADS = LANES * GROUPS
#let ROWS = min(TM, max(1, 4096 / (BN * (LANES + 1))))
#let LOADS = min(LANES, 8)
// Weights of 4 bits are taken by the word: neighbours read whole lines of memory, and a scale serves eight weights. What is in
// flight hides the latency of memory: several words of each column.
#let WORDS = B_QUANTISED && B_BITS == 4 && B_V == 4
#let UNROLLED = 4

// Of as many rows of C as fit into the 16 KiB that every device has; + 1 against bank conflicts.
var<workgroup> sums: array<array<$accumulate, $(LANES + 1)>, $(ROWS * BN)>;

fn gather_right(k: u32, col: u32) -> vec4<$compute> {
#if B_V == 4
  return gather_b(index_b(col, k) / 4, 3u, col, k);
#elif B_K_CONTIGUOUS && BOUNDS
  return mask_k(gather_b(index_b(col, k), dims.k - 1 - k, col, k), k);
#elif B_K_CONTIGUOUS
  return gather_b(index_b(col, k), 3u, col, k);
#else
  return vec4<$compute>(load_b(k, col), load_b(k + 1, col), load_b(k + 2, col), load_b(k + 3, col));
#end
}

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u,
        @builtin(local_invocation_index) thread: u32) {
  let group = group_of(id);
  let first_row = group.y * $(TM);
  let first_col = group.x * $(BN);
#for i in 0..TM
#if BOUNDS
  let row$(i) = min(first_row + $(i), dims.m - 1);
#else
  let row$(i) = first_row + $(i);
#end
#for j in 0..TN
  var sum$(i)_$(j): $accumulate = 0;
#end
#end
#for j in 0..TN
#if BOUNDS
  let col$(j) = min(first_col + local.y + $(j * GROUPS), dims.n - 1);
#else
  let col$(j) = first_col + local.y + $(j * GROUPS);
#end
#end
#if WORDS
  var k = 8 * local.x;
  for (; k + $(8 * LANES * (UNROLLED - 1)) < dims.k; k += $(8 * LANES * UNROLLED)) {
#include skinny/words COUNT=UNROLLED
  }
  for (; k < dims.k; k += $(8 * LANES)) {
#include skinny/words COUNT=1
  }
#else
  for (var k = 4 * local.x; k < dims.k; k += $(4 * LANES)) {
#for j in 0..TN
    let right$(j) = vec4<$accumulate>(gather_right(k, col$(j)));
#end
#for i in 0..TM
    {
      let left = vec4<$accumulate>(left4(row$(i), k));
#for j in 0..TN
      sum$(i)_$(j) += dot(left, right$(j));
#end
    }
#end
  }
#end
#for pass in 0..(TM + ROWS - 1) / ROWS
#let FIRST = pass * ROWS
#let COUNT = min(ROWS, TM - FIRST)
#for i in 0..COUNT
#for j in 0..TN
  sums[$(i * BN) + local.y + $(j * GROUPS)][local.x] = sum$(FIRST + i)_$(j);
#end
#end
  workgroupBarrier();
  for (var at = thread; at < $(COUNT * BN); at += $(THREADS)) {
    var sum = $accumulate();
    for (var lane = 0u; lane < $(LANES); lane += $(LOADS)) {
#for u in 0..LOADS
      sum += sums[at][lane + $(u)];
#end
    }
    store_c(first_row + $(FIRST) + at / $(BN), first_col + at % $(BN), sum);
  }
#if FIRST + COUNT < TM
  workgroupBarrier();
#end
#end
}
