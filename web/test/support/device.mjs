// A device of npm webgpu (Dawn) for the tests: Mesa's lavapipe, where tools/setup.py has put it.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { requestGemmDevice } from '../../dist/index.js';

const root = new URL('../../../', import.meta.url);

/** A path below .deps, or undefined where nothing is there. */
function part(path) {
  const url = new URL(`.deps/${path}`, root);
  return existsSync(url) ? fileURLToPath(url) : undefined;
}

// Dawn's Vulkan loader reads these when the first adapter is asked for. What the caller has set stays.
process.env.XDG_RUNTIME_DIR ??= '/tmp';
const driver = part('vulkan/lvp_icd.json');
if (driver !== undefined) process.env.VK_DRIVER_FILES ??= driver;
process.env.LP_NUM_THREADS ??= '1';

const { create, globals } = await import(pathToFileURL(createRequire(import.meta.url).resolve('webgpu')));
Object.assign(globalThis, globals);

// The process dies where a device outlives its GPU object in the garbage collector.
const kept = (globalThis.wgemmTestKeeps ??= []);

export function openGpu(options = ['enable-dawn-features=allow_unsafe_apis']) {
  const gpu = create(options);
  kept.push(gpu);
  return gpu;
}

/** { gpu, adapter, device }, with everything that helps. */
export async function openDevice() {
  const gpu = openGpu();
  const made = await requestGemmDevice({ gpu });
  kept.push(made.adapter, made.device);
  return { gpu, ...made };
}

/** A device of the specification's minimum limits, without optional features. */
export async function openMinimumDevice() {
  const gpu = openGpu();
  const adapter = await gpu.requestAdapter();
  const device = await adapter.requestDevice();
  kept.push(adapter, device);
  return { gpu, adapter, device };
}
