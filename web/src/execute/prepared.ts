// A plan's objects on a device: pipelines, uniform blocks, constants, and the bind groups of the operands in use.
import { GemmError } from '../errors.ts';
import type { BufferPool } from '../device/pool.ts';
import { COPY_DST, OPERAND, UNIFORM } from '../device/usage.ts';
import type { WatchedDevice } from '../device/watched.ts';
import { boundBytes, type Plan, uniformBytes } from '../plan.ts';
import type { DeviceProfile } from '../profile.ts';
import { checkPlan } from './check_plan.ts';
import { checkOperands, type Views } from './operands.ts';
import type { Pipeline, PipelineCache } from './pipelines.ts';

/** What a prepared plan needs of its surroundings. */
export interface Home {
  readonly device: WatchedDevice;
  readonly pipelines: PipelineCache;
  readonly pool: BufferPool;
  readonly profile: DeviceProfile;
}

/** Memory for the scratch buffers of a plan, by index of Plan.buffers. */
export type Scratch = (GPUBuffer | undefined)[];

interface Stage {
  readonly pipeline: Pipeline;
  readonly uniformBytes: number; // 0 without uniforms
  readonly uniformOffsets: number[]; // by dispatch
}

/** The bind group of every step for one set of operands. */
type Groups = readonly GPUBindGroup[];

/** Operand sets whose bind groups are kept; a timing rotates through a few. */
const KEPT = 32;

const numbers = new WeakMap<GPUBuffer, number>();
let lastNumber = 0;

function numberOf(buffer: GPUBuffer): number {
  let number = numbers.get(buffer);
  if (number === undefined) numbers.set(buffer, (number = ++lastNumber));
  return number;
}

export class PreparedPlan {
  readonly #bound = new Map<string, Groups>(); // in the order of their last use
  #recordingScratch: Scratch | undefined;
  #destroyed = false;

  private constructor(
    readonly plan: Plan,
    readonly home: Home,
    private readonly stages: readonly Stage[],
    private readonly uniforms: GPUBuffer | undefined,
    private readonly constants: Scratch,
    /** What compiling took, in milliseconds; shared pipelines count where they were compiled first. */
    readonly compileMs: number,
  ) {}

  /** Errors: unsupported (a feature or a limit), compilation, out_of_memory, device_lost, cancelled. */
  static async prepare(home: Home, plan: Plan, signal?: AbortSignal): Promise<PreparedPlan> {
    home.device.checkAlive();
    checkPlan(plan, home.profile);
    const pipelines = await Promise.all(
      plan.steps.map((step) => {
        const shader = plan.shaders[step.shader];
        if (shader === undefined)
          throw new GemmError('invalid_argument', 'plan', `there is no shader ${step.shader} in the plan`);
        return home.pipelines.get(shader, step, signal);
      }),
    );
    const { stages, blocks } = layOut(plan, pipelines, home.profile.limits.min_uniform_buffer_offset_alignment);
    const uniforms = blocks.length > 0 ? await filled(home, blocks, UNIFORM | COPY_DST, 'uniforms', signal) : undefined;
    const constants: Scratch = [];
    for (const [index, { role, words }] of plan.buffers.entries()) {
      if (role === 'constant')
        constants[index] = await filled(home, Uint32Array.from(words ?? []), OPERAND, 'constant', signal);
    }
    const compileMs = [...new Set(pipelines)].reduce((sum, pipeline) => sum + pipeline.compileMs, 0);
    return new PreparedPlan(plan, home, stages, uniforms, constants, compileMs);
  }

  /** Errors: invalid_argument, naming the operand, or the product itself once it is destroyed. */
  check(views: Views): void {
    if (this.#destroyed) {
      throw new GemmError('invalid_argument', 'product', `this product (${this.plan.kernel}) was destroyed`);
    }
    checkOperands(this.plan, views, this.home.profile.limits.min_storage_buffer_offset_alignment);
  }

  /** Scratch memory for one run. Errors: out_of_memory, device_lost, cancelled. */
  async takeScratch(signal?: AbortSignal): Promise<Scratch> {
    const scratch: Scratch = [];
    try {
      for (const [index, { role, bytes }] of this.plan.buffers.entries()) {
        if (role === 'scratch') scratch[index] = await this.home.pool.take(bytes, OPERAND, 'scratch', signal);
      }
    } catch (error) {
      this.giveScratch(scratch);
      throw error;
    }
    return scratch;
  }

  giveScratch(scratch: Scratch): void {
    for (const buffer of scratch) if (buffer !== undefined) this.home.pool.give(buffer);
  }

  /** The bind groups for these operands and scratch memory; kept for the next time. The operands are checked. */
  bind(views: Views, scratch: Scratch): Groups {
    this.check(views);
    const key = this.#keyOf(views, scratch);
    const groups = this.#bound.get(key) ?? this.#createGroups(views, scratch);
    this.#bound.delete(key);
    this.#bound.set(key, groups);
    if (this.#bound.size > KEPT) {
      for (const oldest of this.#bound.keys()) {
        this.#bound.delete(oldest);
        break;
      }
    }
    return groups;
  }

