// The engine on one device: the core plans, the executor carries out.
import type { KernelInfo, Rung } from './catalogue.ts';
import type { GemmOptions } from './create_gemm.ts';
import { BufferPool } from './device/pool.ts';
import type { WatchedDevice } from './device/watched.ts';
import { checkCallback, checkOptions, GemmError, throwIfAborted } from './errors.ts';
import { checkIsPlan } from './execute/check_plan.ts';
import { type BufferLike, isBufferLike, type Layouts, type PreparedOperand } from './execute/operands.ts';
import { PipelineCache } from './execute/pipelines.ts';
import { type Home, PreparedPlan } from './execute/prepared.ts';
import type { ArrayByType, HostArray, ResultType } from './host_array.ts';
import { matmul, type MatmulHome, type MatmulOptions, type Operand } from './matmul.ts';
import type { Plan, PlanOptions, SplitPlan, TuningData } from './plan.ts';
import { type OperandBuffers, type OperandHome, planWith, prepareOperand } from './prepare_operand.ts';
import type { DataType, Description, ProblemInput } from './problem.ts';
import { Product } from './product.ts';
import type { DeviceProfile } from './profile.ts';
import { DENIED, MatrixTrust } from './trust.ts';
import { searchCalls } from './tune/calls.ts';
import { search, type SearchHome, type Tuned, type TuneOptions } from './tune/search.ts';
import { asJson, type Core } from './wasm/core.ts';

export interface PrepareOptions extends PlanOptions {
  /** The product takes this one prepared */
  operand?: PreparedOperand;
  signal?: AbortSignal;
}

export interface PrepareAllOptions extends PlanOptions {
  onProgress?: (done: number, total: number, label: string) => void;
  signal?: AbortSignal;
}

/** Products that matmul keeps compiled. */
const KEPT = 64;

export class Gemm {
  readonly #core: Core;
  readonly #home: Home & MatmulHome & OperandHome & SearchHome;
  readonly #layouts: Layouts = new WeakMap();
  readonly #trust: MatrixTrust;
  readonly #products = new Map<string, Promise<Product>>(); // of matmul, in the order of their last use
  #tuning: TuningData | null | undefined;

