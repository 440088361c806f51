// Takes a run out of JSON of unknown origin: everything is checked, nothing is taken on trust.
import type { DeviceSummary, Row, Run } from '../bench/result.ts';

class NoRun extends Error {}

type Fields = Record<string, unknown>;

function object(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NoRun('not an object');
  return value as Fields;
}

function text(value: unknown): string {
  if (typeof value !== 'string' || value.length > 2000) throw new NoRun('not a text');
  return value;
}

function number(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw new NoRun('not a number');
  return value;
}

function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new NoRun('neither true nor false');
  return value;
}

function one<Value extends string>(value: unknown, values: readonly Value[]): Value {
  const found = values.find((each) => each === value);
  if (found === undefined) throw new NoRun(`none of ${values.join(', ')}`);
  return found;
}

function orNull<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null ? null : read(value);
}

function row(value: unknown): Row {
  const fields = object(value);
  return {
    id: text(fields.id),
    kernel: text(fields.kernel),
    operands: one(fields.operands, ['f32', 'f16']),
    n: number(fields.n),
    gflops: number(fields.gflops),
    kernelMs: orNull(fields.kernelMs, number),
    clock: one(fields.clock, ['gpu', 'page']),
    wallMs: orNull(fields.wallMs, number),
    compileMs: orNull(fields.compileMs, number),
    intensity: orNull(fields.intensity, number),
    error: orNull(fields.error, number),
    verified: flag(fields.verified),
    reason: text(fields.reason),
  };
}

function device(value: unknown): DeviceSummary {
  const fields = object(value);
  return {
    name: text(fields.name), vendor: text(fields.vendor), architecture: text(fields.architecture),
    software: flag(fields.software), timestamps: flag(fields.timestamps),
  };
}

/** undefined where it is no run. */
export function parseRun(json: string): Run | undefined {
  try {
    const fields = object(JSON.parse(json));
    const date = text(fields.date);
    if (Number.isNaN(Date.parse(date)) || !Array.isArray(fields.rows) || fields.rows.length > 100) return undefined;
    return {
      format: one(fields.format, ['wgemm page run']),
      version: fields.version === 1 ? 1 : (() => { throw new NoRun('another version'); })(),
      date,
      browser: text(fields.browser),
      device: orNull(fields.device, device),
      n: number(fields.n),
      repeats: number(fields.repeats),
      bandwidth: orNull(fields.bandwidth, number),
      rows: fields.rows.map(row),
    };
  } catch (error) {
    if (error instanceof NoRun || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
