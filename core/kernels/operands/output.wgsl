// The result: C <- act(alpha sum + beta C + bias) + residual, converted, and stored where C exists.
//   store_c(row, col, sum)        one element
//   store_c4(row, col, sum)       four columns from col, a multiple of 4
// A column-major C is computed as the transposed product, with A and B exchanged by the planner, and so is a C of few
// columns, which is C_BY_COLUMN then where it is row-major.
@group(0) @binding(2) var<storage, read_write> c: array<$c_element>;
#if BIAS_ROW || BIAS_COLUMN
@group(0) @binding(4) var<storage, read> bias: array<$bias_element>;
#end
#if RESIDUAL
@group(0) @binding(5) var<storage, read> residual: array<$residual_element>;
#end

fn index_c(row: u32, col: u32) -> u32 {
#if C_BY_COLUMN
  let index = col * dims.ldc + row;
#else
  let index = row * dims.ldc + col;
#end
#if BASED
  return base.c + index;
#else
  return index;
#end
}

#if EPILOGUE
#include operands/activation

// What becomes of a sum; `old` is the element of C that it replaces (0 where beta is).
fn finish(row: u32, col: u32, sum: f32, old: f32) -> f32 {
  var value = sum;
#if SCALED
  value *= dims.alpha;
#end
#if BETA
  value += dims.beta * old;
#end
#if BIAS_ROW
#if BASED
  value += f32(bias[dims.offset_bias + row]);
#else
  value += f32(bias[row]);
#end
#elif BIAS_COLUMN
#if BASED
  value += f32(bias[dims.offset_bias + col]);
#else
  value += f32(bias[col]);
#end
#end
  value = activate(value);
#if RESIDUAL
#if RESIDUAL_ROW_MAJOR
  value += f32(residual[base.residual + row * dims.ld_residual + col]);
#else
  value += f32(residual[base.residual + col * dims.ld_residual + row]);
#end
#end
  return value;
}
#end

#if C_V == 1
fn store_c(row: u32, col: u32, sum: $accumulate) {
#if BOUNDS
  if (row >= dims.m || col >= dims.n) { return; }
#end
  let index = index_c(row, col);
#if BETA
  c[index] = $c_element(finish(row, col, f32(sum), f32(c[index])));
#elif EPILOGUE
  c[index] = $c_element(finish(row, col, f32(sum), 0));
#else
  c[index] = $c_element(sum);
#end
}

fn store_c4(row: u32, col: u32, sum: vec4<$accumulate>) {
  store_c(row, col, sum.x);
  store_c(row, col + 1, sum.y);
  store_c(row, col + 2, sum.z);
  store_c(row, col + 3, sum.w);
}
#else
fn store_c4(row: u32, col: u32, sum: vec4<$accumulate>) {
#if BOUNDS
  if (row >= dims.m || col >= dims.n) { return; }
#end
  let index = index_c(row, col) / 4;
#if EPILOGUE
#if BETA
  let old = vec4f(c[index]);
#else
  let old = vec4f();
#end
  c[index] = $c_element(vec4f(finish(row, col, f32(sum.x), old.x), finish(row, col + 1, f32(sum.y), old.y),
                              finish(row, col + 2, f32(sum.z), old.z), finish(row, col + 3, f32(sum.w), old.w)));
#else
  c[index] = $c_element(sum);
#end
}
#end
