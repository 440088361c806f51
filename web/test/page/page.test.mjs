// The page as a person uses it, in real Chromium with a software adapter.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { around, launch } from './browser.mjs';
import { ended, open, rows } from './user.mjs';

const RUN_MS = 600_000;

const parts = around({ before, after });

/** Hands the page's device to the test, as a driver that fails takes it from the page. */
function keepDevice() {
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (...given) {
    window.lastDevice = await requestDevice.apply(this, given);
    return window.lastDevice;
  };
}

test('the ladder at 128: every row that runs is verified', { timeout: RUN_MS + 60_000 }, async (t) => {
  const page = await open(t, parts);
  assert.match(await page.locator('#gpu').textContent(), /swiftshader/i);
  await page.locator('label[for=size-128]').click();
  await page.click('#start');
  assert.match(await page.locator('#start').textContent(), /Stop/);
  // The page answers while it measures: frames keep coming.
  const frames = await page.evaluate(
    () =>
      new Promise((resolve) => {
        let count = 0;
        const end = performance.now() + 3000;
        const next = () => {
          count++;
          if (performance.now() < end) requestAnimationFrame(next);
          else resolve(count);
        };
        requestAnimationFrame(next);
      }),
  );
  assert.ok(frames > 10, `${frames} frames in 3 s`);
  assert.match(await ended(page), /Done/);
  const found = await rows(page);
  assert.deepEqual(
    found.map((row) => row.id),
    [
      'cpu-js',
      'cpu-wasm',
      'naive',
      'workgroup',
      'coalesced',
      'tiled-8',
      'tiled-16',
      'tiled-32',
      'tiled-padded',
      'tiled-transposed',
      'thread-tile-2x2',
      'thread-tile-4x4',
      'unrolled',
      'vec4',
      'subgroup-matrix',
      'register-tile',
      'choice',
    ],
  );
  for (const row of found) {
    if (row.className === 'unavailable') {
      assert.equal(row.id, 'subgroup-matrix', row.cells.join(' ')); // SwiftShader has no matrix units
      assert.match(row.cells[1], /subgroup-matrix/);
    } else {
      assert.ok(row.right, `${row.id}: ${row.cells.join(' ')}`);
      assert.equal(row.cells[1], '128');
      assert.ok(Number(row.cells[2].replace(',', '')) > 0, row.cells.join(' '));
    }
  }
  assert.ok(await page.locator('#ladder-chart').isVisible());
  assert.ok(await page.locator('#roofline-chart').isVisible());
  assert.match(await page.locator('.reached').textContent(), /^\d/);

  // As a link into another page, and as a file back into this one.
  await parts.browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.click('#copy-link');
  await page.waitForFunction(() => /copied/.test(document.querySelector('.message').textContent));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.length < 4000, `the link has ${link.length} characters`);
  const other = await parts.browser.context.newPage();
  await other.goto(link);
  await other.locator('.runs li').waitFor();
  assert.match(await other.locator('.runs li').textContent(), /128 × 128/);
  assert.ok(await other.locator('#compare-chart').isVisible());

  const saved = page.waitForEvent('download');
  await page.click('#save-json');
  const json = await readFile(await (await saved).path(), 'utf8');
  assert.equal(JSON.parse(json).rows.length, found.length);
  const file = (name, text) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  await page.setInputFiles('#run-files', file('mine.json', json));
  assert.equal(await page.locator('.runs li').count(), 1, 'the same run is not there twice');
  const theirs = JSON.stringify({ ...JSON.parse(json), date: '2026-01-02T03:04:05.000Z', device: null });
  await page.setInputFiles('#run-files', [file('theirs.json', theirs), file('none.json', '{"a": 1}')]);
  await page.locator('.runs li').nth(1).waitFor();
  assert.match(await page.locator('.message').textContent(), /none\.json/);
  await page.fill('#run-link', 'https://example.org/#run=nonsense');
  await page.locator('form.add button').click();
  await page.waitForFunction(() => /holds no run/.test(document.querySelector('.message').textContent));

  for (const [button, begin] of [
    ['#save-csv', 'date,device,browser,id,'],
    ['#save-png', '\x89PNG'],
  ]) {
    const download = page.waitForEvent('download');
    await page.click(button);
    const content = await readFile(await (await download).path(), 'latin1');
    assert.ok(content.startsWith(begin), button);
  }
  // Another language, and all of it is still there.
  await page.selectOption('#language', 'ja');
  const translated = await rows(page);
  assert.equal(translated.length, found.length);
  assert.match(translated.find(({ id }) => id === 'subgroup-matrix').cells[1], /^使えません \S+ が必要/);
  assert.equal(await page.locator('.runs li').count(), 2);
  await other.close();
});

