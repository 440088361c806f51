// Products that the device cannot hold at once, in panels of host arrays.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createGemm } from '../dist/index.js';
import { arraysOf } from './support/arrays.mjs';
import { importSource } from './support/core.mjs';
import { openDevice } from './support/device.mjs';
import { compare, operandsOf, upload } from './support/judged.mjs';

const LARGEST = 20000;

const { device } = await openDevice();
const roomy = await createGemm(device);
const gemm = await createGemm(device, { profile: { limits: { max_buffer_size: LARGEST } } });
const cancelled = { name: 'GemmError', code: 'cancelled', argument: 'signal' };

/** Calls `work` and gives the sizes of the buffers that were made meanwhile. */
async function buffersMadeBy(work) {
  const sizes = [];
  const create = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    sizes.push(descriptor.size);
    return create(descriptor);
  };
  try {
    await work();
  } finally {
    delete device.createBuffer;
  }
  return sizes;
}

/** Drivers compile it quickly. */
const QUICK = { kernel: 'tiled_TILE8' };

/** Multiplies in panels, numbers and small integers, and compares every byte with the reference. */
async function judgedInPanels(input, options = QUICK) {
  for (const exact of [false, true]) {
    const { problem, memory } = operandsOf(roomy, input, exact, exact ? 11 : 7);
    const before = { ...memory, c: new DataView(memory.c.buffer.slice(0)) };
    const { a, b, ...others } = arraysOf(problem, memory);
    const sizes = await buffersMadeBy(() => gemm.matmul(a, b, { ...input, ...others, ...options }));
    assert.ok(sizes.length > 0 && Math.max(...sizes) <= LARGEST, `a buffer of ${Math.max(...sizes)} bytes`);
    compare(problem, before, memory.c, exact);
  }
}

test('rows, columns and k are cut', () => judgedInPanels({ m: 100, n: 90, k: 400 }));

test('f16: sums are f32 until the last panel of k, the old C among them', () => {
  const half = { type: 'f16' };
  return judgedInPanels({ m: 70, n: 65, k: 1100, a: half, b: half, c: half, alpha: 0.5, beta: -2 });
});

test('orders, transposes, leading dimensions, offsets', () =>
  judgedInPanels({
    m: 90,
    n: 70,
    k: 301,
    trans_a: true,
    trans_b: true,
    a: { ld: 95, offset: 3 },
    b: { order: 'col_major', offset: 7 },
    c: { order: 'col_major', ld: 97 },
    beta: 1,
  }));

test('batches by strides, of which some share an operand, and by a table', async () => {
  const sizes = { m: 16, n: 20, k: 24 };
  await judgedInPanels({
    ...sizes,
    batch: { extents: [5, 4], a: [0, 400], b: [500, 0], c: [1400, 350] },
  });
  const table = Array.from({ length: 18 }, (_, i) => ({ a: ((i * 7) % 18) * 390, b: 0, c: (17 - i) * 330 }));
  await judgedInPanels({ ...sizes, batch: { table } });
});

test('bias, activation and residual come with the last panel of k', async () => {
  const epilogue = { activation: 'relu', add_residual: true };
  const sizes = { m: 80, n: 75, k: 700, beta: 1 };
  await judgedInPanels({ ...sizes, epilogue: { ...epilogue, bias: 'per_row' } });
  await judgedInPanels({ ...sizes, epilogue: { ...epilogue, bias: 'per_column', residual: { ld: 77 } } });
});

test('weights with scales and zero points', () =>
  judgedInPanels(
    {
      m: 30,
      n: 150,
      k: 600,
      b: { type: 'u4', order: 'col_major' },
      quantization: { block: 32, scale_type: 'f16', zeros: true },
    },
    {},
  ));

test('integers', () =>
  judgedInPanels({ m: 90, n: 80, k: 900, a: { type: 'i8' }, b: { type: 'u8' }, c: { type: 'i32' }, beta: 1 }, {}));

test('a kernel that is not there', async () => {
  await assert.rejects(
    gemm.matmul(new Float32Array(10000), new Float32Array(10000), { m: 100, n: 100, k: 100, kernel: 'fastest' }),
    { name: 'GemmError', code: 'not_found', argument: 'options.kernel' },
  );
});

