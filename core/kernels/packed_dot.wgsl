// packed-dot: integers of 8 bits, four k in a 32-bit word, multiplied and added by one instruction where the hardware has it.
// Otherwise as vec4: words along k pass through workgroup memory, and each invocation keeps TM x TN sums in registers.
//   BM BN  block of C per workgroup      BK  steps of k per tile      TM TN  elements of C per invocation
//   PAD    unused words added to a staged row, so that neighbouring rows start in different memory banks
// The instruction takes two signed or two unsigned words. Where one operand is u8 and the other i8, the unsigned one is
// staged less 128, which is its bits with the highest of each byte turned, as i8; what that takes from a sum,
// 128 times the other operand's elements, is added back. Sums are modulo 2^32, so nothing is lost on the way.
#include operands/operands
#let COLUMNS = BN / TN
#let ROWS = BM / TM
#let THREADS = ROWS * COLUMNS
#let WORDS = BK / 4
#if A_SIGNED != B_SIGNED
#let MIXED = 1
#else
#let MIXED = 0
#end

var<workgroup> tile_a: array<array<u32, $(WORDS + PAD)>, $(BM)>;  // [row][k / 4]
var<workgroup> tile_b: array<array<u32, $(WORDS + PAD)>, $(BN)>;  // [column][k / 4]

// Four k of a row of A, of a column of B; zeros outside.
fn word_a(row: u32, k: u32) -> u32 {
#if BOUNDS
  if (row >= dims.m || k >= dims.k) { return 0; }
#end
  return a[index_a(row, k) / 4];
}

fn word_b(k: u32, col: u32) -> u32 {
#if BOUNDS
  if (k >= dims.k || col >= dims.n) { return 0; }
#end
  return b[index_b(col, k) / 4];
}

@compute @workgroup_size($(WORKGROUP_X), $(WORKGROUP_Y))
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_id) local: vec3u,
        @builtin(local_invocation_index) thread: u32) {
  let group = group_of(id);
  let row0 = group.y * $(BM);
  let col0 = group.x * $(BN);
#for i in 0..TM
#for j in 0..TN
  var sum$(i)_$(j): i32 = 0;
#end
#end
#if MIXED && A_SIGNED
#for i in 0..TM
  var total$(i): i32 = 0;
#end
#elif MIXED
#for j in 0..TN
  var total$(j): i32 = 0;
#end
#end
  for (var k0 = 0u; k0 < dims.k; k0 += $(BK)) {
#for load in 0..BM*WORDS/THREADS
    {
      let i = thread + $(load * THREADS);
#if MIXED && A_SIGNED == 0
      tile_a[i / $(WORDS)][i % $(WORDS)] = word_a(row0 + i / $(WORDS), k0 + i % $(WORDS) * 4) ^ 0x80808080;
#else
      tile_a[i / $(WORDS)][i % $(WORDS)] = word_a(row0 + i / $(WORDS), k0 + i % $(WORDS) * 4);
#end
    }
#end
#for load in 0..BN*WORDS/THREADS
    {
      let i = thread + $(load * THREADS);
#if MIXED && B_SIGNED == 0
      tile_b[i / $(WORDS)][i % $(WORDS)] = word_b(k0 + i % $(WORDS) * 4, col0 + i / $(WORDS)) ^ 0x80808080;
#else
      tile_b[i / $(WORDS)][i % $(WORDS)] = word_b(k0 + i % $(WORDS) * 4, col0 + i / $(WORDS));
#end
    }
#end
    workgroupBarrier();
    for (var w = 0u; w < $(WORDS); w++) {
#for i in 0..TM
      let left$(i) = tile_a[local.y + $(i * ROWS)][w];
#end
#for j in 0..TN
      let right$(j) = tile_b[local.x + $(j * COLUMNS)][w];
#end
#if MIXED && A_SIGNED
#for i in 0..TM
      total$(i) += dot4I8Packed(left$(i), 0x01010101);
#end
#elif MIXED
#for j in 0..TN
      total$(j) += dot4I8Packed(right$(j), 0x01010101);
#end
#end
#for i in 0..TM
#for j in 0..TN
#if A_SIGNED || B_SIGNED
      sum$(i)_$(j) += dot4I8Packed(left$(i), right$(j));
#else
      sum$(i)_$(j) += i32(dot4U8Packed(left$(i), right$(j)));
#end
#end
#end
    }
    workgroupBarrier();
  }
#for i in 0..TM
#for j in 0..TN
#if MIXED && A_SIGNED
  store_c(row0 + local.y + $(i * ROWS), col0 + local.x + $(j * COLUMNS), sum$(i)_$(j) + 128 * total$(i));
#elif MIXED
  store_c(row0 + local.y + $(i * ROWS), col0 + local.x + $(j * COLUMNS), sum$(i)_$(j) + 128 * total$(j));
#else
  store_c(row0 + local.y + $(i * ROWS), col0 + local.x + $(j * COLUMNS), sum$(i)_$(j));
#end
#end
#end
}
