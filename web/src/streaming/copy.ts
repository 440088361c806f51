// Copies between the caller's arrays and the parts of them that a panel takes.
import { allocated, bytesOf } from '../host_array.ts';
import { BITS } from '../problem.ts';
import { floatBits, halfBits } from './half.ts';
import type { Part } from './panels.ts';

/** The part's elements as the panel's buffer holds them, in whole words. Errors: out_of_memory. */
export function gather(part: Part, caller: ArrayBufferView): Uint8Array<ArrayBuffer> {
  const words = Math.ceil(part.bytes / 4);
  const to = allocated(part.role, part.bytes, () => new Uint8Array(words * 4));
  if (part.caller_type !== part.panel_type) {
    const halfs = viewOf(caller);
    const floats = new Uint32Array(to.buffer);
    forEachLine(part, (source, target, count) => {
      for (let i = 0; i < count; i++) floats[target + i] = floatBits(halfs.getUint16((source + i) * 2, true));
    });
    return to;
  }
  const from = bytesOf(caller);
  const size = BITS[part.caller_type] / 8;
  forEachLine(part, (source, target, count) => {
    const first = source * size;
    to.set(from.subarray(first, first + Math.ceil(count * size)), target * size);
  });
  return to;
}

/** Puts a panel of C back among the caller's elements; touches no others. */
export function scatter(part: Part, panel: ArrayBuffer, caller: ArrayBufferView): void {
  if (part.caller_type !== part.panel_type) {
    const halfs = viewOf(caller);
    const floats = new Uint32Array(panel);
    forEachLine(part, (target, source, count) => {
      for (let i = 0; i < count; i++) halfs.setUint16((target + i) * 2, halfBits(floats[source + i] ?? 0), true);
    });
    return;
  }
  const from = new Uint8Array(panel);
  const to = bytesOf(caller);
  const size = BITS[part.caller_type] / 8;
  forEachLine(part, (target, source, count) => {
    to.set(from.subarray(source * size, (source + count) * size), target * size);
  });
}

/** Calls copy(caller's element, panel's element, number of elements) for each line. */
function forEachLine(part: Part, copy: (caller: number, panel: number, count: number) => void): void {
  for (const { length, lines, matrices, caller, panel } of part.copies) {
    for (let matrix = 0; matrix < matrices; matrix++) {
      for (let line = 0; line < lines; line++) {
        copy(
          caller.start + matrix * caller.matrix + line * caller.line,
          panel.start + matrix * panel.matrix + line * panel.line,
          length,
        );
      }
    }
  }
}

function viewOf({ buffer, byteOffset, byteLength }: ArrayBufferView): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
