// Which lanes work, and where in memory their numbers lie.
import { block, type Cell, type Grid, type Picture, product } from './model.ts';

const lanes: Grid = { id: 'lanes', label: (t) => t.lanes, tint: 'ink', rows: 1, columns: 4, x: 330, y: 196, cell: 30 };

/** 64 numbers, as they lie behind each other. */
function memory(matrix: 'a' | 'b'): Grid {
  return {
    id: 'memory', label: (t) => t.memoryOf(matrix.toUpperCase()), tint: matrix, rows: 4, columns: 16, x: 330, y: 44, cell: 14,
  };
}

function inMemory([row, column]: Cell): Cell {
  const at = row * 8 + column;
  return [Math.floor(at / 16), at % 16];
}

export const naive: Picture = {
  width: 590, height: 324, grids: [...product(), lanes], frames: 8,
  frame: (k) => ({
    phase: 'multiply',
    lit: [
      { grid: 'a', tone: 'past', cells: block(2, 1, 0, k) },
      { grid: 'b', tone: 'past', cells: block(0, k, 3, 1) },
      { grid: 'a', tone: 'now', cells: [[2, k]] },
      { grid: 'b', tone: 'now', cells: [[k, 3]] },
      { grid: 'c', tone: 'now', cells: [[2, 3]] },
      { grid: 'lanes', tone: 'now', cells: [[0, 0]] },
    ],
    counts: { memory: 2 * (k + 1), products: k + 1 },
  }),
};

function filled(along: 'rows' | 'columns'): Picture {
  const matrix = along === 'rows' ? 'a' : 'b';
  return {
    width: 590, height: 324, grids: [...product(), memory(matrix), lanes], frames: 8,
    frame(k) {
      const a = along === 'rows' ? block(0, 4, k, 1) : block(0, 1, k, 1);
      const b = along === 'rows' ? block(k, 1, 0, 1) : block(k, 1, 0, 4);
      const c = along === 'rows' ? block(0, 4, 0, 1) : block(0, 1, 0, 4);
      return {
        phase: 'multiply',
        lit: [
          { grid: 'c', tone: 'own', cells: block(0, 4, 0, 4) },
          { grid: 'a', tone: 'now', cells: a },
          { grid: 'b', tone: 'now', cells: b },
          { grid: 'c', tone: 'now', cells: c },
          { grid: 'memory', tone: 'now', cells: (matrix === 'a' ? a : b).map(inMemory) },
          { grid: 'lanes', tone: 'now', cells: block(0, 1, 0, 4) },
        ],
        counts: { memory: 5 * (k + 1), products: 4 * (k + 1) },
      };
    },
  };
}

export const workgroup = filled('rows');
export const coalesced = filled('columns');
