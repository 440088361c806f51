// What a device is found to be. Other browsers are played by a device that accepts the texts that they do.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { globals } from 'webgpu';
import { createGemm, missing, requestGemmDevice } from '../dist/index.js';
import { openDevice, openGpu, openMinimumDevice } from './support/device.mjs';
import { judged } from './support/judged.mjs';

const REFUSED = 'fn refused() { return 1; }';

/** The device accepts what `change` makes of each text; it is as if it had another compiler. */
function withCompiler(device, change) {
  const create = device.createShaderModule.bind(device);
  device.createShaderModule = (descriptor) => create({ ...descriptor, code: change(descriptor.code) });
  return device;
}

test('this adapter', async () => {
  const { adapter, device } = await openDevice();
  const { profile } = await createGemm(device);
  assert.deepEqual(
    [profile.type, profile.dialect, profile.vendor, profile.shader_f16, profile.subgroups, profile.timestamps],
    ['software', 'dawn', adapter.info.vendor, true, true, true],
  );
  assert.equal(profile.subgroup_size, adapter.info.subgroupMaxSize);
  assert.equal(profile.limits.max_compute_invocations_per_workgroup, adapter.limits.maxComputeInvocationsPerWorkgroup);
  assert.ok(missing(adapter).some(({ what, why }) => what === 'chromium-experimental-subgroup-matrix' && why));
  assert.ok(!missing(adapter).some(({ what }) => what === 'subgroups'));
});

test('a device of the minimum', async () => {
  const { device } = await openMinimumDevice();
  const { profile } = await createGemm(device);
  assert.deepEqual(
    [profile.subgroups, profile.subgroup_size, profile.shader_f16, profile.timestamps],
    [false, 0, false, false],
  );
  await judged(await createGemm(device), device, { m: 17, n: 18, k: 19 });
});

test('a part of the profile may be given', async () => {
  const { device } = await openDevice();
  const { profile } = await createGemm(device, { profile: { name: 'mine', limits: { max_buffer_size: 1 << 20 } } });
  assert.deepEqual([profile.name, profile.limits.max_buffer_size], ['mine', 1 << 20]);
  assert.equal(profile.limits.min_storage_buffer_offset_alignment, 256);
});

test('an adapter that tells nothing, or less', async () => {
  const { device } = await openDevice();
  const { profile } = await createGemm(device, {
    adapterInfo: { vendor: '', architecture: '', device: '', description: '' },
  });
  assert.deepEqual([profile.name, profile.vendor, profile.type, profile.library], ['unnamed', '', 'unknown', '']);
  assert.equal(profile.subgroup_size, 8, 'a shader was asked');
});

test('a compiler that refuses `enable subgroups;`, as naga does', async () => {
  const { device } = await openDevice();
  withCompiler(device, (code) => {
    if (code.includes('enable subgroups;')) return REFUSED;
    return /subgroup/.test(code) ? `enable subgroups;${code}` : code;
  });
  const gemm = await createGemm(device, { adapterInfo: { vendor: 'x' } });
  assert.deepEqual([gemm.profile.dialect, gemm.profile.subgroups, gemm.profile.subgroup_size], ['naga', true, 8]);
  assert.equal(gemm.profile.matrix_dialect, 'none');
});

test('a compiler without subgroups, whatever the device says', async () => {
  const { device } = await openDevice();
  withCompiler(device, (code) => (/subgroup/.test(code) ? REFUSED : code));
  const gemm = await createGemm(device);
  assert.deepEqual([gemm.profile.subgroups, gemm.profile.subgroup_size], [false, 0]);
  await judged(gemm, device, { m: 17, n: 18, k: 19 });
});

test('no error of a question reaches the application', async () => {
  const { device } = await openDevice();
  const heard = [];
  device.addEventListener?.('uncapturederror', ({ error }) => heard.push(error.message));
  withCompiler(device, (code) => (/subgroup/.test(code) ? REFUSED : code));
  device.pushErrorScope('validation');
  await createGemm(device);
  assert.equal(await device.popErrorScope(), null);
  assert.deepEqual(heard, []);
});

test('subgroup matrices in either form', async () => {
  const open = async () =>
    (await requestGemmDevice({ gpu: openGpu(['backend=null', 'enable-dawn-features=allow_unsafe_apis']) })).device;
  const dialect = async (device) => (await createGemm(device)).profile.matrix_dialect;
  assert.equal(await dialect(await open()), 'majorness_template');
  const older = /subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>\(&numbers, 0u, false, 8u\)/;
  const newer = 'subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>, row_major>(&numbers, 0u, 8u)';
  const change = (code) => (code.includes('row_major>') ? REFUSED : code.replace(older, newer));
  assert.equal(await dialect(withCompiler(await open(), change)), 'majorness_argument');
  const neither = (code) => (code.includes('subgroupMatrixLoad') ? REFUSED : code);
  assert.equal(await dialect(withCompiler(await open(), neither)), 'none');
});

test('the builtins are asked for with a shape that the device has', async () => {
  const { device } = await requestGemmDevice({
    gpu: openGpu(['backend=null', 'enable-dawn-features=allow_unsafe_apis,vulkan_enable_f16_on_nvidia']),
  });
  // As drivers do that offer no matrices of f32.
  withCompiler(device, (code) => (/subgroup_matrix_left<f32/.test(code) ? REFUSED : code));
  const config = { componentType: 'f16', resultComponentType: 'f32', M: 16, N: 8, K: 16 };
  // No software adapter reports one; its fields are those of the class.
  const fields = Object.getOwnPropertyNames(globals.GPUSubgroupMatrixConfig.prototype);
  assert.deepEqual(fields.filter((name) => name !== 'constructor').sort(), Object.keys(config).sort());
  const { profile } = await createGemm(device, { adapterInfo: { subgroupMatrixConfigs: [config] } });
  assert.equal(profile.matrix_dialect, 'majorness_template');
  assert.deepEqual(profile.matrix_configs, [{ component: 'f16', result: 'f32', m: 16, n: 8, k: 16 }]);
});
