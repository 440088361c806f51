// The product as it goes on: C fills with the progress of the run, each element from its row and column.
import { block, product } from '../pictures/model.ts';
import type { Context } from '../state.ts';
import { s } from './dom.ts';
import { drawn } from './picture.ts';

/** Where the finger points before a run. */
const RESTING = 26;

export function art({ store, signal }: Context): SVGElement {
  const cells = new Map<string, SVGElement[][]>();
  const svg = s(
    'svg',
    { viewBox: '0 0 300 320', class: 'art', 'aria-hidden': 'true' },
    ...product().map((grid) => drawn(grid, cells)),
  );
  const light = (grid: string, tone: string, lit: readonly (readonly [number, number])[]): void => {
    for (const [row, column] of lit) cells.get(grid)?.[row]?.[column]?.setAttribute('data-tone', tone);
  };
  store.watch(() => {
    const { done, total, run } = store.state;
    const share = run ? Math.min(1, done / Math.max(total, 1)) : 0;
    const count = Math.floor(share * 64);
    const at = run ? Math.min(count, 63) : RESTING;
    const [row, column] = [at >> 3, at & 7];
    for (const rows of cells.values()) for (const cell of rows.flat()) cell.removeAttribute('data-tone');
    light('c', 'past', block(0, 8, 0, 8).slice(0, count));
    light('a', 'past', block(row, 1, 0, 8));
    light('b', 'past', block(0, 8, column, 1));
    light('c', 'now', [[row, column]]);
  }, signal);
  return svg;
}
