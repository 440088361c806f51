// axe finds nothing serious, in both themes, before and after a run, wide and narrow; and keys suffice.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { around } from './browser.mjs';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const parts = around({ before, after });

async function open(options = {}) {
  const page = await parts.browser.context.newPage();
  await page.emulateMedia({ colorScheme: options.dark ? 'dark' : 'light', reducedMotion: 'reduce' });
  if (options.width) await page.setViewportSize({ width: options.width, height: 800 });
  await page.goto(`${parts.server.address}?lang=${options.language ?? 'en'}`);
  await page.waitForFunction(() => document.querySelector('#start')?.disabled === false, null, { timeout: 240_000 });
  return page;
}

async function serious(page) {
  await page.addScriptTag({ path: axe });
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`)
          .join('\n')}`,
    );
}

for (const dark of [false, true]) {
  test(`axe: ${dark ? 'dark' : 'light'}, with results`, { timeout: 600_000 }, async () => {
    const page = await open({ dark });
    assert.deepEqual(await serious(page), []);
    await page.locator('label[for=size-128]').click();
    await page.click('#start');
    await page.locator('tr[data-row=workgroup]').waitFor({ timeout: 240_000 });
    assert.deepEqual(await serious(page), []);
    await page.click('#start');
    await page.locator('.runs li').waitFor({ timeout: 120_000 });
    for (const lesson of ['tiled', 'vec4', 'cpu-js']) {
      await page.click(`[data-lesson=${lesson}]`);
      assert.deepEqual(await serious(page), [], lesson);
    }
    await page.close();
  });
}

test('axe: on a phone, in Japanese and Chinese', async () => {
  for (const language of ['ja', 'zh']) {
    const page = await open({ language, width: 360 });
    await page.locator('label[for=size-128]').click();
    await page.click('#start');
    await page.locator('tr[data-row=naive]').waitFor({ timeout: 240_000 });
    await page.click('#start');
    await page.locator('.runs li').waitFor({ timeout: 120_000 });
    assert.deepEqual(await serious(page), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} px wider than the screen`);
    await page.close();
  }
});

test('320 pixels are enough, which is a page at 400 %', async () => {
  for (const language of ['en', 'ja', 'zh']) {
    const page = await open({ language, width: 320 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${language}: ${wide} px wider than the screen`);
    await page.close();
  }
});

test('axe: without WebGPU', async () => {
  const page = await parts.browser.context.newPage();
  await page.addInitScript(() => delete Navigator.prototype.gpu);
  await page.goto(parts.server.address);
  await page.locator('#obstacle').waitFor();
  assert.deepEqual(await serious(page), []);
  await page.close();
});

test('a theme is chosen and kept', async () => {
  const page = await open();
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await back();
  await page.selectOption('#theme', 'dark');
  const dark = await back();
  assert.notEqual(dark, light);
  await page.reload();
  await page.locator('#start').waitFor();
  assert.equal(await back(), dark);
  await page.selectOption('#theme', 'system');
  assert.equal(await back(), light);
  await page.close();
});

test('keys alone start and stop a run', async () => {
  const page = await open();
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
  await page.keyboard.press('Tab');
  assert.match(await focused(), /Skip/);
  for (let i = 0; i < 20 && (await focused()) !== 'size-256'; i++) await page.keyboard.press('Tab');
  assert.equal(await focused(), 'size-256');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focused(), 'size-128');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'start');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#start').classList.contains('running'));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('#start').classList.contains('running'), null, {
    timeout: 60_000,
  });
  await page.close();
});
