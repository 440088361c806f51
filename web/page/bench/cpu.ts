// The product on one core of the CPU, in JavaScript and in WebAssembly. Runs in the worker.
import { multiply } from './cpu_loop.js';
import simd from 'wat:./cpu_simd.wat';
import { fill } from './inputs.ts';

export type CpuKind = 'cpu-js' | 'cpu-wasm';

interface Product {
  /** Milliseconds of so many products, one if left out. */
  run(products?: number): number;
  fill(kind: 'random' | 'whole'): void;
  c: Float32Array;
}

interface SimdExports {
  memory: WebAssembly.Memory;
  multiply(a: number, b: number, c: number, panel: number, n: number): void;
}

async function simdProduct(n: number): Promise<Product> {
  const { instance } = await WebAssembly.instantiate(simd);
  const exports = instance.exports as unknown as SimdExports;
  const bytes = n * n * 4;
  exports.memory.grow(Math.ceil((3 * bytes + 16 * n) / 65536));
  const matrix = (i: number): Float32Array => new Float32Array(exports.memory.buffer, i * bytes, n * n);
  return product(matrix(0), matrix(1), matrix(2), () => exports.multiply(0, bytes, 2 * bytes, 3 * bytes, n));
}

function loopProduct(n: number): Product {
  const [a, b, c] = [new Float32Array(n * n), new Float32Array(n * n), new Float32Array(n * n)];
  return product(a, b, c, () => multiply(a, b, c, n));
}

function product(a: Float32Array, b: Float32Array, c: Float32Array, multiplyOnce: () => void): Product {
  return {
    c,
    fill(kind) {
      fill(a, 'a', kind, 0);
      fill(b, 'b', kind, 0);
      c.fill(NaN);
    },
    run(products = 1) {
      const start = performance.now();
      for (let i = 0; i < products; i++) multiplyOnce();
      return performance.now() - start;
    },
  };
}

export function cpuProduct(kind: CpuKind, n: number): Promise<Product> {
  return kind === 'cpu-js' ? Promise.resolve(loopProduct(n)) : simdProduct(n);
}
