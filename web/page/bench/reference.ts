// What the product should be, in float64, without keeping A or B.
import { fill } from './inputs.ts';

/** Rows of C that are compared with the reference. The first and the last are always among them. */
export function sampleRows(n: number, count = 8): number[] {
  const rows = new Set<number>();
  for (let i = 0; i < count; i++) rows.add(Math.round((i * (n - 1)) / Math.max(count - 1, 1)));
  return [...rows];
}

export interface Reference {
  rows: number[];
  product: Float64Array;    // rows.length x n
  magnitude: Float64Array;  // the same rows of |A| · |B|
}

export function reference(n: number): Reference {
  const rows = sampleRows(n);
  const left = rows.map((row) => {
    const line = new Float32Array(n);
    fill(line, 'a', 'random', row * n);
    return line;
  });
  const product = new Float64Array(rows.length * n);
  const magnitude = new Float64Array(rows.length * n);
  const right = new Float32Array(n);
  for (let k = 0; k < n; k++) {
    fill(right, 'b', 'random', k * n);
    for (let r = 0; r < rows.length; r++) {
      const factor = left[r]![k]!;
      for (let col = 0, at = r * n; col < n; col++, at++) {
        const term = factor * right[col]!;
        product[at]! += term;
        magnitude[at]! += Math.abs(term);
      }
    }
  }
  return { rows, product, magnitude };
}

/**
 * Largest error divided by its bound, K u / (1 - K u) · |A| · |B| with u = 2^-24: up to 1 is right, whatever the order
 * of summation. `rows` are the sampled rows of a result, one after the other.
 */
export function errorOverBound(n: number, expected: Reference, rows: Float32Array): number {
  const unit = 2 ** -24;
  const gamma = (n * unit) / (1 - n * unit);
  let worst = 0;
  for (let i = 0; i < expected.product.length; i++) {
    const error = Math.abs(rows[i]! - expected.product[i]!);
    if (!(error <= Number.MAX_VALUE)) return Infinity;  // NaN too
    const bound = gamma * expected.magnitude[i]!;
    if (error > 0) worst = Math.max(worst, error / bound);
  }
  return worst;
}

export interface Identity {
  x: Float64Array;
  product: Float64Array;  // A (B x)
}

/** For whole numbers, C x = A (B x) holds exactly for any x, and takes n² operations where C takes n³. */
export function identity(n: number): Identity {
  const x = Float64Array.from({ length: n }, (_, i) => 1 + (Math.imul(i + 1, 0x9e3779b1) >>> 22));
  const times = (operand: 'a' | 'b', vector: Float64Array): Float64Array => {
    const line = new Float32Array(n);
    return Float64Array.from({ length: n }, (_, row) => {
      fill(line, operand, 'whole', row * n);
      let sum = 0;
      for (let k = 0; k < n; k++) sum += line[k]! * vector[k]!;
      return sum;
    });
  };
  return { x, product: times('a', times('b', x)) };
}

/** Rows from `first` on that break the identity. */
export function wrongRows(n: number, expected: Identity, first: number, rows: Float32Array): number {
  let wrong = 0;
  for (let row = 0; row * n < rows.length; row++) {
    let sum = 0;
    for (let col = 0; col < n; col++) sum += rows[row * n + col]! * expected.x[col]!;
    if (sum !== expected.product[first + row]) wrong++;
  }
  return wrong;
}
