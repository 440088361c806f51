// Matrices in host memory: which typed array holds which type.
import { GemmError } from './errors.ts';
import type { DataType, Role } from './problem.ts';

/** f16 comes as Uint16Array (the bits), or as Float16Array where there is one; i4 and u4 as bytes of two. */
export type HostArray = Float32Array | Uint16Array | Int32Array | Int8Array | Uint8Array | Float16ArrayLike;

/** Float16Array, which not every library of types knows. */
export interface Float16ArrayLike extends ArrayBufferView {
  readonly length: number;
  readonly BYTES_PER_ELEMENT: number;
  readonly [Symbol.toStringTag]: 'Float16Array';
}

/** What a result of each type comes in. */
export interface ArrayByType {
  f32: Float32Array;
  f16: Uint16Array;
  i32: Int32Array;
}

export type ResultType = keyof ArrayByType;

const HOLDS: Record<string, readonly DataType[]> = {
  Float32Array: ['f32'],
  Float16Array: ['f16'],
  Uint16Array: ['f16'],
  Int32Array: ['i32'],
  Int8Array: ['i8', 'i4', 'u4'],
  Uint8Array: ['u8', 'i8', 'i4', 'u4'],
};

export function kindOf(array: ArrayBufferView): string {
  return Object.prototype.toString.call(array).slice(8, -1);
}

/** The type that an array holds when nobody says another. Errors: invalid_argument. */
export function typeOf(name: string, array: ArrayBufferView): DataType {
  const type = HOLDS[kindOf(array)]?.[0];
  if (type === undefined) {
    throw new GemmError(
      'invalid_argument',
      name,
      `${name} is a ${kindOf(array)}; it may be ${Object.keys(HOLDS).join(', ')} or a GPUBuffer`,
    );
  }
  return type;
}

/** Errors: invalid_argument (an array that cannot hold the type, or is too short). */
export function checkArray(name: string, array: ArrayBufferView, type: DataType, bytes: number): void {
  if (!HOLDS[kindOf(array)]?.includes(type)) {
    throw new GemmError(
      'invalid_argument',
      name,
      `${name} is a ${kindOf(array)}, and the problem says that it is ${type}`,
    );
  }
  if (array.byteLength < bytes) {
    throw new GemmError('invalid_argument', name, `${name} has ${array.byteLength} bytes; its layout needs ${bytes}`);
  }
}

/** Its length was right when the call began; since then its memory may have gone to a worker. */
export function checkStays(name: string, array: ArrayBufferView, bytes: number): void {
  if (array.byteLength >= bytes) return;
  throw new GemmError(
    'invalid_argument',
    name,
    `${name} was detached or shortened before the product was done; an array must stay until then`,
  );
}

/** An operand as matmul's options call it. */
export function nameOf(role: Role): string {
  return role === 'c' ? 'out' : role;
}

export function isHostArray(given: unknown): given is HostArray {
  return ArrayBuffer.isView(given) && kindOf(given) !== 'DataView';
}

/** An array for a result of that type, of `bytes`. Errors: out_of_memory. */
export function makeResult(type: DataType, bytes: number): HostArray {
  return allocated('c', bytes, () => {
    if (type === 'i32') return new Int32Array(Math.ceil(bytes / 4));
    return type === 'f16' ? new Uint16Array(Math.ceil(bytes / 2)) : new Float32Array(Math.ceil(bytes / 4));
  });
}

/** What `make` makes of host memory. Errors: out_of_memory. */
export function allocated<T>(argument: string, bytes: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new GemmError('out_of_memory', argument, `the host makes no array of ${bytes} bytes for ${argument}`, {
      cause: error,
    });
  }
}

export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
