// Sizes, repeats and time budgets.

export const SIZES = [128, 256, 512, 1024, 2048, 4096, 8192] as const;
export const REPEATS = [3, 5, 10, 20] as const;

export interface Settings {
  n: number;
  repeats: number;
}

/** Milliseconds that a row's timing may take. A size whose products would take longer is replaced by a smaller one. */
export const ROW_BUDGET_MS = 8000;
/** The CPU's rows are for comparison and may take less. */
export const CPU_BUDGET_MS = 2500;
/** Milliseconds that a dispatch should take at most, so that the page's own frames come in between. */
export const DISPATCH_MS = 40;
/** Milliseconds that a sample should last, so that the steps of a browser's clock do not show. */
export const SAMPLE_MS = 20;
export const MOST_PRODUCTS = 2000;
/** Timed products that a row has at least. */
const FEWEST = 3;

/** Largest size up to `wanted` of which `FEWEST` products fit the budget, from the time of one at size `n`. */
export function affordable(wanted: number, n: number, milliseconds: number, budget: number): number {
  let size = n;
  for (const next of SIZES) {
    if (next <= size || next > wanted) continue;
    if (milliseconds * (next / n) ** 3 * FEWEST > budget) break;
    size = next;
  }
  return size;
}

/** Repeats that fit the budget. */
export function repeatsWithin(wanted: number, milliseconds: number, budget: number): number {
  return Math.min(wanted, Math.max(FEWEST, Math.floor(budget / Math.max(milliseconds, 0.001))));
}

/** Sizes that the device can bind. The CPU's rows take any. */
export function bindable(limits: { maxStorageBufferBindingSize: number; maxBufferSize: number } | undefined):
    (n: number) => boolean {
  const bytes = limits ? Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize) : Infinity;
  return (n) => n * n * 4 <= bytes;
}
