// f16 and f32 as bits: IEEE 754, rounded to nearest, ties to even, as native/stream/half.hpp does it.
const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

const INFINITY_BITS = 0x7f800000;
const TOO_LARGE_BITS = 0x477ff000; // 65520: halfway to what would follow the largest
const NORMAL_BITS = 0x38800000; // 2^-14
const REBASED = 112 << 23;

/** Bits of the f32 with that value of f16. */
export function floatBits(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) {
    float[0] = fraction * 2 ** -24;
    return (sign | (word[0] ?? 0)) >>> 0;
  }
  return (sign | ((exponent === 0x1f ? 0xff : exponent + 112) << 23) | (fraction << 13)) >>> 0;
}

/** Bits of the f16 next to an f32. */
export function halfBits(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fffffff;
  if (magnitude > INFINITY_BITS) return sign | 0x7e00;
  if (magnitude >= TOO_LARGE_BITS) return sign | 0x7c00;
  if (magnitude < NORMAL_BITS) {
    // In units of 2^-24, which is the last place of an f32 from 0.5 to 1: the sum rounds.
    word[0] = magnitude;
    float[0] = (float[0] ?? 0) + 0.5;
    return sign | ((word[0] ?? 0) - 0x3f000000);
  }
  const rebased = magnitude - REBASED;
  return sign | ((rebased + 0xfff + ((rebased >>> 13) & 1)) >>> 13);
}