test('memory_cap: the buffers together stay below it', async () => {
  const size = { m: 128, n: 128, k: 512 };
  const a = new Float32Array(128 * 512).map((_, i) => (i % 7) - 3);
  const b = new Float32Array(512 * 128).map((_, i) => (i % 5) - 2);
  const memory_cap = 200000;
  let live = 0;
  let most = 0;
  const create = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = create(descriptor);
    const destroy = buffer.destroy.bind(buffer);
    const inputs = descriptor.usage & GPUBufferUsage.STORAGE;
    if (inputs) most = Math.max(most, (live += buffer.size));
    buffer.destroy = () => {
      if (inputs) live -= buffer.size;
      destroy();
    };
    return buffer;
  };
  const inPanels = await roomy.matmul(a, b, { ...size, ...QUICK, memory_cap });
  delete device.createBuffer;
  assert.ok(most > 0 && most <= memory_cap, `${most} bytes`);
  assert.equal(live, 0);
  assert.deepEqual(inPanels, await roomy.matmul(a, b, { ...size, ...QUICK }));
});

test('what the device holds already is not copied in again', async () => {
  const a = new Float32Array(128 * 32).fill(1);
  let writes = 0;
  const write = device.queue.writeBuffer.bind(device.queue);
  device.queue.writeBuffer = (buffer, ...rest) => {
    if (buffer.usage & GPUBufferUsage.STORAGE) writes++;
    write(buffer, ...rest);
  };
  await gemm.matmul(a, a, { m: 128, n: 128, k: 32, ...QUICK });
  delete device.queue.writeBuffer;
  assert.equal(writes, 6); // four panels: A for each two of a row, B for each
});

test('a signal between panels: those that were finished stay, the others are not begun', async () => {
  const size = { m: 128, n: 128, k: 32 };
  const a = new Float32Array(128 * 32).fill(1);
  const out = new Float32Array(128 * 128).fill(-1);
  const controller = new AbortController();
  let submissions = 0;
  const submit = device.queue.submit.bind(device.queue);
  device.queue.submit = (commands) => {
    submit(commands);
    // A panel of this kernel is a dispatch and a download.
    if (++submissions === 3) controller.abort('enough');
  };
  const { signal } = controller;
  await assert.rejects(gemm.matmul(a, a, { ...size, out, kernel: 'naive', signal }), cancelled);
  delete device.queue.submit;
  const done = out.filter((value) => value === 32).length;
  assert.ok(done > 0 && done < out.length, `${done} elements`);
  assert.equal(out.filter((value) => value === -1).length, out.length - done);
  await gemm.matmul(a, a, { ...size, out, kernel: 'naive' });
  assert.ok(out.every((value) => value === 32));
  await assert.rejects(gemm.matmul(a, a, { ...size, signal: AbortSignal.abort() }), cancelled);
});

const ramp = (array) => array.map((_, i) => ((i * 7) % 13) - 6);

/** Multiplies in panels and whole, each with operands of its own, and compares all of the memory. */
async function sameAsWhole(input, make) {
  const inPanels = make();
  const whole = make();
  await gemm.matmul(inPanels.a, inPanels.b, { ...input, ...QUICK, out: inPanels.out });
  await roomy.matmul(whole.a, whole.b, { ...input, ...QUICK, out: whole.out });
  assert.deepEqual(new Uint8Array(inPanels.out.buffer), new Uint8Array(whole.out.buffer));
}

test('C may lie in an input', async () => {
  const size = { m: 100, n: 100, k: 100 };
  const b = ramp(new Float32Array(10000));
  const part = (memory, begin, end) => memory.subarray(begin, end);
  for (const beta of [0, 2]) {
    const input = { ...size, beta };
    await sameAsWhole(input, () => {
      const a = ramp(new Float32Array(10000));
      return { a, b, out: a };
    });
    // The last elements of A are the first of C, and B begins where C ends.
    await sameAsWhole(input, () => {
      const memory = ramp(new Float32Array(29990));
      return { a: part(memory, 0, 10000), b: part(memory, 19990), out: part(memory, 9990, 19990) };
    });
    // One array for all, and its layouts tell them apart or do not.
    for (const offset of [0, 9000, 10000]) {
      await sameAsWhole({ ...input, b: { offset: 20000 }, c: { offset } }, () => {
        const memory = ramp(new Float32Array(30000));
        return { a: memory, b: memory, out: memory };
      });
    }
  }
});

test('what lies between the elements of such a C stays', () =>
  sameAsWhole({ m: 100, n: 90, k: 100, a: { ld: 101 }, c: { type: 'f16', ld: 97, offset: 1 }, beta: 1 }, () => {
    const memory = ramp(new Uint16Array(30000)).map((_, i) => 0x3c00 + (i % 3));
    return { a: new Float32Array(memory.buffer, 0, 10100), b: ramp(new Float32Array(10000)), out: memory };
  }));

