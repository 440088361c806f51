// wgemm: matrix multiplication on WebGPU, for browsers, workers and Node.
export type { KernelInfo, KernelParameter, Rung } from './catalogue.ts';
export { createGemm, type GemmOptions } from './create_gemm.ts';
export { type DeviceRequest, type GemmDevice, missing, type Missing, requestGemmDevice } from './device/request.ts';
export { type ErrorCode, GemmError } from './errors.ts';
export type { BufferLike, Buffers, PreparedOperand } from './execute/operands.ts';
export type { TimeOptions, Times } from './execute/timing.ts';
export type { Gemm, PrepareAllOptions, PrepareOptions } from './gemm.ts';
export type { ArrayByType, Float16ArrayLike, HostArray, ResultType } from './host_array.ts';
export type { MatmulOptions, Operand } from './matmul.ts';
export type {
  Dispatch,
  Plan,
  PlanBinding,
  PlanBuffer,
  PlanOptions,
  Shader,
  Step,
  Traffic,
  TuningData,
} from './plan.ts';
export type { OperandBuffers } from './prepare_operand.ts';
export type {
  Activation,
  Batch,
  BatchOffsets,
  Bias,
  DataType,
  Description,
  Epilogue,
  MatrixLayout,
  Order,
  Problem,
  ProblemInput,
  Quantization,
  Role,
} from './problem.ts';
export type { Product } from './product.ts';
export type { DeniedMatrixConfig, DeviceProfile, Limits, MatrixConfig, ProfileOverride } from './profile.ts';
export type { Tuned, TuneOptions } from './tune/search.ts';
export type { Trial, TrialStatus } from './tune/trial.ts';
export type { WasmSource } from './wasm/load.ts';
