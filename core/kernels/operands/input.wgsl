// input: operand X as it is stored. outer: a row of A, a column of B.
//   index_X(outer, k)             its place in the buffer, in elements
//   value_X(outer, k)             the element, as a number; for V == 1
//   value4_X(outer, k)            four from k, a multiple of 4; for V == 4 along k
//   number_X(index, outer, k)     the same at a place that the caller knows
//   number4_X(index, outer, k)    four from 4 * index, along whichever axis is contiguous
//   word_X(outer, k)              eight from k, a multiple of 8, as they are stored; for quantised operands of 4 bits
// BITS is 0 where the buffer is an array of the elements themselves. Otherwise it is their size, and several lie in a
// 32-bit word, the first in its lowest bits: f16 without shader-f16 (16), integers (8 and 4).

fn index_$X(outer: u32, k: u32) -> u32 {
#if K_CONTIGUOUS
  let index = outer * dims.ld$X + k;
#else
  let index = k * dims.ld$X + outer;
#end
#if BASED
  return base.$X + index;
#else
  return index;
#end
}

#if V == 8
// Only a place: the kernel takes the vectors as they are.
#elif V == 1
#if BITS == 8 || BITS == 4
#let PER = 32 / BITS
fn integer_$X(index: u32) -> i32 {
#if SIGNED
  return extractBits(i32($X[index / $(PER)]), $(BITS) * (index % $(PER)), $(BITS));
#else
  return i32(extractBits($X[index / $(PER)], $(BITS) * (index % $(PER)), $(BITS)));
#end
}
#end

fn number_$X(index: u32, outer: u32, k: u32) -> $compute {
#if QUANTISED
  return $compute(dequantise(integer_$X(index), outer, k));
#elif BITS == 16
  return $compute(unpack2x16float($X[index / 2] >> (16 * (index % 2))).x);
#elif BITS == 8
  return $compute(integer_$X(index));
#else
  return $compute($X[index]);
#end
}

fn value_$X(outer: u32, k: u32) -> $compute { return number_$X(index_$X(outer, k), outer, k); }
#else
#if BITS == 8
fn integers_$X(word: u32) -> vec4i {
#if SIGNED
  return (vec4i(i32(word)) << vec4u(24, 16, 8, 0)) >> vec4u(24);
#else
  return vec4i((vec4u(word) >> vec4u(0, 8, 16, 24)) & vec4u(255));
#end
}
#end

fn number4_$X(index: u32, outer: u32, k: u32) -> vec4<$compute> {
#if QUANTISED && BITS == 4
  return vec4<$compute>(dequantise4_of($X[index / 2] >> (16 * (index % 2)), outer, k));
#elif QUANTISED
  return vec4<$compute>(dequantise4(integers_$X($X[index]), outer, k));
#elif BITS == 16
  let words = $X[index];
  return vec4<$compute>(vec4f(unpack2x16float(words.x), unpack2x16float(words.y)));
#elif BITS == 8
  return vec4<$compute>(integers_$X($X[index]));
#else
  return vec4<$compute>($X[index]);
#end
}

#if K_CONTIGUOUS
fn value4_$X(outer: u32, k: u32) -> vec4<$compute> { return number4_$X(index_$X(outer, k) / 4, outer, k); }
#end
#if QUANTISED && BITS == 4
fn word_$X(outer: u32, k: u32) -> u32 { return $X[index_$X(outer, k) / 8]; }
#end
#end
