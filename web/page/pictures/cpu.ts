// One worker, element by element or block by block.
import { block, type Picture, product } from './model.ts';

/** Goes through C in blocks of `edge` x `edge`, and through k for each. */
function walk(edge: number, readsPerStep: number): Picture {
  const blocks = 8 / edge;
  const shown = Math.min(blocks * blocks, 16);
  return {
    width: 300, height: 324, grids: product(), frames: shown * 8,
    frame(index) {
      const [at, k] = [Math.floor(index / 8), index % 8];
      const [row, col] = [Math.floor(at / blocks) * edge, (at % blocks) * edge];
      const done = Array.from({ length: at }, (_, i) =>
        block(Math.floor(i / blocks) * edge, edge, (i % blocks) * edge, edge)).flat();
      return {
        phase: 'multiply',
        lit: [
          { grid: 'a', tone: 'past', cells: block(row, edge, 0, k) },
          { grid: 'b', tone: 'past', cells: block(0, k, col, edge) },
          { grid: 'c', tone: 'past', cells: done },
          { grid: 'a', tone: 'now', cells: block(row, edge, k, 1) },
          { grid: 'b', tone: 'now', cells: block(k, 1, col, edge) },
          { grid: 'c', tone: 'now', cells: block(row, edge, col, edge) },
        ],
        counts: { memory: (index + 1) * readsPerStep, products: (index + 1) * edge * edge },
      };
    },
  };
}

export const cpuJs = walk(1, 2);
export const cpuWasm = walk(4, 8);
