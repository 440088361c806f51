// What a device must have for a plan.
import { checkObject, GemmError } from '../errors.ts';
import { boundBytes, type Plan, type Shader } from '../plan.ts';
import type { DeviceProfile } from '../profile.ts';

/** Errors: invalid_argument (what no planner made). */
export function checkIsPlan(given: unknown): void {
  checkObject('plan', given, 'what gemm.plan() gives');
  const { problem, shaders, buffers, steps } = given as Partial<Plan>;
  checkObject('plan.problem', problem, 'an object, as in what gemm.plan() gives');
  for (const [name, list] of Object.entries({ shaders, buffers, steps })) {
    if (!Array.isArray(list)) wrong(name, 'is no array; a plan is what gemm.plan() gives');
  }
}

/** Errors: unsupported (a feature or a limit), invalid_argument (a plan that refers to what is not there). */
export function checkPlan(plan: Plan, profile: DeviceProfile): void {
  for (const shader of plan.shaders) checkShader(shader, profile);
  const { limits } = profile;
  for (const [index, step] of plan.steps.entries()) {
    if (plan.shaders[step.shader] === undefined)
      wrong(`steps[${index}].shader`, `is ${step.shader}; there are ${plan.shaders.length}`);
    const most = limits.max_storage_buffers_per_shader_stage;
    if (step.bindings.length > most) {
      exceeds(
        'max_storage_buffers_per_shader_stage',
        `${plan.kernel} binds ${step.bindings.length} buffers; this device takes ${most}`,
      );
    }
    for (const binding of step.bindings) {
      if (plan.buffers[binding.buffer] === undefined)
        wrong(`steps[${index}].bindings`, `names buffer ${binding.buffer}; there are ${plan.buffers.length}`);
      if (binding.offset % limits.min_storage_buffer_offset_alignment !== 0) {
        wrong(
          `steps[${index}].bindings`,
          `binds from byte ${binding.offset} on; this device binds multiples of ${limits.min_storage_buffer_offset_alignment}`,
        );
      }
      const bytes = boundBytes(plan, binding);
      if (bytes > limits.max_storage_buffer_binding_size) {
        exceeds(
          'max_storage_buffer_binding_size',
          `${plan.kernel} binds ${bytes} bytes at once; this device binds at most ${limits.max_storage_buffer_binding_size}`,
        );
      }
    }
    for (const { workgroups } of step.dispatches) {
      const count = Math.max(...workgroups);
      if (count > limits.max_compute_workgroups_per_dimension) {
        exceeds(
          'max_compute_workgroups_per_dimension',
          `${plan.kernel} dispatches ${count} workgroups in a dimension; this device takes ${limits.max_compute_workgroups_per_dimension}`,
        );
      }
    }
  }
}

function checkShader(shader: Shader, profile: DeviceProfile): void {
  const lacks = (what: string): never =>
    exceeds(what, `${shader.label} needs ${what}, which this device does not have`);
  if (shader.needs_f16 && !profile.shader_f16) lacks('shader-f16');
  if (shader.needs_subgroups && !profile.subgroups) lacks('subgroups');
  if (shader.needs_subgroup_matrix && profile.matrix_configs.length === 0) lacks('subgroup matrices');
}

function wrong(where: string, why: string): never {
  throw new GemmError('invalid_argument', where, `plan: '${where}' ${why}`);
}

function exceeds(limit: string, message: string): never {
  throw new GemmError('unsupported', limit, message);
}
