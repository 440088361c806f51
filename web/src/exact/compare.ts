// Whether two products of the same integers are equal.
import type { DataType } from '../problem.ts';

/** The first element of C that differs, in words; undefined where none does. What is no number differs. */
export function differenceOf(type: DataType, found: ArrayBuffer, right: ArrayBuffer, by: string): string | undefined {
  const here = elementsOf(type, found);
  const there = elementsOf(type, right);
  // Numbers are compared, not bits: a sum may be 0 or -0.
  for (let i = 0; i < there.length; i++) {
    if (here[i] === there[i] && !isNoNumber(type, there[i])) continue;
    const [is, was] = [numberOf(type, here[i]), numberOf(type, there[i])];
    if (is === was) continue;
    return `on small integers element ${i} of C is ${is}, and ${was} by ${by}`;
  }
  return undefined;
}

function elementsOf(type: DataType, bytes: ArrayBuffer): Float32Array | Int32Array | Uint16Array {
  if (type === 'i32') return new Int32Array(bytes);
  return type === 'f16' ? new Uint16Array(bytes) : new Float32Array(bytes);
}

function isNoNumber(type: DataType, element: number | undefined): boolean {
  return type === 'f16' && element !== undefined && (element & 0x7fff) > 0x7c00;
}

function numberOf(type: DataType, element: number | undefined): number | undefined {
  return type === 'f16' && element !== undefined ? fromHalf(element) : element;
}

function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}