test('C may lie in an input through another object of shared memory', () => {
  const input = { m: 100, n: 100, k: 100, beta: 1 };
  return sameAsWhole(input, () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
    const a = new Float32Array(memory.buffer, 0, 10000);
    a.set(ramp(a));
    memory.grow(1);
    const out = new Float32Array(memory.buffer, 0, 10000);
    assert.notEqual(a.buffer, out.buffer);
    return { a, b: ramp(new Float32Array(10000)), out };
  });
});

test('an error leaves a C that lies in an input as it was', async () => {
  const size = { m: 128, n: 128, k: 32 };
  const memory = ramp(new Float32Array(128 * 128));
  const before = memory.slice();
  const controller = new AbortController();
  let submissions = 0;
  const submit = device.queue.submit.bind(device.queue);
  device.queue.submit = (commands) => {
    submit(commands);
    if (++submissions === 5) controller.abort('enough');
  };
  const { signal } = controller;
  const product = gemm.matmul(memory, ramp(new Float32Array(128 * 32)), { ...size, out: memory, ...QUICK, signal });
  await assert.rejects(product, cancelled);
  delete device.queue.submit;
  assert.deepEqual(memory, before);
});

test('what cannot be is a typed error', async () => {
  const size = { m: 100, n: 100, k: 100 };
  const a = new Float32Array(10000);
  const fails = (promise, code, argument) => assert.rejects(promise, { name: 'GemmError', code, argument });
  await fails(gemm.matmul(a, a, { ...size, memory_cap: 10 }), 'unsupported', 'memory_cap');
  await fails(gemm.matmul(a, a, { ...size, memory_cap: -1 }), 'invalid_argument', 'memory_cap');
  const buffer = upload(device, new DataView(a.buffer));
  await fails(gemm.matmul(buffer, a, { ...size, memory_cap: 50000 }), 'invalid_argument', 'memory_cap');
  await fails(gemm.matmul(a.subarray(1), a, size), 'invalid_argument', 'a');
  await fails(gemm.matmul(a, a, { ...size, beta: 1 }), 'invalid_argument', 'out');
  const many = { m: 100000, n: 100000, k: 100000, memory_cap: 65536 };
  await assert.rejects(roomy.matmul(a, a, many), {
    name: 'GemmError',
    code: 'unsupported',
    argument: 'memory_cap',
    message: /memory_cap = 65536 .* at most 1000000 panels; \d+ would do/,
  });
  const tiny = await createGemm(device, { profile: { limits: { max_buffer_size: 8 } } });
  await fails(tiny.matmul(a, a, size), 'unsupported', 'limits.max_buffer_size');
});

test('an array that goes away under way', async () => {
  const size = { m: 128, n: 128, k: 128 };
  const a = new Float32Array(128 * 128);
  const pending = gemm.matmul(a, new Float32Array(128 * 128), size);
  structuredClone(a.buffer, { transfer: [a.buffer] });
  await assert.rejects(pending, { name: 'GemmError', code: 'invalid_argument', argument: 'a' });
});

test('host memory that is not there', async () => {
  const { gather } = await importSource('streaming/copy.ts');
  const part = { role: 'b', caller_type: 'f32', panel_type: 'f32', bytes: 2 ** 52, copies: [] };
  assert.throws(() => gather(part, new Float32Array(1)), { name: 'GemmError', code: 'out_of_memory', argument: 'b' });
});

test('f16 on the host: every value comes back, and others go to the nearest, ties to even', async () => {
  const { floatBits, halfBits } = await importSource('streaming/half.ts');
  const words = new Uint32Array(1);
  const float = new Float32Array(words.buffer);
  const bitsOf = (value) => {
    float[0] = value;
    return words[0];
  };
  for (let half = 0; half < 0x10000; half++) {
    words[0] = floatBits(half);
    const value = float[0];
    if (Number.isNaN(value)) {
      assert.equal(halfBits(words[0]), (half & 0x8000) | 0x7e00);
      continue;
    }
    assert.equal(halfBits(words[0]), half);
    if (half >= 0x7bff) continue;
    const bits = words[0];
    words[0] = floatBits(half + 1);
    const middle = (value + float[0]) / 2;
    assert.equal(halfBits(bitsOf(middle)), half % 2 === 0 ? half : half + 1);
    const at = bitsOf(middle);
    assert.equal(halfBits(at - 1), half);
    assert.equal(halfBits(at + 1), half + 1);
  }
  const known = [
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [65519, 0x7bff],
    [65520, 0x7c00],
    [-Infinity, 0xfc00],
    [2 ** -24, 1],
    [2 ** -25, 0],
    [2 ** -149, 0],
  ];
  for (const [value, half] of known) assert.equal(halfBits(bitsOf(value)), half, String(value));
});
