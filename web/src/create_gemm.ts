// The way to an engine: a device in, its profile found out, the core loaded.
import { detect } from './device/detect.ts';
import { WatchedDevice } from './device/watched.ts';
import { checkCallback, checkObject, checkOptions, GemmError } from './errors.ts';
import { Gemm } from './gemm.ts';
import type { TuningData } from './plan.ts';
import type { ProfileOverride } from './profile.ts';
import { Core } from './wasm/core.ts';
import type { WasmSource } from './wasm/load.ts';

export interface GemmOptions {
  /** Left out: wgemm.wasm beside this module */
  wasm?: WasmSource;
  /** Left out: the device's own */
  adapterInfo?: GPUAdapterInfo;
  /** Replaces what was found out about the device */
  profile?: ProfileOverride;
  /** For every plan that names none */
  tuning?: TuningData | null;
  /** What a developer should know; left out: nobody is told */
  log?: (message: string) => void;
}

/** What a device has, of whatever make. */
const DEVICE = ['createShaderModule', 'createBuffer', 'queue', 'limits', 'features', 'lost'] as const;

/** Of a device that tells nothing of its adapter: older browsers. */
const NOTHING_KNOWN: Partial<GPUAdapterInfo> = {};

/** Errors: invalid_argument (no device), io (wgemm.wasm), device_lost. */
export async function createGemm(device: GPUDevice, options: GemmOptions = {}): Promise<Gemm> {
  if (DEVICE.some((name) => (device as Partial<GPUDevice> | null | undefined)?.[name] === undefined)) {
    throw new GemmError(
      'invalid_argument',
      'device',
      'device is no GPUDevice: hand over what adapter.requestDevice() gives, or the `device` of requestGemmDevice()',
    );
  }
  checkOptions(options);
  checkCallback('log', options.log);
  if (options.profile !== undefined) checkObject('profile', options.profile, 'an object of the fields to replace');
  const given = options.adapterInfo ?? undefined;
  if (given !== undefined) checkObject('adapterInfo', given, 'a GPUAdapterInfo');
  const watched = new WatchedDevice(device);
  const info = given ?? (device.adapterInfo as GPUAdapterInfo | undefined) ?? NOTHING_KNOWN;
  const [core, profile] = await Promise.all([Core.load(options.wasm), detect(watched, info, options.profile)]);
  return new Gemm(watched, core, profile, options);
}
