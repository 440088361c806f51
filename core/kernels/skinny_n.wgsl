// skinny-n: few rows of C. A workgroup computes TM rows and BN columns; neighbouring invocations take neighbouring
// columns of a row-major B, which is read once, and SLICES of invocations share k among them. Their sums meet in workgroup
// memory and are added in a fixed order.
//   TM  rows of C per workgroup      BN  columns of C per workgroup, four an invocation
//   SLICES  parts of k side by side      KS  steps of k that a slice takes at a time
#include operands/operands
#include operands/vectors
#include skinny/left MASK=0
#let LANES = BN / 4
#let THREADS = LANES * SLICES
#let ROWS = min(TM, max(1, 4096 / (SLICES * BN)))
#let LOADS = min(SLICES, 8)

// Of as many rows of C as fit into the 16 KiB that every device has.
var<workgroup> sums: array<array<$accumulate, $(ROWS * BN)>, $(SLICES)>;

// The four columns of an invocation: consecutive ones where a vector holds them, else LANES apart, so that
// neighbouring invocations still read neighbouring elements.
fn gather_right(k: u32, col: u32) -> vec4<$compute> {
#if B_V == 4
  return gather_b(index_b(col, k) / 4, 3u, col, k);
#else
  return vec4<$compute>(load_b(k, col), load_b(k, col + $(LANES)), load_b(k, col + $(2 * LANES)),
                        load_b(k, col + $(3 * LANES)));
#end
}

fn left1(row: u32, k: u32) -> $compute {
#if A_V == 4
  let left = gather_a(index_a(row, k) / 4, 3u, row, k);
  return left[k % 4];
#else
  return load_a(row, k);
#end
}

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u,
        @builtin(local_invocation_index) thread: u32) {
  let group = group_of(id);
  let first_row = group.y * $(TM);
  let first_col = group.x * $(BN);
#if B_V == 1
  let col = first_col + local.x;
#elif BOUNDS
  let col = min(first_col + 4 * local.x, dims.n - 4);  // a vector beyond C repeats the last one; it is never stored
#else
  let col = first_col + 4 * local.x;
#end
#for i in 0..TM
#if BOUNDS
  let row$(i) = min(first_row + $(i), dims.m - 1);
#else
  let row$(i) = first_row + $(i);
#end
  var sum$(i) = vec4<$accumulate>();
#end
  for (var k0 = local.y * $(KS); k0 < dims.k; k0 += $(SLICES * KS)) {
#if BOUNDS
    if (k0 + $(KS) > dims.k) {
      for (var k = k0; k < dims.k; k++) {
        let right = vec4<$accumulate>(gather_right(k, col));
#for i in 0..TM
        sum$(i) += $accumulate(left1(row$(i), k)) * right;
#end
      }
      break;
    }
#end
#for k in 0..KS
    let right$(k) = vec4<$accumulate>(gather_right(k0 + $(k), col));
#end
#for q in 0..KS/4
#for i in 0..TM
    {
      let left = vec4<$accumulate>(left4(row$(i), k0 + $(4 * q)));
#for k in 0..4
      sum$(i) += left[$(k)] * right$(4 * q + k);
#end
    }
#end
#end
  }
#for pass in 0..(TM + ROWS - 1) / ROWS
#let FIRST = pass * ROWS
#let COUNT = min(ROWS, TM - FIRST)
#for i in 0..COUNT
#for j in 0..4
#if B_V == 4
  sums[local.y][$(i * BN) + 4 * local.x + $(j)] = sum$(FIRST + i)[$(j)];
#else
  sums[local.y][$(i * BN) + local.x + $(j * LANES)] = sum$(FIRST + i)[$(j)];
#end
#end
#end
  workgroupBarrier();
  for (var at = thread; at < $(COUNT * BN); at += $(THREADS)) {
    var sum = $accumulate();
    for (var slice = 0u; slice < $(SLICES); slice += $(LOADS)) {
#for u in 0..LOADS
      sum += sums[slice + $(u)][at];
#end
    }
    store_c(first_row + $(FIRST) + at / $(BN), first_col + at % $(BN), sum);
  }
#if FIRST + COUNT < TM
  workgroupBarrier();
#end
#end
}