/** A device whose memory ends at matrices of 256 x 256. */
function littleMemory() {
  const { createBuffer, popErrorScope } = GPUDevice.prototype;
  let full = false;
  GPUDevice.prototype.createBuffer = function (descriptor) {
    full ||= descriptor.size >= 256 * 256 * 4 && (descriptor.usage & GPUBufferUsage.STORAGE) !== 0;
    return createBuffer.call(this, descriptor);
  };
  GPUDevice.prototype.popErrorScope = async function () {
    const found = await popErrorScope.call(this);
    if (!full) return found;
    full = false;
    return new GPUOutOfMemoryError('no room');
  };
}

test('matrices that the memory does not hold are measured smaller', { timeout: RUN_MS }, async (t) => {
  const page = await open(t, parts, { prepare: littleMemory });
  await page.locator('label[for=size-256]').click();
  await page.click('#start');
  await page.locator('tr[data-row=workgroup]').waitFor({ timeout: 240_000 });
  await page.click('#start');
  await ended(page, 60_000);
  for (const row of (await rows(page)).filter(({ id }) => id === 'naive' || id === 'workgroup')) {
    assert.ok(row.right, row.cells.join(' '));
    assert.equal(row.cells[1], '128');
  }
  assert.ok(await page.locator('#smaller-sizes').isVisible());
});

/** An adapter without timestamp queries. */
function withoutTimestamps() {
  const { get } = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, 'features');
  Object.defineProperty(GPUAdapter.prototype, 'features', {
    get() {
      return new Set([...get.call(this)].filter((name) => name !== 'timestamp-query'));
    },
  });
}

test('without timestamps the page has one clock, and says no difference of two', { timeout: RUN_MS }, async (t) => {
  const page = await open(t, parts, { prepare: withoutTimestamps });
  await page.locator('label[for=size-512]').click(); // or as large as the budget allows: a sample is one product
  await page.click('#start');
  await page.locator('tr[data-row=naive]').waitFor({ timeout: 240_000 });
  await page.click('#start');
  await ended(page, 60_000);
  const naive = (await rows(page)).find(({ id }) => id === 'naive');
  assert.match(naive.cells[3], /^≈ /);
  assert.equal(naive.cells[3], `≈ ${naive.cells[4]}`);
  assert.equal(await page.getByText('longer than the kernel').count(), 0);
});

test('the language is taken from the address, switched, and kept', async (t) => {
  const page = await open(t, parts, { query: '?lang=zh' });
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh');
  assert.match(await page.locator('#start').textContent(), /开始/);
  await page.selectOption('#language', 'ja');
  assert.match(await page.locator('#start').textContent(), /開始/);
  assert.match(page.url(), /lang=ja/);
  await page.goto(parts.server.address);
  await page.locator('#start').waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'ja');
  await page.selectOption('#language', 'en');
  assert.match(await page.title(), /your GPU/);
});

test('Stop ends the run soon and keeps what was measured', async (t) => {
  const page = await open(t, parts);
  await page.locator('label[for=size-128]').click();
  await page.click('#start');
  await page.locator('tr[data-row=naive]').waitFor({ timeout: 240_000 });
  const asked = Date.now();
  await page.click('#start');
  assert.match(await ended(page, 120_000), /Stopped/);
  assert.ok(Date.now() - asked < 10_000);
  const found = await rows(page);
  assert.ok(found.length >= 3 && found.length < 17, `${found.length} rows`);
  assert.match(await page.locator('#start').textContent(), /Start again/);
});

