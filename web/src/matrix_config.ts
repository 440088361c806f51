// Shapes of matrix units, compared and in words.
import type { MatrixConfig } from './profile.ts';

export function sameConfig(one: MatrixConfig, other: MatrixConfig): boolean {
  const { component, result, m, n, k } = one;
  return component === other.component && result === other.result && m === other.m && n === other.n && k === other.k;
}

/** "f16 16x8x16 -> f32" */
export function describeConfig({ component, result, m, n, k }: MatrixConfig): string {
  return `${component} ${m}x${n}x${k} -> ${result}`;
}
