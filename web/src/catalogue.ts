// What the core knows of kernels.

export interface Rung {
  step: number; // number of the rung in the tutorial; variants of a rung share it
  name: string;
  adds: string; // what it adds to the rung before, one line
  kernel: string; // its kernel on this device, for PlanOptions.kernel
  operands: string; // the type that it multiplies here
  unavailable: string; // why it cannot run on this device; empty where it can
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
