export function multiply(a: Float32Array, b: Float32Array, c: Float32Array, n: number): void;
