// Small integers in every type. Sums of their products are exact in any order, so that products of two kernels can be
// compared for equality.
import type { DataType } from '../problem.ts';

/** Elements of a matrix: `seed` tells matrices apart. */
export interface Drawn {
  readonly type: DataType;
  readonly seed: number;
  /** One of so many elements is not 0, and that one is at most 1: for sums in f16, which end at 2048; 0: -3 to 3 */
  readonly sparse: number;
}

const VALUES = 7;

/** The word that holds an element, and where in it: several in a word for the narrow types. */
const LAYOUT: Record<DataType, { each: number; encode: (value: number) => number }> = {
  f32: { each: 1, encode: (value) => BITS_OF_F32[value + 3] ?? 0 },
  i32: { each: 1, encode: (value) => value },
  f16: { each: 2, encode: (value) => BITS_OF_F16[value + 3] ?? 0 },
  i8: { each: 4, encode: (value) => value & 255 },
  u8: { each: 4, encode: (value) => Math.abs(value) },
  i4: { each: 8, encode: (value) => value & 15 },
  u4: { each: 8, encode: (value) => Math.abs(value) },
};

/** -3 to 3. */
const BITS_OF_F32 = new Uint32Array(Float32Array.of(-3, -2, -1, 0, 1, 2, 3).buffer);
const BITS_OF_F16 = [0xc200, 0xc000, 0xbc00, 0x0000, 0x3c00, 0x4000, 0x4200];

/** Words `first` to `first + count` of a matrix. */
export function integers({ type, seed, sparse }: Drawn, first: number, count: number): Uint32Array<ArrayBuffer> {
  const { each, encode } = LAYOUT[type];
  const encoded = Array.from({ length: VALUES }, (_, value) => encode(value - 3));
  const bits = 32 / each;
  const words = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    let word = 0;
    for (let part = 0; part < each; part++) {
      const random = Math.imul((first + i) * each + part + seed, 2654435761) >>> 7;
      const value = sparse === 0 ? random % VALUES : random % sparse === 0 ? ((random >>> 12) & 1 ? 4 : 2) : 3;
      word |= (encoded[value] ?? 0) << (bits * part);
    }
    words[i] = word;
  }
  return words;
}
