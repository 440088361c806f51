// What a device is, in the core's terms, found out by features and by compiling tiny texts. No browser is asked its
// name.
import type { DataType } from '../problem.ts';
import type { DeviceProfile, Limits, MatrixConfig, ProfileOverride } from '../profile.ts';
import { OPERAND, READ, STAGING } from './usage.ts';
import type { WatchedDevice } from './watched.ts';

/** As browsers report their matrix units, where they do; no typings of WebGPU have it yet. */
interface ReportedMatrixConfig {
  componentType: string;
  resultComponentType: string;
  M: number;
  N: number;
  K: number;
}

/** What adapters report, some of it beyond the specification; browsers leave out what they like. */
type AdapterInfo = Partial<GPUAdapterInfo> & {
  readonly subgroupMatrixConfigs?: Iterable<ReportedMatrixConfig>;
  readonly backend?: string;
  readonly driver?: string;
  readonly type?: string;
};

export const MATRIX_FEATURE = 'chromium-experimental-subgroup-matrix';

/** The device's profile; `given` replaces what was found. Errors: device_lost. */
export async function detect(
  device: WatchedDevice,
  reported: AdapterInfo,
  given: ProfileOverride = {},
): Promise<DeviceProfile> {
  const has = (feature: string): boolean => (device.gpu.features as ReadonlySet<string>).has(feature);
  const { vendor = '', architecture = '', device: name = '', description = '' } = reported;
  const dialect = has('subgroups') ? await subgroupDialect(device) : undefined;
  const profile: DeviceProfile = {
    name: name || description || [vendor, architecture].filter(Boolean).join(' ') || 'unnamed',
    vendor: vendor.toLowerCase(),
    architecture: architecture.toLowerCase(),
    driver: reported.driver ?? description,
    backend: (reported.backend ?? '').toLowerCase(),
    library: dialect === 'naga' ? 'wgpu' : 'subgroupMatrixConfigs' in reported ? 'dawn' : '',
    library_version: '',
    vendor_id: 0, // browsers tell no numbers
    device_id: 0,
    type: typeOf(reported, `${name} ${description} ${architecture}`.toLowerCase()),
    dialect: dialect ?? 'dawn',
    limits: limitsOf(device.gpu.limits),
    shader_f16: has('shader-f16'),
    subgroups: dialect !== undefined,
    timestamps: has('timestamp-query'),
    unchecked_shaders: false,
    subgroup_min_size: reported.subgroupMinSize ?? 0,
    subgroup_max_size: reported.subgroupMaxSize ?? 0,
    subgroup_size: 0,
    matrix_dialect: 'none',
    matrix_configs: [],
    denied_matrix_configs: [],
  };
  if (dialect !== undefined) profile.subgroup_size = await subgroupSize(device, profile);
  if (dialect !== undefined && has(MATRIX_FEATURE)) {
    const configs = configsOf(reported.subgroupMatrixConfigs ?? []);
    const usable = configs.find(({ component }) => component === 'f32' || profile.shader_f16);
    profile.matrix_dialect = await matrixDialect(device, usable);
    if (profile.matrix_dialect !== 'none') profile.matrix_configs = configs;
  }
  return { ...profile, ...given, limits: { ...profile.limits, ...given.limits } };
}

function typeOf(info: AdapterInfo, words: string): DeviceProfile['type'] {
  const software = /llvmpipe|lavapipe|swiftshader|basic render|softpipe/;
  if (info.isFallbackAdapter || software.test(words)) return 'software';
  if (info.type === 'discrete GPU') return 'discrete';
  return info.type === 'integrated GPU' ? 'integrated' : 'unknown';
}

function limitsOf(limits: GPUSupportedLimits): Limits {
  return {
    max_storage_buffer_binding_size: limits.maxStorageBufferBindingSize,
    max_buffer_size: limits.maxBufferSize,
    max_compute_workgroup_storage_size: limits.maxComputeWorkgroupStorageSize,
    max_compute_invocations_per_workgroup: limits.maxComputeInvocationsPerWorkgroup,
    max_compute_workgroup_size_x: limits.maxComputeWorkgroupSizeX,
    max_compute_workgroup_size_y: limits.maxComputeWorkgroupSizeY,
    max_compute_workgroup_size_z: limits.maxComputeWorkgroupSizeZ,
    max_compute_workgroups_per_dimension: limits.maxComputeWorkgroupsPerDimension,
    max_storage_buffers_per_shader_stage: limits.maxStorageBuffersPerShaderStage,
    min_storage_buffer_offset_alignment: limits.minStorageBufferOffsetAlignment,
    min_uniform_buffer_offset_alignment: limits.minUniformBufferOffsetAlignment,
  };
}

