// Buffer usages of the specification, by number: outside a browser there is no global GPUBufferUsage.
export const MAP_READ = 0x0001;
export const COPY_SRC = 0x0004;
export const COPY_DST = 0x0008;
export const UNIFORM = 0x0040;
export const STORAGE = 0x0080;
export const QUERY_RESOLVE = 0x0200;

export const OPERAND = STORAGE | COPY_SRC | COPY_DST;
export const STAGING = MAP_READ | COPY_DST;

/** Of bind group layout entries: visible to compute shaders. */
export const COMPUTE = 0x4;
/** Of mapAsync. */
export const READ = 0x0001;
