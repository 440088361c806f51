// Matrix units are tried before they are used. The null adapter has them in name, and computes nothing: the plain
// kernel and the matrix kernel agree there.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createGemm, requestGemmDevice } from '../dist/index.js';
import { openGpu } from './support/device.mjs';

const UNITS = {
  subgroup_min_size: 32,
  subgroup_max_size: 32,
  subgroup_size: 32,
  type: 'discrete',
  matrix_dialect: 'majorness_template',
  matrix_configs: [{ component: 'f16', result: 'f32', m: 16, n: 16, k: 16 }],
};
const problem = { m: 2048, n: 2048, k: 2048, a: { type: 'f16' }, b: { type: 'f16' } };
const config = UNITS.matrix_configs[0];

async function open(log) {
  const { device } = await requestGemmDevice({
    gpu: openGpu(['backend=null', 'enable-dawn-features=allow_unsafe_apis']),
  });
  const gemm = await createGemm(device, { profile: structuredClone(UNITS), log });
  return { device, gemm };
}

/** From now on no two downloads are alike, as if no two kernels computed the same. */
function spoil(device) {
  const create = device.createBuffer.bind(device);
  let downloads = 0;
  device.createBuffer = (descriptor) => {
    const buffer = create(descriptor);
    if (descriptor.usage & GPUBufferUsage.MAP_READ) {
      buffer.getMappedRange = (offset, size) => new Float32Array(size / 4).fill(++downloads).buffer;
    }
    return buffer;
  };
}

test('units that are right are used, and tried once', async () => {
  const { device, gemm } = await open();
  const submit = device.queue.submit.bind(device.queue);
  let submissions = 0;
  device.queue.submit = (commands) => {
    submissions++;
    submit(commands);
  };
  const product = await gemm.prepare(problem, { kernel: 'subgroup-matrix_MM16_MN16_MK16_LANES32' });
  assert.ok(product.plan.shaders.some((shader) => shader.needs_subgroup_matrix));
  assert.equal(submissions, 4, 'two products and two downloads');
  await gemm.prepare({ ...problem, m: 1024 }, { kernel: 'subgroup-matrix_MM16_MN16_MK16_LANES32' });
  assert.equal(submissions, 4);
  assert.deepEqual(gemm.profile.denied_matrix_configs, []);
});

test('units that are wrong are denied, and the planner goes without', async () => {
  const told = [];
  const { device, gemm } = await open((message) => told.push(message));
  spoil(device);
  const wanted = gemm.plan(problem);
  const product = await gemm.prepare(problem);
  assert.ok(
    wanted.shaders.some((shader) => shader.needs_subgroup_matrix),
    'the planner would have taken them',
  );
  assert.ok(!product.plan.shaders.some((shader) => shader.needs_subgroup_matrix));
  assert.deepEqual(gemm.profile.matrix_configs, []);
  assert.deepEqual(
    gemm.profile.denied_matrix_configs.map((denied) => denied.config),
    [config],
  );
  assert.match(gemm.profile.denied_matrix_configs[0].reason, /^the check of .* failed: /);
  assert.equal(told.length, 1);
});

test('a named kernel is not replaced', async () => {
  const { device, gemm } = await open();
  spoil(device);
  await assert.rejects(gemm.prepare(problem, { kernel: 'subgroup-matrix_MM16_MN16_MK16_LANES32' }), {
    name: 'GemmError',
    code: 'unsupported',
    argument: 'matrix configuration',
  });
  assert.match(gemm.profile.denied_matrix_configs[0].reason, /on small integers element 0 of C is/);
});