function configsOf(reported: Iterable<ReportedMatrixConfig>): MatrixConfig[] {
  const known = (type: string): type is DataType => type === 'f32' || type === 'f16';
  const configs: MatrixConfig[] = [];
  for (const { componentType, resultComponentType, M, N, K } of reported) {
    if (known(componentType) && known(resultComponentType)) {
      configs.push({ component: componentType, result: resultComponentType, m: M, n: N, k: K });
    }
  }
  return configs;
}

/** Does the device make a pipeline of this text? Its refusal stays here: nobody else hears of it. */
async function compiles(device: WatchedDevice, code: string): Promise<boolean> {
  const { gpu } = device;
  gpu.pushErrorScope('validation');
  gpu.pushErrorScope('internal');
  gpu.createComputePipeline({
    layout: 'auto',
    compute: { module: gpu.createShaderModule({ code }), entryPoint: 'main' },
  });
  const errors = await device.wait(Promise.all([gpu.popErrorScope(), gpu.popErrorScope()]));
  return errors.every((error) => error === null);
}

const SIZE_TEXT = `
@group(0) @binding(0) var<storage, read_write> answer: array<u32>;
@compute @workgroup_size(1)
fn main(@builtin(subgroup_size) size: u32) { answer[0] = subgroupAdd(size); }
`;

const ENABLE_SUBGROUPS = 'enable subgroups;';

/** One compiler wants the line, another refuses it. undefined: neither text compiles, so there are no subgroups. */
async function subgroupDialect(device: WatchedDevice): Promise<'dawn' | 'naga' | undefined> {
  if (await compiles(device, ENABLE_SUBGROUPS + SIZE_TEXT)) return 'dawn';
  return (await compiles(device, SIZE_TEXT)) ? 'naga' : undefined;
}

/** As reported, or as a shader sees it where the device has several. */
async function subgroupSize(device: WatchedDevice, profile: DeviceProfile): Promise<number> {
  const { subgroup_min_size: least, subgroup_max_size: most, dialect } = profile;
  if (least === most && least > 0) return least;
  const { gpu } = device;
  const code = dialect === 'dawn' ? ENABLE_SUBGROUPS + SIZE_PROBE : SIZE_PROBE;
  const [answer, readable] = await device.scoped('validation', 'the question for the subgroup size', () => {
    const module = gpu.createShaderModule({ code });
    const pipeline = gpu.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
    const answer = gpu.createBuffer({ size: 4, usage: OPERAND });
    const readable = gpu.createBuffer({ size: 4, usage: STAGING });
    const group = gpu.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer: answer } }],
    });
    const encoder = gpu.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(1);
    pass.end();
    encoder.copyBufferToBuffer(answer, 0, readable, 0, 4);
    gpu.queue.submit([encoder.finish()]);
    return [answer, readable] as const;
  });
  await device.wait(readable.mapAsync(READ));
  const [size = 0] = new Uint32Array(readable.getMappedRange());
  answer.destroy();
  readable.destroy();
  return size;
}

/** A workgroup of a usual size: drivers may choose another subgroup size for one of a single invocation. */
const SIZE_PROBE = `
@group(0) @binding(0) var<storage, read_write> answer: array<u32>;
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) index: u32, @builtin(subgroup_size) size: u32) {
  if (index == 0u) { answer[0] = size; }
}
`;

/**
 * The builtins of subgroup matrices are experimental, and browsers have either of two spellings. Asked with a shape that the
 * device has: a text with any other makes no pipeline, however it is spelled.
 */
async function matrixDialect(
  device: WatchedDevice,
  { component, m, k }: Pick<MatrixConfig, 'component' | 'm' | 'k'> = { component: 'f32', m: 8, k: 8 },
): Promise<DeviceProfile['matrix_dialect']> {
  const matrix = `subgroup_matrix_left<${component}, ${k}, ${m}>`;
  const text = (load: string): string => `
${component === 'f16' ? 'enable f16;' : ''}
enable chromium_experimental_subgroup_matrix;
enable subgroups;
diagnostic(off, chromium.subgroup_matrix_uniformity);
@group(0) @binding(0) var<storage, read_write> numbers: array<${component}>;
fn load() { let left = ${load}; _ = left; }
@compute @workgroup_size(1) fn main() { numbers[0] = 0; }
`;
  if (await compiles(device, text(`subgroupMatrixLoad<${matrix}, row_major>(&numbers, 0u, ${k}u)`))) {
    return 'majorness_template';
  }
  if (await compiles(device, text(`subgroupMatrixLoad<${matrix}>(&numbers, 0u, false, ${k}u)`))) {
    return 'majorness_argument';
  }
  return 'none';
}