  /** As above, at once, with scratch memory that stays with the plan: for commands whose submission is not ours. */
  bindForRecording(views: Views): Groups {
    this.home.device.checkAlive();
    this.check(views);
    const { gpu } = this.home.device;
    this.#recordingScratch ??= this.plan.buffers.map(({ role, bytes }) =>
      role === 'scratch' ? gpu.createBuffer({ size: bytes, usage: OPERAND, label: 'wgemm scratch' }) : undefined,
    );
    return this.bind(views, this.#recordingScratch);
  }

  /** Sets the pipeline of a step, and its bindings for one dispatch, and dispatches. */
  encode(pass: GPUComputePassEncoder, groups: Groups, step: number, dispatch: number): void {
    const stage = this.stages[step];
    const workgroups = this.plan.steps[step]?.dispatches[dispatch]?.workgroups;
    const group = groups[step];
    if (stage === undefined || workgroups === undefined || group === undefined) {
      throw new GemmError('internal', '', `there is no dispatch ${dispatch} of step ${step}`);
    }
    const offset = stage.uniformOffsets[dispatch];
    pass.setPipeline(stage.pipeline.handle);
    pass.setBindGroup(0, group, offset === undefined ? [] : [offset]);
    pass.dispatchWorkgroups(...workgroups);
  }

  destroy(): void {
    this.#destroyed = true;
    this.#bound.clear();
    this.uniforms?.destroy();
    for (const buffer of this.constants) buffer?.destroy();
    for (const buffer of this.#recordingScratch ?? []) buffer?.destroy();
  }

  #keyOf(views: Views, scratch: Scratch): string {
    const operands = Object.entries(views).map(
      ([role, { buffer, offset, size }]) => `${role}${numberOf(buffer)}+${offset}:${size}`,
    );
    return `${operands.sort().join(' ')} ${scratch.map((buffer) => (buffer ? numberOf(buffer) : '')).join(' ')}`;
  }

  #createGroups(views: Views, scratch: Scratch): Groups {
    const { gpu } = this.home.device;
    return this.stages.map((stage, index) => {
      const step = this.plan.steps[index];
      const entries: GPUBindGroupEntry[] = (step?.bindings ?? []).map((binding) => {
        const { buffer, offset } = this.#memoryOf(binding.buffer, views, scratch);
        // Exactly the plan's bytes: what lies behind them in a larger buffer stays out of a shader's reach.
        const size = boundBytes(this.plan, binding);
        return { binding: binding.index, resource: { buffer, offset: offset + binding.offset, size } };
      });
      if (this.uniforms !== undefined && stage.uniformBytes > 0) {
        entries.push({
          binding: step?.uniform_binding ?? 0,
          resource: { buffer: this.uniforms, size: stage.uniformBytes },
        });
      }
      return gpu.createBindGroup({ layout: stage.pipeline.layout, entries });
    });
  }

  #memoryOf(index: number, views: Views, scratch: Scratch): { buffer: GPUBuffer; offset: number } {
    const role = this.plan.buffers[index]?.role;
    if (role !== undefined && role !== 'scratch' && role !== 'constant' && views[role] !== undefined)
      return views[role];
    const buffer = role === 'scratch' ? scratch[index] : this.constants[index];
    if (buffer === undefined)
      throw new GemmError('internal', '', `buffer ${index} of ${this.plan.kernel} has no memory`);
    return { buffer, offset: 0 };
  }
}

function layOut(plan: Plan, pipelines: Pipeline[], alignment: number): { stages: Stage[]; blocks: Uint32Array } {
  const words: number[] = [];
  const stages = pipelines.map((pipeline, index): Stage => {
    const step = plan.steps[index];
    const bytes = step === undefined ? 0 : uniformBytes(step);
    if (step === undefined || bytes === 0) return { pipeline, uniformBytes: 0, uniformOffsets: [] };
    const uniformOffsets = step.dispatches.map(({ uniforms }) => {
      const offset = Math.ceil((words.length * 4) / alignment) * alignment;
      while (words.length < offset / 4) words.push(0);
      for (let i = 0; i < bytes / 4; i++) words.push(uniforms[i] ?? 0);
      return offset;
    });
    return { pipeline, uniformBytes: bytes, uniformOffsets };
  });
  return { stages, blocks: Uint32Array.from(words) };
}

async function filled(
  home: Home,
  words: Uint32Array,
  usage: number,
  what: string,
  signal?: AbortSignal,
): Promise<GPUBuffer> {
  const buffer = await home.pool.create(words.byteLength, usage, what, signal);
  home.device.gpu.queue.writeBuffer(buffer, 0, words as Uint32Array<ArrayBuffer>);
  return buffer;
}
