// Matrix units emulated for tests on devices without any. LANES invocations in a row stand for a subgroup. A lane owns the
// results in every LANES_X-th column and every LANES_Y-th row, and keeps what it needs for them: those rows of the left
// matrix, those columns of the right one. So lanes exchange nothing, and the number of lanes can be any power of two.
#let LANES_X = min(LANES, MN)
#let LANES_Y = LANES / LANES_X
#let COLS = MN / LANES_X
#let ROWS = ceil_div(MM, LANES_Y)
alias Left = array<$compute, $(ROWS * MK)>;
alias Right = array<$compute, $(COLS * MK)>;
alias Result = array<$accumulate, $(ROWS * COLS)>;

var<private> lane: u32;

fn subgroup_index(thread: u32) -> u32 {
  lane = thread % $(LANES);
  return thread / $(LANES);
}

// Where there are more lanes than results, the surplus lanes stand below the last row; they store nothing.
fn own_row(i: u32) -> u32 { return lane / $(LANES_X) + i * $(LANES_Y); }
fn own_col(j: u32) -> u32 { return lane % $(LANES_X) + j * $(LANES_X); }

fn load_left(offset: u32) -> Left {
  var left: Left;
  for (var i = 0u; i < $(ROWS); i++) {
    let start = offset + min(own_row(i), $(MM - 1)) * $(LDA);
    for (var k = 0u; k < $(MK); k++) { left[i * $(MK) + k] = tile_a[start + k]; }
  }
  return left;
}

fn load_right(offset: u32) -> Right {
  var right: Right;
  for (var j = 0u; j < $(COLS); j++) {
    let start = offset + own_col(j);
    for (var k = 0u; k < $(MK); k++) { right[j * $(MK) + k] = tile_b[start + k * $(LDB)]; }
  }
  return right;
}

// Not every compiler indexes the elements of a parameter at run time, so they are copied into variables.
fn multiply_add(left: Left, right: Right, sum: Result) -> Result {
  var l = left;
  var r = right;
  var s = sum;
  for (var i = 0u; i < $(ROWS); i++) {
    for (var j = 0u; j < $(COLS); j++) {
      for (var k = 0u; k < $(MK); k++) {
        s[i * $(COLS) + j] += $accumulate(l[i * $(MK) + k]) * $accumulate(r[j * $(MK) + k]);
      }
    }
  }
  return s;
}

fn store_to_patch(offset: u32, value: Result) {
  var v = value;
  for (var i = 0u; i < $(ROWS); i++) {
    if (own_row(i) >= $(MM)) { return; }
    for (var j = 0u; j < $(COLS); j++) { patches[offset + own_row(i) * $(MN) + own_col(j)] = v[i * $(COLS) + j]; }
  }
}
#if C_F32

fn store_to_c(offset: u32, value: Result) {
  var v = value;
  for (var i = 0u; i < $(ROWS); i++) {
    if (own_row(i) >= $(MM)) { return; }
    for (var j = 0u; j < $(COLS); j++) { c[offset + own_row(i) * dims.ldc + own_col(j)] = v[i * $(COLS) + j]; }
  }
}
#end
