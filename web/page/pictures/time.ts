// What happens after or beside what, and who waits.
import { block, type Cell, type Picture } from './model.ts';

/** Rows of 8 words beside rows of 9, in 8 banks: a column of the first queues at one of them. */
export const banks: Picture = {
  width: 540, height: 330, frames: 8,
  grids: [
    { id: 'plain', label: () => 'tile [8][8]', tint: 'a', rows: 8, columns: 8, x: 6, y: 26 },
    { id: 'padded', label: () => 'tile [8][9]', tint: 'a', rows: 8, columns: 9, x: 286, y: 26 },
    { id: 'plain banks', label: (t) => `${t.banks}: ${t.phases.conflict}`, tint: 'ink', rows: 8, columns: 8, x: 6, y: 190 },
    { id: 'padded banks', label: (t) => `${t.banks}: ${t.phases.spread}`, tint: 'ink', rows: 8, columns: 8, x: 286, y: 190 },
  ],
  frame(index) {
    const stacked: Cell[] = block(0, 8, index, 1);
    const spread: Cell[] = block(7, 1, 0, 8);
    return {
      phase: 'read',
      lit: [
        { grid: 'plain', tone: 'now', cells: block(0, 8, index, 1) },
        { grid: 'plain banks', tone: 'now', cells: stacked },
        { grid: 'padded', tone: 'past', cells: block(0, 8, 8, 1) },
        { grid: 'padded', tone: 'now', cells: block(0, 8, index, 1) },
        { grid: 'padded banks', tone: 'now', cells: spread },
      ],
    };
  },
};

/** Sixteen products with counting in between, beside sixteen products. */
export const unrolled: Picture = {
  width: 440, height: 190, frames: 32,
  grids: [
    { id: 'loop', label: (t) => t.loop, tint: 'c', rows: 2, columns: 16, x: 6, y: 26, cell: 24 },
    { id: 'written', label: (t) => t.written, tint: 'c', rows: 1, columns: 16, x: 6, y: 120, cell: 24 },
  ],
  frame(index) {
    const place = (i: number): Cell => [Math.floor(i / 16), i % 16];
    const done = Array.from({ length: index + 1 }, (_, i) => i);
    return {
      phase: index % 2 === 0 ? 'count' : 'multiply',
      lit: [
        { grid: 'loop', tone: 'own', cells: done.filter((i) => i % 2 === 0).map(place) },
        { grid: 'loop', tone: 'now', cells: done.filter((i) => i % 2 === 1).map(place) },
        { grid: 'written', tone: 'now', cells: block(0, 1, 0, Math.min(index + 1, 16)) },
      ],
    };
  },
};

/** Six tiles, loads and arithmetic in turns, and overlapped. */
export const overlap: Picture = {
  width: 470, height: 270, frames: 12,
  grids: [
    { id: 'turns loads', label: (t) => `${t.oneAfterOther}: ${t.loads}`, tint: 'b', rows: 1, columns: 12, x: 6, y: 26, cell: 34 },
    { id: 'turns arithmetic', label: (t) => t.arithmetic, tint: 'c', rows: 1, columns: 12, x: 6, y: 84, cell: 34 },
    { id: 'both loads', label: (t) => `${t.together}: ${t.loads}`, tint: 'b', rows: 1, columns: 12, x: 6, y: 154, cell: 34 },
    { id: 'both arithmetic', label: (t) => t.arithmetic, tint: 'c', rows: 1, columns: 12, x: 6, y: 212, cell: 34 },
  ],
  frame(index) {
    const until = (last: number, wanted: (i: number) => boolean): Cell[] =>
      Array.from({ length: last + 1 }, (_, i) => i).filter(wanted).map((i) => [0, i] as const);
    return {
      phase: index % 2 === 0 ? 'read' : 'multiply',
      lit: [
        { grid: 'turns loads', tone: 'now', cells: until(index, (i) => i % 2 === 0) },
        { grid: 'turns arithmetic', tone: 'now', cells: until(index, (i) => i % 2 === 1) },
        { grid: 'both loads', tone: 'now', cells: until(Math.min(index, 5), () => true) },
        { grid: 'both arithmetic', tone: 'now', cells: until(Math.min(index, 6), (i) => i > 0) },
      ],
    };
  },
};

/** C in four blocks or in sixteen, on eight units. */
export const occupancy: Picture = {
  width: 360, height: 230, frames: 6,
  grids: [
    { id: 'large', label: () => 'C', tint: 'c', rows: 8, columns: 8, x: 6, y: 26, gaps: { every: 4 } },
    { id: 'large units', label: (t) => t.phases.idle, tint: 'ink', rows: 1, columns: 8, x: 6, y: 196, cell: 17 },
    { id: 'small', label: () => 'C', tint: 'c', rows: 8, columns: 8, x: 196, y: 26, gaps: { every: 2 } },
    { id: 'small units', label: (t) => t.phases.busy, tint: 'ink', rows: 1, columns: 8, x: 196, y: 196, cell: 17 },
  ],
  frame(index) {
    const round = Math.floor(index / 3);
    const rows = block(0, 4 * round, 0, 8);
    return {
      phase: 'multiply',
      lit: [
        { grid: 'large', tone: 'now', cells: block(0, 8, 0, 8) },
        { grid: 'large units', tone: 'now', cells: block(0, 1, 0, 4) },
        { grid: 'small', tone: 'past', cells: rows },
        { grid: 'small', tone: 'now', cells: block(4 * round, 4, 0, 8) },
        { grid: 'small units', tone: 'now', cells: block(0, 1, 0, 8) },
      ],
    };
  },
};
