// The result: C <- act(alpha sum + beta C + bias) + residual, converted, and stored where C exists.
//   store_c(row, col, sum)        one element
//   store_c4(row, col, sum)       four columns from col, a multiple of 4
// A column-major C is computed as the transposed product, with A and B exchanged by the planner, and so is a C of few
// columns, which is C_BY_COLUMN then where it is row-major.
@group(0) @binding(2) var<storage, read_write> c: array<$c_element>;
#if BIAS_ROW || BIAS_COLUMN
@group(0) @binding($(BIAS_BINDING)) var<storage, read> bias: array<$bias_element>;
#include operands/floats X="bias" WORDS=BIAS_WORDS
#end
#if RESIDUAL
@group(0) @binding($(RESIDUAL_BINDING)) var<storage, read> residual: array<$residual_element>;
#include operands/floats X="residual" WORDS=RESIDUAL_WORDS
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
  value += at_bias(dims.offset_bias + row);
#else
  value += at_bias(row);
#end
#elif BIAS_COLUMN
#if BASED
  value += at_bias(dims.offset_bias + col);
#else
  value += at_bias(col);
#end
#end
  value = activate(value);
#if RESIDUAL
#if RESIDUAL_ROW_MAJOR
  value += at_residual(base.residual + row * dims.ld_residual + col);
#else
  value += at_residual(base.residual + col * dims.ld_residual + row);
#end
#end
  return value;
}
#end

#if C_V == 1
#if C_WORDS
// f16 without shader-f16: two elements share a word, and may belong to different invocations. Each clears the bits of its
// own half and sets them, so in any order of the four both halves come out right.
fn old_c(index: u32) -> f32 { return unpack2x16float(atomicLoad(&c[index / 2]) >> (16 * (index % 2))).x; }
fn put_c(index: u32, value: f32) {
  let shift = 16 * (index % 2);
  atomicAnd(&c[index / 2], ~(0xffffu << shift));
  atomicOr(&c[index / 2], pack2x16float(vec2f(value, 0)) << shift);
}
#elif C_I32
fn put_c(index: u32, value: i32) { c[index] = value; }
#else
fn old_c(index: u32) -> f32 { return f32(c[index]); }
fn put_c(index: u32, value: f32) { c[index] = $c_element(value); }
#end

fn store_c(row: u32, col: u32, sum: $accumulate) {
#if BOUNDS
  if (row >= dims.m || col >= dims.n) { return; }
#end
  let index = index_c(row, col);
#if C_I32 && BETA
  put_c(index, c[index] + sum);
#elif C_I32
  put_c(index, sum);
#elif BETA
  put_c(index, finish(row, col, f32(sum), old_c(index)));
#elif EPILOGUE
  put_c(index, finish(row, col, f32(sum), 0));
#else
  put_c(index, f32(sum));
#end
}

fn store_c4(row: u32, col: u32, sum: vec4<$accumulate>) {
  store_c(row, col, sum.x);
  store_c(row, col + 1, sum.y);
  store_c(row, col + 2, sum.z);
  store_c(row, col + 3, sum.w);
}
#else
#if C_WORDS
fn old_c4(index: u32) -> vec4f { return vec4f(unpack2x16float(c[index].x), unpack2x16float(c[index].y)); }
fn put_c4(index: u32, value: vec4f) { c[index] = vec2u(pack2x16float(value.xy), pack2x16float(value.zw)); }
#elif C_I32
fn put_c4(index: u32, value: vec4i) { c[index] = value; }
#else
fn old_c4(index: u32) -> vec4f { return vec4f(c[index]); }
fn put_c4(index: u32, value: vec4f) { c[index] = $c_element(value); }
#end

fn store_c4(row: u32, col: u32, sum: vec4<$accumulate>) {
#if BOUNDS
  if (row >= dims.m || col >= dims.n) { return; }
#end
  let index = index_c(row, col) / 4;
#if C_I32 && BETA
  put_c4(index, c[index] + sum);
#elif C_I32
  put_c4(index, sum);
#elif EPILOGUE
#if BETA
  let old = old_c4(index);
#else
  let old = vec4f();
#end
  put_c4(index, vec4f(finish(row, col, f32(sum.x), old.x), finish(row, col + 1, f32(sum.y), old.y),
                      finish(row, col + 2, f32(sum.z), old.z), finish(row, col + 3, f32(sum.w), old.w)));
#else
  put_c4(index, vec4f(sum));
#end
}
#end
