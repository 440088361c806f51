// Matrix units emulated for tests on devices without any. LANES invocations in a row stand for a subgroup. A lane owns the
// results in every LANES_X-th column and every LANES_Y-th row, and keeps what it needs for them: those rows of the left
// matrix, those columns of the right one. So lanes exchange nothing, and the number of lanes can be any power of two.
//   LEFT_ROWS RIGHT_ROWS  the tile's lines are rows of the matrix      VECTOR  numbers in an element of a tile
//   PATCH_V  numbers in an element of `patches`
#let LANES_X = min(LANES, MN)
#let LANES_Y = LANES / LANES_X
#let OWN_COLS = MN / LANES_X
#let OWN_ROWS = ceil_div(MM, LANES_Y)
alias Left = array<$compute, $(OWN_ROWS * MK)>;
alias Right = array<$compute, $(OWN_COLS * MK)>;
alias Result = array<$accumulate, $(OWN_ROWS * OWN_COLS)>;

var<private> lane: u32;
// MK, as no compiler can know: unrolled, these loops would take drivers minutes to compile.
var<private> steps: u32;

fn subgroup_index(thread: u32) -> u32 {
  lane = thread % $(LANES);
  steps = select($(MK)u, 0u, dims.m == 0u);
  return thread / $(LANES);
}

// Where there are more lanes than results, the surplus lanes stand below the last row; they store nothing.
fn own_row(i: u32) -> u32 { return lane / $(LANES_X) + i * $(LANES_Y); }
fn own_col(j: u32) -> u32 { return lane % $(LANES_X) + j * $(LANES_X); }

#include matrix/emulated_element X="a"
#include matrix/emulated_element X="b"

fn load_left(part: u32, at: u32) -> Left {
  var left: Left;
  for (var i = 0u; i < $(OWN_ROWS); i++) {
    let row = min(own_row(i), $(MM - 1));
    for (var k = 0u; k < steps; k++) {
#if LEFT_ROWS
      left[i * $(MK) + k] = element_a(part, at * $(VECTOR) + row * $(LDA * VECTOR) + k);
#else
      left[i * $(MK) + k] = element_a(part, at * $(VECTOR) + k * $(LDA * VECTOR) + row);
#end
    }
  }
  return left;
}

fn load_right(part: u32, at: u32) -> Right {
  var right: Right;
  for (var j = 0u; j < $(OWN_COLS); j++) {
    let col = own_col(j);
    for (var k = 0u; k < steps; k++) {
#if RIGHT_ROWS
      right[j * $(MK) + k] = element_b(part, at * $(VECTOR) + k * $(LDB * VECTOR) + col);
#else
      right[j * $(MK) + k] = element_b(part, at * $(VECTOR) + col * $(LDB * VECTOR) + k);
#end
    }
  }
  return right;
}

// Not every compiler indexes the elements of a parameter at run time, so they are copied into variables.
fn multiply_add(left: Left, right: Right, sum: Result) -> Result {
  var l = left;
  var r = right;
  var s = sum;
  for (var i = 0u; i < $(OWN_ROWS); i++) {
    for (var j = 0u; j < $(OWN_COLS); j++) {
      for (var k = 0u; k < steps; k++) {
        s[i * $(OWN_COLS) + j] += $accumulate(l[i * $(MK) + k]) * $accumulate(r[j * $(MK) + k]);
      }
    }
  }
  return s;
}

#if PATCHES

fn store_to_patch(at: u32, value: Result) {
  var v = value;
  for (var i = 0u; i < $(OWN_ROWS); i++) {
    if (own_row(i) >= $(MM)) { return; }
    for (var j = 0u; j < $(OWN_COLS); j++) {
      let place = at + own_row(i) * $(MN) + own_col(j);
#if PATCH_V == 1
      patches[place] = v[i * $(OWN_COLS) + j];
#else
      patches[place / $(PATCH_V)][place % $(PATCH_V)] = v[i * $(OWN_COLS) + j];
#end
    }
  }
}
#end
#if C_ALIGNED

fn store_to_c(index: u32, value: Result) {
  var v = value;
  for (var i = 0u; i < $(OWN_ROWS); i++) {
    if (own_row(i) >= $(MM)) { return; }
    for (var j = 0u; j < $(OWN_COLS); j++) {
      let place = index + own_row(i) * dims.ldc + own_col(j);
      c[place] = v[i * $(OWN_COLS) + j];
    }
  }
}
#end
