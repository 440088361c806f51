// The WGSL of a row, as the core plans it for this device.
import type { DeviceProfile, Plan } from '../../src/index.ts';
import type { Session } from '../bench/device.ts';

export interface KernelText {
  wgsl: string;
  begin: number;       // line with which the kernel's own part starts
  elsewhere: boolean;  // planned for another device, since this one cannot run it
}

/** What a device with matrix units has beyond this one. */
const matrixUnits: Partial<DeviceProfile> = {
  shader_f16: true, subgroups: true, subgroup_size: 32, subgroup_min_size: 32, subgroup_max_size: 32,
  matrix_dialect: 'majorness_template',
  matrix_configs: [{ component: 'f16', result: 'f32', m: 16, n: 16, k: 16 }],
};

export function kernelText({ gemm }: Session, row: string, n: number): KernelText | undefined {
  const rung = gemm.ladder().find(({ name }) => name === row);
  if (!rung && row !== 'choice') return undefined;
  const type = rung?.operands === 'f16' ? 'f16' : 'f32';
  const problem = { m: n, n, k: n, a: { type }, b: { type } } as const;
  if (!rung?.unavailable) return own(gemm.plan(problem, rung ? { kernel: rung.kernel } : {}), false);
  if (row !== 'subgroup-matrix') return undefined;
  const half = { m: n, n, k: n, a: { type: 'f16' }, b: { type: 'f16' } } as const;
  const kernel = 'subgroup-matrix_MM16_MN16_MK16_LANES32';
  return own(gemm.plan(half, { kernel }, { ...gemm.profile, ...matrixUnits }), true);
}

/** The text of the product itself, without copies before and sums behind it. */
function own(plan: Plan, elsewhere: boolean): KernelText | undefined {
  const step = plan.steps.find(({ kind }) => kind === 'multiply');
  const wgsl = step && plan.shaders[step.shader]?.wgsl;
  if (wgsl === undefined) return undefined;
  const begin = wgsl.split('\n').findIndex((line) => /^(var<workgroup>|@compute)/.test(line));
  return { wgsl, begin: Math.max(begin, 0), elsewhere };
}
