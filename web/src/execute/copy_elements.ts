// C from memory to memory, element by element.
import type { Problem } from '../problem.ts';

/** Copies the elements of every C of the batch, so that what lies between them at the destination stays. */
export function copyElements(problem: Problem, from: Uint8Array, to: Uint8Array): void {
  const { c, m, n } = problem;
  const byRow = c.order === 'row_major';
  const element = c.type === 'f16' ? 2 : 4;
  const lines = byRow ? m : n;
  const length = byRow ? n : m;
  const ld = (c.ld || length) * element;
  for (const start of startsOfC(problem)) {
    for (let line = 0; line < lines; line++) {
      const at = start * element + line * ld;
      to.set(from.subarray(at, at + length * element), at);
    }
  }
}

/** Element at which the C of each product starts. */
function startsOfC({ c, batch }: Problem): number[] {
  if (batch.rank === 0) return batch.table.length === 0 ? [c.offset] : batch.table.map((place) => c.offset + place.c);
  let starts = [c.offset];
  for (let d = 0; d < batch.rank; d++) {
    const stride = batch.c[d] ?? 0;
    const places = Array.from({ length: batch.extents[d] ?? 0 }, (_, i) => i * stride);
    starts = starts.flatMap((start) => places.map((place) => start + place));
  }
  return starts;
}
