// quantised: weights are integers with a scale, and perhaps a zero point, for each block along k of each line (a column of
// op(B); a row of the kernel's A where operands are exchanged). A block holds at least 16, so four or eight neighbours share
// them.
//   dequantise(code, outer, k), dequantise4(codes, outer, k)
//   dequantise4_of(word, outer, k)   four codes of 4 bits in the low half of a word
//   weights8_of(word, outer, k)      eight, which their scale is still to multiply
//   scale_of(outer, k), zero_of(outer, k)
@group(0) @binding($(SCALES_BINDING)) var<storage, read> scales: array<$scales_element>;
#include operands/floats X="scales" WORDS=SCALES_WORDS
#if ZEROS
@group(0) @binding($(ZEROS_BINDING)) var<storage, read> zeros: array<u32>;
#end

fn block_of(k: u32) -> u32 {
#if BASED
  return base.block + (k >> dims.block_shift);
#else
  return k >> dims.block_shift;
#end
}

fn scale_of(outer: u32, k: u32) -> f32 { return at_scales(dims.offset_scales + outer * dims.scales_ld + block_of(k)); }

fn zero_of(outer: u32, k: u32) -> i32 {
#if ZEROS
#let PER = 32 / CODE_BITS
  let index = dims.offset_zeros + outer * dims.zeros_ld + block_of(k);
#if CODE_SIGNED
  return extractBits(i32(zeros[index / $(PER)]), $(CODE_BITS) * (index % $(PER)), $(CODE_BITS));
#else
  return i32(extractBits(zeros[index / $(PER)], $(CODE_BITS) * (index % $(PER)), $(CODE_BITS)));
#end
#else
  return $(ZERO_POINT);
#end
}

fn dequantise(code: i32, outer: u32, k: u32) -> f32 {
  return scale_of(outer, k) * f32(code - zero_of(outer, k));
}

fn dequantise4(codes: vec4i, outer: u32, k: u32) -> vec4f {
  return scale_of(outer, k) * vec4f(codes - vec4i(zero_of(outer, k)));
}
#if CODE_BITS == 4

// Conversions of integers take GPUs several times as long as other arithmetic, so there are none. The code at bit 4 j of a
// mantissa is worth itself where the exponent is 23 - 4 j: beside a leading 1, 2^(23 - 4 j) + code, which is subtracted
// together with the zero point. All of it is exact, so that the weights are those of dequantise, to the bit.
#if CODE_SIGNED
const SIGNS = 0x88888888u;  // makes codes from -8 codes from 0
const LOWEST = 8;
#else
const SIGNS = 0u;
const LOWEST = 0;
#end

fn codes_and_ones(word: u32) -> vec4f {
  return bitcast<vec4f>((vec4u(word) & vec4u(0xf, 0xf0, 0xf00, 0xf000)) |
                        vec4u(0x4b000000, 0x49000000, 0x47000000, 0x45000000));
}

fn zero_and_ones(outer: u32, k: u32) -> vec4f {
  return vec4f(8388608, 524288, 32768, 2048) + f32(zero_of(outer, k) + LOWEST);
}

fn dequantise4_of(word: u32, outer: u32, k: u32) -> vec4f {
  return scale_of(outer, k) * (codes_and_ones(word ^ SIGNS) - zero_and_ones(outer, k));
}

fn weights8_of(word: u32, outer: u32, k: u32) -> mat2x4f {
  let codes = word ^ SIGNS;
  let zero = zero_and_ones(outer, k);
  return mat2x4f(codes_and_ones(codes) - zero, codes_and_ones(codes >> 16) - zero);
}
#end
