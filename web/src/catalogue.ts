// What the core knows of kernels.

export interface Rung {
  /** Number of the rung in the tutorial; variants of a rung share it */
  step: number;
  name: string;
  /** What it adds to the rung before, one line */
  adds: string;
  /** Its kernel on this device, for PlanOptions.kernel */
  kernel: string;
  /** The type that it multiplies here */
  operands: string;
  /** Why it cannot run on this device; empty where it can */
  unavailable: string;
}

export interface KernelParameter {
  name: string;
  meaning: string;
  standard: number;
  values: number[];
}

export interface KernelInfo {
  name: string;
  summary: string;
  parameters: KernelParameter[];
}
