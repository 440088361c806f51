// Compiled shaders by text.
import { GemmError, messageOf } from '../errors.ts';
import { COMPUTE } from '../device/usage.ts';
import { shorten, type WatchedDevice } from '../device/watched.ts';
import { type Shader, type Step, uniformBytes } from '../plan.ts';

export interface Pipeline {
  readonly handle: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  readonly compileMs: number;
}

/** More than the texts of an application's products, and bounded. */
const KEPT = 256;

export class PipelineCache {
  /** In the order of their last use. What is being compiled is here too, so that nobody compiles it twice. */
  readonly #pipelines = new Map<string, Promise<Pipeline>>();

  constructor(readonly device: WatchedDevice) {}

  /** The step's pipeline. Errors: compilation, out_of_memory, device_lost, cancelled. */
  async get(shader: Shader, step: Step, signal?: AbortSignal): Promise<Pipeline> {
    const key = keyOf(shader, step);
    let pipeline = this.#pipelines.get(key);
    this.#pipelines.delete(key);
    // Not by the caller's signal: others may wait for the same text.
    pipeline ??= this.#compile(shader, step).catch((error: unknown) => {
      this.#pipelines.delete(key);
      throw error;
    });
    this.#pipelines.set(key, pipeline);
    if (this.#pipelines.size > KEPT) {
      for (const oldest of this.#pipelines.keys()) {
        this.#pipelines.delete(oldest);
        break;
      }
    }
    return this.device.wait(pipeline, signal);
  }

  clear(): void {
    this.#pipelines.clear();
  }

  async #compile(shader: Shader, step: Step): Promise<Pipeline> {
    const { gpu } = this.device;
    const start = performance.now();
    const [module, layout, whole] = await this.device.scoped('compilation', shader.label, () => {
      const layout = gpu.createBindGroupLayout({ entries: layoutEntries(step), label: shader.label });
      return [
        gpu.createShaderModule({ code: shader.wgsl, label: shader.label }),
        layout,
        gpu.createPipelineLayout({ bindGroupLayouts: [layout] }),
      ] as const;
    });
    try {
      const handle = await this.device.wait(
        gpu.createComputePipelineAsync({
          label: shader.label,
          layout: whole,
          compute: { module, entryPoint: shader.entry_point },
        }),
      );
      return { handle, layout, compileMs: performance.now() - start };
    } catch (error) {
      if (error instanceof GemmError) throw error;
      throw new GemmError('compilation', '', `${shader.label}: ${shorten(messageOf(error))}`, { cause: error });
    }
  }
}

/** Everything that makes one pipeline another. */
function keyOf(shader: Shader, step: Step): string {
  const bindings = step.bindings.map(({ index, writable }) => `${index}${writable ? 'w' : 'r'}`);
  return `${shader.entry_point} ${step.uniform_binding} ${uniformBytes(step)} ${bindings.join(' ')}\n${shader.wgsl}`;
}

function layoutEntries(step: Step): GPUBindGroupLayoutEntry[] {
  const entries: GPUBindGroupLayoutEntry[] = step.bindings.map(({ index, writable }) => ({
    binding: index,
    visibility: COMPUTE,
    buffer: { type: writable ? 'storage' : 'read-only-storage' },
  }));
  const bytes = uniformBytes(step);
  if (bytes > 0) {
    // A dynamic offset: one bind group serves every dispatch of a step.
    entries.push({
      binding: step.uniform_binding,
      visibility: COMPUTE,
      buffer: { type: 'uniform', hasDynamicOffset: true, minBindingSize: bytes },
    });
  }
  return entries;
}
