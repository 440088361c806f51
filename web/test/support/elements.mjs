// Elements of any type in memory, as numbers.

export const BITS = { f32: 32, f16: 16, i32: 32, i8: 8, u8: 8, i4: 4, u4: 4 };

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** The nearest f16, ties to even; for numbers that are no more than 65504. */
export function toHalf(value) {
  single[0] = value;
  const sign = (bits[0] >>> 16) & 0x8000;
  const magnitude = Math.abs(single[0]);
  if (magnitude === 0) return sign;
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
  const units = magnitude / 2 ** (exponent - 10);
  const floor = Math.floor(units);
  const rest = units - floor;
  const rounded = rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
  return sign | ((exponent + 14) * 1024 + rounded);
}

export function fromHalf(half) {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

export function readElement(type, view, index) {
  switch (type) {
    case 'f32':
      return view.getFloat32(4 * index, true);
    case 'i32':
      return view.getInt32(4 * index, true);
    case 'f16':
      return fromHalf(view.getUint16(2 * index, true));
    case 'i8':
      return view.getInt8(index);
    case 'u8':
      return view.getUint8(index);
    default: {
      const nibble = (view.getUint8(index >> 1) >> (4 * (index & 1))) & 15;
      return type === 'i4' && nibble > 7 ? nibble - 16 : nibble;
    }
  }
}

export function writeElement(type, view, index, value) {
  switch (type) {
    case 'f32':
      return view.setFloat32(4 * index, value, true);
    case 'i32':
      return view.setInt32(4 * index, value, true);
    case 'f16':
      return view.setUint16(2 * index, toHalf(value), true);
    case 'i8':
      return view.setInt8(index, value);
    case 'u8':
      return view.setUint8(index, value);
    default: {
      const shift = 4 * (index & 1);
      const byte = view.getUint8(index >> 1);
      return view.setUint8(index >> 1, (byte & ~(15 << shift)) | ((value & 15) << shift));
    }
  }
}
