// quantised: weights are integers with a scale, and perhaps a zero point, for each block along k of each line (a column of
// op(B); a row of the kernel's A where operands are exchanged). A block holds at least 16, so four or eight neighbours share
// them.
//   dequantise(code, outer, k), dequantise4(codes, outer, k)
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
