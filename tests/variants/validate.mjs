// Gives every text that dump_variants writes to Dawn's null adapter, which checks syntax, types, uniformity and
// pipelines without a GPU.
//   node validate.mjs DUMP_VARIANTS WEBGPU_PACKAGE
// Ends with 77 (skipped) where the package is not there. Counts go to the file that WGEMM_COUNT_FILE names.
import {spawn} from 'node:child_process';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {dirname, join} from 'node:path';
import {pathToFileURL} from 'node:url';

const SKIPPED = 77;
const FEATURES = ['shader-f16', 'subgroups', 'chromium-experimental-subgroup-matrix'];

const [program, packageFolder] = process.argv.slice(2);
if (!existsSync(join(packageFolder, 'index.js'))) {
  console.log(`skipped: no npm package 'webgpu' in ${packageFolder}`);
  process.exit(SKIPPED);
}

async function nullDevice() {
  const {create, globals} = await import(pathToFileURL(join(packageFolder, 'index.js')));
  Object.assign(globalThis, globals);
  const gpu = create(['backend=null', 'enable-dawn-features=allow_unsafe_apis']);
  const adapter = await gpu.requestAdapter();
  const device = await adapter.requestDevice({requiredFeatures: FEATURES});
  return {gpu, device};  // the device lives no longer than its gpu
}

/// Message of what is wrong with a text; empty where nothing is.
async function fault(device, {wgsl, entry_point, pipeline}) {
  device.pushErrorScope('validation');
  const module = device.createShaderModule({code: wgsl});
  if (pipeline) device.createComputePipeline({layout: 'auto', compute: {module, entryPoint: entry_point}});
  const error = await device.popErrorScope();
  return error ? error.message : '';
}

const {gpu, device} = await nullDevice();

// The check must be able to fail.
if (!await fault(device, {wgsl: 'fn main() { return 1; }'})) throw new Error('the null adapter accepts a wrong text');

const count = {passed: 0, failed: 0};
const kinds = new Map();
const dump = spawn(program, {stdio: ['ignore', 'pipe', 'inherit']});
const ended = new Promise((resolve) => dump.on('close', resolve));
for await (const line of createInterface({input: dump.stdout})) {
  const variant = JSON.parse(line);
  const message = await fault(device, variant);
  if (message) {
    count.failed++;
    console.log(`${variant.label} (${variant.matrix_dialect}):\n${message}`);
  } else {
    count.passed++;
  }
  const kind = `${variant.matrix_dialect}, ${variant.pipeline ? 'pipeline' : 'module only'}`;
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
}
const status = await ended;
if (status !== 0) {
  console.log(`${program} ended with ${status}`);
  count.failed++;
}
for (const [kind, number] of kinds) console.log(`matrix dialect ${kind}: ${number}`);
console.log(`${count.passed} passed, ${count.failed} failed`);
if (process.env.WGEMM_COUNT_FILE) {
  mkdirSync(dirname(process.env.WGEMM_COUNT_FILE), {recursive: true});
  writeFileSync(process.env.WGEMM_COUNT_FILE, JSON.stringify(count));
}
void gpu;
process.exit(count.failed > 0 || count.passed === 0 ? 1 : 0);
