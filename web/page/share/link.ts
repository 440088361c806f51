// A run in the part of the address behind #, which browsers keep to themselves.
import type { Run } from '../bench/result.ts';
import { parseRun } from './parse.ts';

const KEY = 'run=';
const LONGEST = 200_000;  // characters of JSON; a run has some thousand

export async function linkTo(run: Run): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(rounded(run))), new CompressionStream('deflate-raw'));
  const address = new URL(location.href);
  address.search = '';  // who opens it has a language of their own
  address.hash = KEY + btoa(String.fromCharCode(...packed)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return address.href;
}

export function carriesRun(address: string): boolean {
  return address.includes(`#${KEY}`);
}

/** undefined where the link holds no run. */
export async function runOf(address: string): Promise<Run | undefined> {
  const start = address.indexOf(`#${KEY}`);
  if (start < 0) return undefined;
  try {
    const text = atob(address.slice(start + 1 + KEY.length).replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return parseRun(new TextDecoder().decode(await through(packed, new DecompressionStream('deflate-raw'))));
  } catch {
    return undefined;  // cut short, or never one of ours
  }
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > LONGEST) throw new RangeError('too long');
    pieces.push(value);
  }
  const whole = new Uint8Array(length);
  pieces.reduce((at, piece) => { whole.set(piece, at); return at + piece.length; }, 0);
  return whole;
}

/** Five digits say all that a measurement knows, and make the link short. */
export function rounded(run: Run): Run {
  return JSON.parse(JSON.stringify(run, (_, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value)) as Run;
}
