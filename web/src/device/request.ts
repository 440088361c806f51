// A device with every optional feature and limit that makes products faster.
import { checkObject, GemmError, messageOf } from '../errors.ts';
import { MATRIX_FEATURE } from './detect.ts';

export interface DeviceRequest {
  powerPreference?: GPUPowerPreference;
  /** Left out: the best that there is */
  adapter?: GPUAdapter;
  /** Left out: navigator.gpu */
  gpu?: GPU;
  label?: string;
}

export interface GemmDevice {
  adapter: GPUAdapter;
  device: GPUDevice;
}

export interface Missing {
  /** A feature, or a limit */
  what: string;
  /** What it would make faster */
  why: string;
}

const FEATURES: Record<string, string> = {
  'shader-f16': 'f16 matrices without unpacking, and f16 accumulation',
  subgroups: 'kernels that share data between the lanes of a subgroup',
  [MATRIX_FEATURE]: 'the matrix units, for the subgroup-matrix kernels',
  'timestamp-query': "times measured by the device's own clock",
};

/** Limits that products profit from, and what more of each allows. */
const LIMITS = {
  maxStorageBufferBindingSize: 'larger matrices in one piece',
  maxBufferSize: 'larger matrices in one buffer',
  maxComputeWorkgroupStorageSize: 'larger tiles',
  maxComputeInvocationsPerWorkgroup: 'larger workgroups',
  maxComputeWorkgroupSizeX: 'larger workgroups',
  maxComputeWorkgroupSizeY: 'larger workgroups',
  maxComputeWorkgroupSizeZ: 'larger workgroups',
  maxComputeWorkgroupsPerDimension: 'larger products in one dispatch',
  maxStorageBuffersPerShaderStage: 'more operands at once',
} as const;

/** What the specification guarantees. */
const GUARANTEED: Record<keyof typeof LIMITS, number> = {
  maxStorageBufferBindingSize: 134217728,
  maxBufferSize: 268435456,
  maxComputeWorkgroupStorageSize: 16384,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 256,
  maxComputeWorkgroupSizeZ: 64,
  maxComputeWorkgroupsPerDimension: 65535,
  maxStorageBuffersPerShaderStage: 8,
};

const names = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

/** No implementation is known that offers more than the guaranteed number. */
const SAME_EVERYWHERE: ReadonlySet<string> = new Set(['maxComputeWorkgroupsPerDimension']);

/** Errors: invalid_argument, not_found (no WebGPU, no adapter), unsupported (the adapter makes no device). */
export async function requestGemmDevice(request: DeviceRequest = {}): Promise<GemmDevice> {
  checkObject('request', request, 'an object, or left out');
  const adapter = request.adapter ?? (await requestAdapter(request));
  checkAdapter(adapter);
  const requiredFeatures = Object.keys(FEATURES).filter((name) => offers(adapter, name)) as GPUFeatureName[];
  const requiredLimits: Record<string, number> = {};
  for (const name of names) requiredLimits[name] = adapter.limits[name];
  try {
    const device = await adapter.requestDevice({ requiredFeatures, requiredLimits, label: request.label ?? 'wgemm' });
    return { adapter, device };
  } catch (error) {
    throw new GemmError('unsupported', 'adapter', `the adapter makes no device: ${messageOf(error)}`, { cause: error });
  }
}

/** What would make products on this adapter faster, and is not there. Errors: invalid_argument. */
export function missing(adapter: GPUAdapter): Missing[] {
  checkAdapter(adapter);
  const features = Object.entries(FEATURES)
    .filter(([name]) => !offers(adapter, name))
    .map(([what, why]) => ({ what, why }));
  const limits = names
    .filter((name) => adapter.limits[name] <= GUARANTEED[name] && !SAME_EVERYWHERE.has(name))
    .map((what) => ({ what, why: `${LIMITS[what]}; it is the guaranteed ${GUARANTEED[what]}` }));
  return [...features, ...limits];
}

/** By what it has: outside a browser there is no global GPUAdapter. */
function checkAdapter(given: Partial<GPUAdapter> | null | undefined): void {
  if (given?.requestDevice !== undefined && given.features !== undefined && given.limits !== undefined) return;
  throw new GemmError(
    'invalid_argument',
    'adapter',
    'adapter is no GPUAdapter: hand over what navigator.gpu.requestAdapter() gives, or leave it out',
  );
}

function offers(adapter: GPUAdapter, feature: string): boolean {
  return (adapter.features as ReadonlySet<string>).has(feature);
}

async function requestAdapter({ gpu, powerPreference = 'high-performance' }: DeviceRequest): Promise<GPUAdapter> {
  const found = gpu ?? (globalThis.navigator as Navigator | undefined)?.gpu;
  if (!found) {
    throw new GemmError(
      'not_found',
      'gpu',
      'there is no navigator.gpu: use a browser with WebGPU, over https or localhost; ' +
        'in Node, hand over the GPU object of npm webgpu',
    );
  }
  if (typeof (found as Partial<GPU>).requestAdapter !== 'function') {
    throw new GemmError(
      'invalid_argument',
      'gpu',
      'gpu is no GPU object: hand over navigator.gpu, or what `create` of npm webgpu gives',
    );
  }
  const adapter = await found.requestAdapter({ powerPreference });
  if (!adapter)
    throw new GemmError(
      'not_found',
      'adapter',
      'WebGPU finds no adapter: update the browser and the driver of the GPU',
    );
  return adapter;
}
