// Operands in memory as typed arrays.
export const ROLES = ['a', 'b', 'c', 'bias', 'residual', 'scales', 'zeros'];

const ARRAYS = {
  f32: Float32Array,
  f16: Uint16Array,
  i32: Int32Array,
  i8: Int8Array,
  u8: Uint8Array,
  i4: Uint8Array,
  u4: Uint8Array,
};

/** By role, of a complete problem. */
export function typesOf({ a, b, c, epilogue, quantization }) {
  return {
    a: a.type,
    b: b.type,
    c: c.type,
    bias: epilogue.bias_type,
    residual: epilogue.residual.type,
    scales: quantization.scale_type,
    zeros: b.type,
  };
}

/** Arrays over the memory of the operands that there are, by the names of matmul's options. */
export function arraysOf(problem, memory) {
  const types = typesOf(problem);
  const given = ROLES.filter((role) => memory[role]?.byteLength > 0);
  return Object.fromEntries(
    given.map((role) => {
      const { buffer, byteOffset, byteLength } = memory[role];
      const Type = ARRAYS[types[role]];
      return [role === 'c' ? 'out' : role, new Type(buffer, byteOffset, byteLength / Type.BYTES_PER_ELEMENT)];
    }),
  );
}
