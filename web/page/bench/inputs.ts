// The numbers that are multiplied: each is a function of its place, so that any part can be made anew anywhere.

/** random: between -1 and 1, of several magnitudes. whole: -3 to 3. Both are exact in f32 and in f16. */
export type InputKind = 'random' | 'whole';
export type ElementType = 'f32' | 'f16';
export type Operand = 'a' | 'b';

const seeds: Record<Operand, number> = { a: 0x9e3779b9, b: 0x7f4a7c15 };

function hash(index: number, seed: number): number {
  let x = (index ^ seed) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** From random bits: a sign, one of four magnitudes, and the ten digits that f16 has. */
function randomHalf(bits: number): number {
  const magnitude = (1024 + ((bits >>> 8) & 1023)) / (2048 << ((bits >>> 18) & 3));
  return bits & 0x80000000 ? -magnitude : magnitude;
}

/** Elements `start` to `start + into.length` of an operand. */
export function fill(into: Float32Array, operand: Operand, kind: InputKind, start: number): void {
  const seed = seeds[operand];
  if (kind === 'random') {
    for (let i = 0; i < into.length; i++) into[i] = randomHalf(hash(start + i, seed));
  } else {
    for (let i = 0; i < into.length; i++) into[i] = (hash(start + i, seed) >>> 8) % 7 - 3;
  }
}

/** Bits of a number that f16 represents exactly, as all inputs are. */
export function halfBits(value: number): number {
  if (value === 0) return 0;
  const sign = value < 0 ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  const exponent = Math.floor(Math.log2(magnitude));
  return sign | ((exponent + 15) << 10) | ((magnitude / 2 ** exponent - 1) * 1024);
}

/** The same elements as bytes for a buffer. */
export function elements(operand: Operand, kind: InputKind, type: ElementType, start: number, count: number):
    Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer> {
  const values = new Float32Array(count);
  fill(values, operand, kind, start);
  return type === 'f32' ? values : Uint16Array.from(values, halfBits);
}
