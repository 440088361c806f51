// The npm package as a web developer has it: its bundle in a page and in a worker of the browser, found by its address.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { around } from './browser.mjs';

const parts = around({ before, after }, 'package');

/** Runs in a page and in a worker alike. */
async function example(address) {
  const { createGemm, requestGemmDevice } = await import(address);
  const { device } = await requestGemmDevice();
  const gemm = await createGemm(device);
  const a = Float32Array.of(1, 2, 3, 4, 5, 6);
  const b = Float32Array.of(7, 8, 9, 10, 11, 12);
  const c = await gemm.matmul(a, b, { m: 2, n: 2, k: 3 });
  const resizable = new Float32Array(new ArrayBuffer(24, { maxByteLength: 48 }));
  resizable.set(a);
  const again = await gemm.matmul(resizable, b, { m: 2, n: 2, k: 3 });
  const refused = await gemm.matmul(a, b, { m: 2, n: 2 }).catch(({ code, argument }) => `${code} ${argument}`);
  return [[...c], [...again], refused];
}

const expected = [[58, 64, 139, 154], [58, 64, 139, 154], 'invalid_argument problem.k'];

const bundle = () => `${parts.server.address}index.js`;

async function page() {
  const page = await parts.browser.context.newPage();
  await page.goto(bundle()); // any document of its origin; this one is shown as text
  return page;
}

test('the package in a page', async () => {
  const tab = await page();
  assert.deepEqual(await tab.evaluate(`(${example})('${bundle()}')`), expected);
  await tab.close();
});

test('the package in a worker', async () => {
  const tab = await page();
  const found = await tab.evaluate(
    ([text, address]) =>
      new Promise((resolve, reject) => {
        const code = `(${text})('${address}').then(postMessage, (error) => postMessage(String(error)))`;
        const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
    [String(example), bundle()],
  );
  assert.deepEqual(found, expected);
  await tab.close();
});
