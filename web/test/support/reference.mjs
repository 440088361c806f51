// A product in float64, plainly: one loop over k for each element, from memory as the problem lays it out.
import { readElement } from './elements.mjs';

const EPSILON = { f32: 2 ** -24, f16: 2 ** -11, i32: 0 };

const ACTIVATIONS = {
  none: (x) => x,
  relu: (x) => Math.max(x, 0),
  gelu: (x) => 0.5 * x * (1 + erf(x / Math.SQRT2)),
  gelu_tanh: (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  silu: (x) => x / (1 + Math.exp(-x)),
  clamp: (x, { lower, upper }) => Math.min(Math.max(x, lower), upper),
};

/** By its series; for the small arguments of the tests. */
function erf(x) {
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** Where the matrices of each product start, in elements behind the offsets of their layouts. */
export function placesOf(batch) {
  if (batch.rank === 0) return batch.table.length > 0 ? batch.table : [{ a: 0, b: 0, c: 0, residual: 0 }];
  let places = [{ a: 0, b: 0, c: 0, residual: 0 }];
  for (let d = 0; d < batch.rank; d++) {
    const along = Array.from({ length: batch.extents[d] }, (_, i) => i);
    places = places.flatMap((place) =>
      along.map((i) => Object.fromEntries(Object.entries(place).map(([role, at]) => [role, at + i * batch[role][d]]))),
    );
  }
  return places;
}

/** Index of element (row, col) of a stored matrix of rows x cols. */
export function indexIn(layout, rows, cols, row, col) {
  const byRow = layout.order === 'row_major';
  const ld = layout.ld || (byRow ? cols : rows);
  return layout.offset + (byRow ? row * ld + col : col * ld + row);
}

/**
 * Calls `each(index, value, bound)` for every element of C: its index in the buffer, what it should be, and by how much
 * it may differ. `problem` is complete, `memory` holds a DataView for each operand (c: as it was before).
 */
export function reference(problem, memory, each) {
  const { m, n, k, a, b, c, epilogue, quantization, alpha, beta } = problem;
  const aAt = (row, col, place) =>
    readElement(a.type, memory.a, place + (problem.trans_a ? indexIn(a, k, m, col, row) : indexIn(a, m, k, row, col)));
  const blocks = quantization.block ? Math.ceil(k / quantization.block) : 0;
  const padded = { ...b, ld: b.ld || (quantization.block ? blocks * quantization.block : 0) };
  const bAt = (row, col, place) => {
    const raw = readElement(
      b.type,
      memory.b,
      place + (problem.trans_b ? indexIn(padded, n, k, col, row) : indexIn(padded, k, n, row, col)),
    );
    if (!quantization.block) return raw;
    const block = Math.floor(row / quantization.block);
    const scale = readElement(quantization.scale_type, memory.scales, col * blocks + block);
    return scale * (raw - zeroOf(problem, memory, col, block, blocks));
  };
  for (const place of placesOf(problem.batch)) {
    for (let row = 0; row < m; row++) {
      for (let col = 0; col < n; col++) {
        let sum = 0;
        let magnitude = 0;
        for (let kk = 0; kk < k; kk++) {
          const product = aAt(row, kk, place.a) * bAt(kk, col, place.b);
          sum += product;
          magnitude += Math.abs(product);
        }
        const at = place.c + indexIn(c, m, n, row, col);
        const old = beta === 0 ? 0 : beta * readElement(c.type, memory.c, at);
        const bias =
          epilogue.bias === 'none'
            ? 0
            : readElement(epilogue.bias_type, memory.bias, epilogue.bias === 'per_row' ? row : col);
        const { residual } = epilogue;
        const added = epilogue.add_residual
          ? readElement(residual.type, memory.residual, place.residual + indexIn(residual, m, n, row, col))
          : 0;
        const value = ACTIVATIONS[epilogue.activation](alpha * sum + old + bias, epilogue) + added;
        const all = Math.abs(alpha) * magnitude + Math.abs(old) + Math.abs(bias) + Math.abs(added);
        // Each of k products and sums rounds once, the epilogue a few times; slopes of activations are below 1.2.
        const bound = 2 * (k + 16) * EPSILON.f32 * all + EPSILON[c.type] * Math.abs(value);
        each(at, value, bound);
      }
    }
  }
}

/** Zero points lie as scales do, each column's in whole bytes. */
function zeroOf({ b, quantization }, memory, col, block, blocks) {
  if (!quantization.zeros) return { u8: 128, u4: 8 }[b.type] ?? 0;
  const perColumn = b.type.endsWith('4') ? Math.ceil(blocks / 2) * 2 : blocks;
  return readElement(b.type, memory.zeros, col * perColumn + block);
}
