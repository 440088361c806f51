// Everything that takes long on the CPU: inputs, references, verdicts, and the CPU's own products.
import { type CpuKind, cpuProduct } from './cpu.ts';
import { type ElementType, elements, type InputKind, type Operand } from './inputs.ts';
import { errorOverBound, type Identity, identity, type Reference, reference, wrongRows } from './reference.ts';

export interface Verdict {
  error: number;      // largest error over its bound
  wrongRows: number;  // of the product of whole numbers
}

const references = new Map<number, Reference>();
const identities = new Map<number, Identity>();

function kept<T>(map: Map<number, T>, n: number, make: (n: number) => T): T {
  let value = map.get(n);
  if (value === undefined) map.set(n, (value = make(n)));
  return value;
}

export const calls = {
  elements: (args: { operand: Operand; kind: InputKind; type: ElementType; start: number; count: number }) =>
    elements(args.operand, args.kind, args.type, args.start, args.count),

  rows: ({ n }: { n: number }): number[] => kept(references, n, reference).rows,

  error: ({ n, rows }: { n: number; rows: Float32Array }): number =>
    errorOverBound(n, kept(references, n, reference), rows),

  wrongRows: ({ n, first, rows }: { n: number; first: number; rows: Float32Array }): number =>
    wrongRows(n, kept(identities, n, identity), first, rows),

  /** One product, for an estimate of larger ones. */
  async cpuTrial({ kind, n }: { kind: CpuKind; n: number }): Promise<number> {
    const product = await cpuProduct(kind, n);
    product.fill('random');
    product.run(3);  // the browser compiles what it sees often
    const start = performance.now();
    let products = 0;
    do {
      product.run();
      products++;
    } while (performance.now() - start < 5);
    return (performance.now() - start) / products;
  },

  /** Milliseconds of a product, `repeats` samples of `products` each: the page's clock is coarse. */
  async cpuTime({ kind, n, repeats, products }: { kind: CpuKind; n: number; repeats: number; products: number }):
      Promise<number[]> {
    const product = await cpuProduct(kind, n);
    product.fill('random');
    return Array.from({ length: repeats }, () => product.run(products) / products);
  },

  async cpuVerify({ kind, n }: { kind: CpuKind; n: number }): Promise<Verdict> {
    const product = await cpuProduct(kind, n);
    const expected = kept(references, n, reference);
    product.fill('random');
    product.run();
    const sampled = new Float32Array(expected.rows.length * n);
    expected.rows.forEach((row, i) => sampled.set(product.c.subarray(row * n, (row + 1) * n), i * n));
    const error = errorOverBound(n, expected, sampled);
    product.fill('whole');
    product.run();
    return { error, wrongRows: wrongRows(n, kept(identities, n, identity), 0, product.c) };
  },
};

export type Calls = typeof calls;
type Message = { id: number; name: keyof Calls; args: never };

self.onmessage = async ({ data }: MessageEvent<Message>) => {
  try {
    const result = await calls[data.name](data.args);
    const transfer = ArrayBuffer.isView(result) ? [result.buffer] : [];
    self.postMessage({ id: data.id, result }, { transfer });
  } catch (error) {
    self.postMessage({ id: data.id, error: String(error) });
  }
};