  /** Made by createGemm. */
  constructor(device: WatchedDevice, core: Core, profile: DeviceProfile, options: GemmOptions) {
    this.#core = core;
    this.#tuning = options.tuning;
    this.#home = {
      device,
      profile,
      pipelines: new PipelineCache(device),
      pool: new BufferPool(device),
      layouts: this.#layouts,
      describe: (problem) => this.describe(problem),
      split: (problem, planOptions, operand) => this.#split(problem, planOptions, operand),
      panels: (problem, planOptions, memoryCap) => this.#cut('panels', problem, planOptions, memoryCap),
      panel: (problem, planOptions, memoryCap, index) => this.#cut('panel', problem, planOptions, memoryCap, index),
      product: (problem, planOptions, signal) => this.#product(problem, planOptions, signal),
      plan: (problem, planOptions) => this.plan(problem, planOptions),
      preparePlan: (plan, prepareOptions) => this.preparePlan(plan, prepareOptions),
      ...searchCalls(core),
    };
    this.#trust = new MatrixTrust(
      this.#home,
      (problem, planOptions) => this.plan(problem, planOptions),
      options.log ?? (() => undefined),
    );
  }

  /** What the core knows of the device. */
  get profile(): DeviceProfile {
    return this.#home.profile;
  }

  /** The rungs of the ladder in order, each with the kernel that it has here, or why it cannot run. */
  ladder(): Rung[] {
    return this.#core.call<Rung[]>('ladder', { profile: this.profile });
  }

  /** Every kernel family. */
  kernels(): KernelInfo[] {
    return this.#core.call<KernelInfo[]>('kernels');
  }

  /** Full names of a family's configurations that are valid here. Errors: not_found. */
  configurations(family: string, type: DataType = 'f32'): string[] {
    return this.#core.call<string[]>('configurations', { family, profile: this.profile, type });
  }

  /** Versions of the core and of its plans. */
  version(): { wgemm: string; plan_version: number } {
    return this.#core.call('version');
  }

  /** A problem in words and numbers. Errors: invalid_argument. */
  describe(problem: ProblemInput): Description {
    return this.#core.call<Description>('describe', { problem });
  }

  /**
   * Plans without the device. Errors: invalid_argument (the problem), not_found (no such kernel), unsupported (what
   * this device lacks). `profile` is the device to plan for; left out: this one.
   */
  plan(problem: ProblemInput, options: PlanOptions = {}, profile: DeviceProfile = this.profile): Plan {
    checkOptions(options);
    return this.#core.call<Plan>('plan', { problem, profile, ...this.#fields(options) });
  }

  /** Plans and compiles. Errors: as plan, and compilation, out_of_memory, device_lost, cancelled. */
  async prepare(problem: ProblemInput, prepareOptions: PrepareOptions = {}): Promise<Product> {
    checkOptions(prepareOptions);
    const { operand, signal, ...options } = prepareOptions;
    this.#home.device.checkAlive();
    for (;;) {
      throwIfAborted(signal);
      const plan =
        operand === undefined ? this.plan(problem, options) : planWith(this.#home, operand, problem, options);
      try {
        return await this.preparePlan(plan, signal === undefined ? {} : { signal });
      } catch (error) {
        // Each denial leaves a configuration less to choose.
        const denied = error instanceof GemmError && error.argument === DENIED;
        if (!denied || options.kernel) throw error;
      }
    }
  }

  /** Compiles a plan of the core's that was made before, here or elsewhere. Errors: as prepare. */
  async preparePlan(plan: Plan, options: { signal?: AbortSignal } = {}): Promise<Product> {
    checkIsPlan(plan);
    checkOptions(options);
    const { signal } = options;
    await this.#trust.trust(plan, signal);
    return new Product(await PreparedPlan.prepare(this.#home, plan, signal), this.#layouts);
  }

  /**
   * Compiles many products at once, while the page starts. `onProgress` hears how many are done, and which was the
   * last. Errors: as prepare, of the first that fails.
   */
  async prepareAll(problems: readonly ProblemInput[], prepareOptions: PrepareAllOptions = {}): Promise<Product[]> {
    if (!Array.isArray(problems)) {
      throw new GemmError('invalid_argument', 'problems', 'problems is no array; `prepare` takes a single problem');
    }
    checkOptions(prepareOptions);
    const { onProgress, signal, ...options } = prepareOptions;
    checkCallback('onProgress', onProgress);
    const made: Product[] = [];
    let failed = false;
    const one = async (problem: ProblemInput): Promise<Product> => {
      const product = await this.prepare(problem, signal === undefined ? options : { ...options, signal });
      // Nobody will get it: the call has ended with another's error.
      if (failed) product.destroy();
      else onProgress?.(made.push(product), problems.length, this.describe(problem).text);
      return product;
    };
    try {
      return await Promise.all((problems as readonly ProblemInput[]).map(one));
    } catch (error) {
      failed = true;
      for (const product of made) product.destroy();
      throw error;
    }
  }

  /**
   * Makes A or B ready once for many products: pass the result as PrepareOptions.operand, and in the place of the
   * buffer. The buffer of a quantised B comes with its scales (and zeros).
   * Errors: invalid_argument, unsupported, and as prepare.
   */
  prepareOperand(
    operand: 'a' | 'b',
    given: BufferLike | OperandBuffers,
    problem: ProblemInput,
    options: Omit<PrepareOptions, 'operand'> = {},
  ): Promise<PreparedOperand> {
    const buffers: OperandBuffers = isBufferLike(given) ? { [operand]: given } : given;
    return prepareOperand(this.#home, operand, buffers, problem, options);
  }

  /**
   * The product in one call. Typed arrays in: a typed array out (Float32Array, for C of f16 Uint16Array, for i32
   * Int32Array). Where A or B is a GPUBuffer, so is the result, unless `out` says otherwise. It has the layout that
   * options.c says. What was compiled is kept for the next product of these sizes. Typed arrays are read and written
   * some time before the promise resolves, so leave them alone until then. Arrays that the device cannot hold at once
   * (`memory_cap`, `maxBufferSize`) pass through it in panels: an error leaves those of C that were finished. An array
   * `out` may lie in the memory of an input, and an error then leaves it as it was.
   * Errors: invalid_argument, not_found, unsupported, compilation, out_of_memory, device_lost, cancelled.
   */
  matmul<C extends ResultType = 'f32'>(
    a: HostArray,
    b: HostArray,
    options: MatmulOptions<C> & { out?: HostArray },
  ): Promise<ArrayByType[C]>;
  matmul(a: GPUBuffer, b: Operand, options: MatmulOptions & { out?: GPUBuffer }): Promise<GPUBuffer>;
  matmul(a: Operand, b: GPUBuffer, options: MatmulOptions & { out?: GPUBuffer }): Promise<GPUBuffer>;
  matmul(a: Operand, b: Operand, options: MatmulOptions): Promise<Operand>;
  matmul(a: Operand, b: Operand, options: MatmulOptions): Promise<Operand> {
    return matmul(this.#home, a, b, options);
  }

  /**
   * Searches for the fastest kernel of a problem: the planner's own choice first, then the candidates of its model, then
   * the neighbours of the fastest. A candidate's product is compared with that of `naive` before its time counts. Plans
   * go by what is found once `tuningData` has it.
   * Errors: invalid_argument, unsupported (the problem; argument "software": a software adapter without the option
   * `software`), device_lost (what was measured has been told to `onTrial`).
   */
  tune(problem: ProblemInput, options: TuneOptions = {}): Promise<Tuned> {
    return search(this.#home, problem, options);
  }

  /** Measured choices for plans that name none; undefined: what is shipped, null: none at all. */
  get tuningData(): TuningData | null | undefined {
    return this.#tuning;
  }

  /** Errors: invalid_argument (damaged data), unsupported (another version). */
  set tuningData(data: TuningData | null | undefined) {
    if (data) this.mergeTuning(data, data);
    this.#tuning = data;
    this.#products.clear(); // planned by the old choices; those that still run end by themselves
  }

  /** All entries of both; of two for one problem on one device the younger. Errors: as tuningData. */
  mergeTuning(data: TuningData, other: TuningData): TuningData {
    return this.#core.call<TuningData>('merge_tuning', { data, with: other });
  }

  /** Releases what is compiled and pooled. The device stays the application's. */
  destroy(): void {
    this.#home.device.end('this Gemm was destroyed; make a new one');
    for (const product of this.#products.values())
      void product.then(
        (each) => each.destroy(),
        () => undefined,
      );
    this.#products.clear();
    this.#home.pipelines.clear();
    this.#home.pool.destroy();
  }

  #split(problem: ProblemInput, options: PlanOptions, operand: 'a' | 'b'): SplitPlan {
    return this.#core.call<SplitPlan>('split', { problem, profile: this.profile, operand, ...this.#fields(options) });
  }

  #cut<T>(call: string, problem: ProblemInput, plans: PlanOptions, memoryCap?: number, index?: number): T {
    const { tuning: _, ...options } = plans;
    const { limits } = this.profile;
    return this.#core.call<T>(call, { problem, limits, options, memory_cap: memoryCap, index });
  }

  #fields({ tuning = this.#tuning, ...options }: PlanOptions): object {
    return tuning === undefined ? { options } : { options, tuning };
  }

  #product(problem: ProblemInput, options: PlanOptions, signal: AbortSignal | undefined): Promise<Product> {
    const key = asJson([problem, options]);
    let product = this.#products.get(key);
    this.#products.delete(key);
    product ??= this.prepare(problem, options).catch((error: unknown) => {
      this.#products.delete(key);
      throw error;
    });
    this.#products.set(key, product);
    for (const oldest of this.#products.keys()) {
      if (this.#products.size <= KEPT) break;
      this.#products.delete(oldest); // it may still be running; its buffers go when nobody refers to them
    }
    return this.#home.device.wait(product, signal);
  }
}