test('a size that takes too long is replaced by a smaller one, and Stop reaches a loop on the CPU', async (t) => {
  const page = await open(t, parts);
  await page.locator('label[for=size-8192]').click();
  await page.click('#start');
  await page.locator('tr[data-row=cpu-js]').waitFor({ timeout: 240_000 });
  const [row] = await rows(page);
  assert.ok(row.right && Number(row.cells[1]) < 8192, row.cells.join(' '));
  assert.ok(await page.locator('#smaller-sizes').isVisible());
  await page.click('#start');
  assert.match(await ended(page, 60_000), /Stopped/);
});

/** A compiler that loses the last product of each sum of one kernel. */
function breakNaive() {
  const { createShaderModule } = GPUDevice.prototype;
  GPUDevice.prototype.createShaderModule = function (descriptor) {
    const code = descriptor.code.includes('// naive:')
      ? descriptor.code.replace('k < dims.k', 'k + 1u < dims.k')
      : descriptor.code;
    return createShaderModule.call(this, { ...descriptor, code });
  };
}

test('a wrong product is marked wrong, and is not the best', async (t) => {
  const page = await open(t, parts, { prepare: breakNaive });
  await page.locator('label[for=size-128]').click();
  await page.click('#start');
  await page.locator('tr[data-row=naive]').waitFor({ timeout: 240_000 });
  assert.equal(await page.locator('tr[data-row=naive] td.wrong').textContent(), '✗ wrong');
  await page.locator('tr[data-row=workgroup]').waitFor({ timeout: 240_000 });
  assert.ok(await page.locator('tr[data-row=workgroup] td.right').isVisible());
  // The best is one of the right rows: of workgroup, and those that are done by now.
  assert.ok(await page.locator('.reached').isVisible());
  assert.doesNotMatch(await page.locator('.sentence').textContent(), /naive/);
  await page.click('#start');
  await ended(page, 120_000);
});

test('a lost device is told, and Start again opens a new one', { timeout: RUN_MS }, async (t) => {
  const page = await open(t, parts, { prepare: keepDevice });
  await page.locator('label[for=size-128]').click();
  await page.click('#start');
  await page.locator('tr[data-row=naive]').waitFor({ timeout: 240_000 });
  await page.evaluate(() => window.lastDevice.destroy());
  assert.match(await ended(page, 120_000), /lost/);
  assert.ok((await rows(page)).some((row) => row.id === 'naive'));
  await page.click('#start');
  await page.locator('tr[data-row=workgroup]').waitFor({ timeout: 240_000 });
  await page.click('#start');
  assert.match(await ended(page, 120_000), /Stopped/);
  // Lost while nothing runs.
  await page.evaluate(() => window.lastDevice.destroy());
  await page.waitForFunction(() => /lost/.test(document.querySelector('#ended').textContent), null, {
    timeout: 60_000,
  });
});

test('without WebGPU there is advice, and the CPU is measured', async (t) => {
  const page = await open(t, parts, { prepare: () => delete Navigator.prototype.gpu });
  assert.match(await page.locator('#obstacle').textContent(), /no WebGPU.*chrome:\/\/gpu/s);
  await page.locator('label[for=size-128]').click();
  await page.click('#start');
  assert.match(await ended(page, 240_000), /Done/);
  const found = await rows(page);
  assert.deepEqual(
    found.map((row) => row.id),
    ['cpu-js', 'cpu-wasm'],
  );
  for (const row of found) assert.ok(row.right, row.cells.join(' '));
  await page.click('[data-lesson=naive]');
  assert.match(await page.locator('#lesson').textContent(), /program appears where/);
});

test('a browser whose WebGPU has no adapter says so', async (t) => {
  const page = await open(t, parts, {
    prepare: () => {
      GPU.prototype.requestAdapter = async () => null;
    },
  });
  assert.match(await page.locator('#obstacle').textContent(), /offers no GPU/);
});

test('Chromium on a machine without a GPU', async () => {
  const { context, close } = await launch({ webgpu: false });
  try {
    const page = await context.newPage();
    await page.goto(parts.server.address);
    await page.waitForFunction(() => document.querySelector('#start')?.disabled === false, null, { timeout: 120_000 });
    assert.ok(await page.locator('#obstacle').isVisible());
    await page.locator('label[for=size-128]').click();
    await page.click('#start');
    assert.match(await ended(page, 240_000), /Done/);
    assert.ok((await rows(page)).every((row) => row.right));
  } finally {
    await close();
  }
});
