// Tiles in workgroup memory.
import { block, type Counts, type Frame, type Grid, type Panel, type Picture, product } from './model.ts';

function tile(id: 'tile_a' | 'tile_b', rows: number, columns: number, at: { x: number; y: number }): Grid {
  return { id, label: () => id, tint: id === 'tile_a' ? 'a' : 'b', rows, columns, cell: 20, ...at };
}

const tiles = [
  tile('tile_a', 4, 4, { x: 346, y: 200 }),
  tile('tile_b', 4, 4, { x: 452, y: 200 }),
];

const shared: Panel = { label: (t) => t.sharedMemory, x: 330, y: 146, width: 230, height: 152 };

/** Frames of a tile: stage, wait, four steps of k, wait. */
const PER_TILE = 7;

function tiled(turned: boolean): Picture {
  return {
    width: 590, height: 324, grids: [...product(), ...tiles], panels: [shared], frames: 2 * PER_TILE + 1,
    frame(index): Frame {
      const own = { grid: 'c', tone: 'own', cells: block(0, 4, 4, 4) } as const;
      const counts = (tile: number, k: number): Counts =>
        ({ memory: 32 * tile, shared: 32 * ((tile - 1) * 4 + k), products: 16 * ((tile - 1) * 4 + k) });
      if (index === 2 * PER_TILE) {
        return { phase: 'store', lit: [{ grid: 'c', tone: 'now', cells: block(0, 4, 4, 4) }], counts: counts(2, 4) };
      }
      const [at, step] = [Math.floor(index / PER_TILE), index % PER_TILE];
      const source = [
        { grid: 'a', tone: step === 0 ? 'now' : 'past', cells: block(0, 4, at * 4, 4) },
        { grid: 'b', tone: step === 0 ? 'now' : 'past', cells: block(at * 4, 4, 4, 4) },
      ] as const;
      const staged = (tone: 'now' | 'past') => [
        { grid: 'tile_a', tone, cells: block(0, 4, 0, 4) }, { grid: 'tile_b', tone, cells: block(0, 4, 0, 4) },
      ] as const;
      if (step === 0) return { phase: 'stage', lit: [own, ...source, ...staged('now')], counts: counts(at + 1, 0) };
      if (step === 1 || step === 6) {
        return { phase: 'wait', lit: [own, ...source, ...staged('past')], counts: counts(at + 1, step === 1 ? 0 : 4) };
      }
      const k = step - 2;
      return {
        phase: 'multiply',
        lit: [
          own, ...source, ...staged('past'),
          { grid: 'tile_a', tone: 'now', cells: block(1, 1, k, 1) },
          { grid: 'tile_b', tone: 'now', cells: turned ? block(2, 1, k, 1) : block(k, 1, 2, 1) },
          { grid: 'c', tone: 'now', cells: [[1, 6]] },
        ],
        counts: counts(at + 1, k + 1),
      };
    },
  };
}

export const tiledPicture = tiled(false);
export const transposed = tiled(true);

/** An invocation's registers between two tiles. */
export const threadTile: Picture = {
  width: 600, height: 250, frames: 8,
  panels: [{ label: (t) => t.sharedMemory, x: 4, y: 4, width: 366, height: 226 }],
  grids: [
    tile('tile_a', 8, 8, { x: 18, y: 56 }),
    tile('tile_b', 8, 8, { x: 198, y: 56 }),
    { id: 'registers', label: (t) => t.registers, tint: 'c', rows: 4, columns: 4, x: 396, y: 96, cell: 20 },
  ],
  frame: (k) => ({
    phase: 'multiply',
    lit: [
      { grid: 'tile_a', tone: 'past', cells: [0, 2, 4, 6].flatMap((row) => block(row, 1, 0, k)) },
      { grid: 'tile_b', tone: 'past', cells: [0, 2, 4, 6].flatMap((column) => block(0, k, column, 1)) },
      { grid: 'tile_a', tone: 'now', cells: [0, 2, 4, 6].map((row) => [row, k] as const) },
      { grid: 'tile_b', tone: 'now', cells: [0, 2, 4, 6].map((column) => [k, column] as const) },
      { grid: 'registers', tone: 'now', cells: block(0, 4, 0, 4) },
    ],
    counts: { shared: 8 * (k + 1), products: 16 * (k + 1) },
  }),
};

export const vec4: Picture = {
  width: 300, height: 324, grids: product().map((grid) => ({ ...grid, gaps: { every: 4 } })), frames: 8,
  frame(index) {
    const [element, k] = [Math.floor(index / 2), (index % 2) * 4];
    return {
      phase: 'multiply',
      lit: [
        { grid: 'c', tone: 'past', cells: block(1, 1, 0, element) },
        { grid: 'a', tone: 'past', cells: block(1, 1, 0, k) },
        { grid: 'b', tone: 'past', cells: block(0, k, element, 1) },
        { grid: 'a', tone: 'now', cells: block(1, 1, k, 4) },
        { grid: 'b', tone: 'now', cells: block(k, 4, element, 1) },
        { grid: 'c', tone: 'now', cells: [[1, element]] },
      ],
      counts: { memory: 8 * (index + 1), products: 4 * (index + 1) },
    };
  },
};

/** Four subgroups, a quarter of the block each, in pieces of 2 x 2. */
export const matrixUnits: Picture = {
  width: 300, height: 324, grids: product().map((grid) => ({ ...grid, gaps: { every: 2 } })), frames: 8,
  frame(index) {
    const [quarter, k] = [Math.floor(index / 4) * 2 + (index % 2), (Math.floor(index / 2) % 2) * 4];
    const [row, col] = [Math.floor(quarter / 2) * 4, (quarter % 2) * 4];
    return {
      phase: 'multiply',
      lit: [
        { grid: 'c', tone: 'past', cells: block(0, 8, 0, 8) },
        { grid: 'a', tone: 'past', cells: block(0, 8, k, 2) },
        { grid: 'b', tone: 'past', cells: block(k, 2, 0, 8) },
        { grid: 'a', tone: 'now', cells: block(row, 4, k, 2) },
        { grid: 'b', tone: 'now', cells: block(k, 2, col, 4) },
        { grid: 'c', tone: 'now', cells: block(row, 4, col, 4) },
      ],
    };
  },
};
