// A picture is grids of cells and, for each frame, which cells are lit and what has been counted so far.
import type { Phase, Texts } from '../text/types.ts';

export type Cell = readonly [row: number, column: number];

/** now: in use in this frame. past: was used for the same purpose. own: belongs to the one whose work is shown. */
export type Tone = 'now' | 'past' | 'own';

/** Colours: A, B and C each have theirs wherever they appear. */
export type Tint = 'a' | 'b' | 'c' | 'ink';

export interface Grid {
  id: string;
  label: (texts: Texts['learn']) => string;
  tint: Tint;
  rows: number;
  columns: number;
  x: number;
  y: number;
  cell?: number;                      // edge in the picture's units; 16
  gaps?: { every: number };           // a wider gap after so many rows and columns
}

export interface Lit {
  grid: string;
  tone: Tone;
  cells: readonly Cell[];
}

/** A frame with a title around some grids: memory that a workgroup shares. */
export interface Panel {
  label: (texts: Texts['learn']) => string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Counts {
  memory?: number;
  shared?: number;
  products: number;
}

export interface Frame {
  phase: Phase;
  lit: readonly Lit[];
  counts?: Counts;
}

export interface Picture {
  width: number;
  height: number;
  grids: readonly Grid[];
  panels?: readonly Panel[];
  frames: number;
  frame(index: number): Frame;
}

export const CELL = 16;

export function block(row0: number, rows: number, column0: number, columns: number): Cell[] {
  const cells: Cell[] = [];
  for (let row = row0; row < row0 + rows; row++) {
    for (let column = column0; column < column0 + columns; column++) cells.push([row, column]);
  }
  return cells;
}

/** A, B and C of 8 x 8, placed so that a row of A and a column of B meet in C. */
export function product(x = 0, y = 0): Grid[] {
  const named = (id: 'a' | 'b' | 'c', at: { x: number; y: number }): Grid =>
    ({ id, label: () => id.toUpperCase(), tint: id, rows: 8, columns: 8, ...at });
  return [
    named('b', { x: x + 158, y: y + 20 }),
    named('a', { x: x + 6, y: y + 180 }),
    named('c', { x: x + 158, y: y + 180 }),
  ];
}
