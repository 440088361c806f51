// The products that are tuned: as a person writes them, and as the package wants them.
import type { Order, ProblemInput } from '../../src/index.ts';

export type ElementType = 'f32' | 'f16';

/** Orders of A and B: r is row-major, c column-major. */
export const LAYOUTS = ['rr', 'rc', 'cr', 'cc'] as const;
export type Layout = (typeof LAYOUTS)[number];

export interface Shape {
  m: number;
  n: number;
  k: number;
  type: ElementType;
  layout: Layout;
}

const LARGEST = 65536;

/** "64x64x64 1x4096x4096", with any of x, × and * between numbers; undefined: a size that is none, or nothing at all. */
export function parseShapes(text: string, type: ElementType, layout: Layout): Shape[] | undefined {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const shapes = new Map<string, Shape>();
  for (const word of words) {
    const [, m, n, k] = (/^(\d+)[x×*](\d+)[x×*](\d+)$/i.exec(word) ?? []).map(Number);
    if (!m || !n || !k || Math.max(m, n, k) > LARGEST) return undefined;
    const shape = { m, n, k, type, layout };
    shapes.set(nameOf(shape), shape);
  }
  return shapes.size > 0 ? [...shapes.values()] : undefined;
}

export function nameOf({ m, n, k, type, layout }: Shape): string {
  return `${m}x${n}x${k} ${type} ${layout}`;
}

export function problemOf({ m, n, k, type, layout }: Shape): ProblemInput {
  const order = (letter: string | undefined): Order => (letter === 'c' ? 'col_major' : 'row_major');
  return { m, n, k, a: { type, order: order(layout[0]) }, b: { type, order: order(layout[1]) } };
}
