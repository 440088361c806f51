// The tuning tab as a person uses it.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { around, launch } from './browser.mjs';
import { open } from './user.mjs';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const parts = around({ before, after });

async function search(page, { shapes = '64x64x64', stopAfter } = {}) {
  await page.fill('#tune-shapes', shapes);
  await page.selectOption('#tune-budget', '5');
  await page.click('#tune-start');
  if (stopAfter) {
    await page.waitForFunction((count) => document.querySelectorAll('#trials tbody tr').length >= count, stopAfter, {
      timeout: 600_000,
    });
    await page.click('#tune-start');
  }
  await page.waitForFunction(() => document.querySelector('#tune-told').textContent !== '', null, { timeout: 600_000 });
  return page.locator('#tune-told').textContent();
}

const trials = (page) =>
  page.locator('#trials tbody tr').evaluateAll((lines) =>
    lines.map((line) => ({
      kernel: line.querySelector('code').textContent,
      own: line.querySelector('.own') !== null,
      cells: [...line.cells].slice(1).map((cell) => cell.textContent.trim()),
    })),
  );

async function serious(page) {
  await page.addScriptTag({ path: axe });
  const { violations } = await page.evaluate(() => globalThis.axe.run('#tuning'));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary).join('\n')}`);
}

test('a search, its table, a reload, a file out and in, and its use', { timeout: 1_200_000 }, async (t) => {
  const page = await open(t, parts);
  assert.match(await page.locator('#tuning .empty').textContent(), /Nothing has been tuned/);
  assert.ok(await page.locator('#tune-save').isDisabled());
  await softwareIsTold(page);
  assert.deepEqual(await serious(page), []);

  assert.match(await search(page), /Done/);
  const found = await trials(page);
  assert.ok(found.length >= 2, `${found.length} trials`);
  assert.equal(found.filter((trial) => trial.own).length, 1);
  const right = found.filter((trial) => trial.cells[3] === 'right');
  assert.ok(right.length >= 2, JSON.stringify(found));
  for (const {
    cells: [, ms, gflops],
  } of right) {
    const seconds = Number.parseFloat(ms.replace('≈', '').replaceAll(',', '')) / 1e3;
    const expected = (2 * 64 ** 3) / seconds / 1e9;
    const shown = Number(gflops.replaceAll(',', ''));
    assert.ok(Math.abs(shown / expected - 1) < 0.02, `${gflops} GFLOP/s in ${ms}`);
  }
  const best = await page.locator('#tune-best').textContent();
  assert.ok(best.includes(right[0].kernel), `the table begins with the fastest: ${best}`);
  assert.match(best, /planner’s own choice/);

  // Sorted by any column, both ways.
  const kernels = async () => (await trials(page)).map((trial) => trial.kernel);
  const inOrder = (await kernels()).sort();
  await page.click('[data-column=kernel]');
  assert.deepEqual(await kernels(), inOrder);
  assert.equal(await page.locator('th:has([data-column=kernel])').getAttribute('aria-sort'), 'ascending');
  await page.click('[data-column=kernel]');
  assert.deepEqual(await kernels(), inOrder.reverse());
  await page.click('[data-column=gflops]');
  await page.click('[data-column=gflops]');
  assert.equal((await kernels())[0], right[0].kernel);

  // Kept in the browser: the table is there again, and a stopped search goes on with it.
  await page.check('#tune-use');
  await page.waitForFunction(used);
  await page.reload();
  await page.locator('#trials tbody tr').first().waitFor({ timeout: 240_000 });
  const again = await trials(page);
  assert.deepEqual(again.map((trial) => trial.kernel).sort(), found.map((trial) => trial.kernel).sort());
  assert.ok(await page.locator('#tune-use').isChecked());
  const text = await page.locator('#tune-best').textContent();
  assert.ok(text.includes(right[0].kernel), text);

  // Out, and into a browser that knows nothing.
  const saved = page.waitForEvent('download');
  await page.click('#tune-save');
  const json = await readFile(await (await saved).path(), 'utf8');
  const data = JSON.parse(json);
  assert.equal(data.format, 'wgemm tuning');
  assert.equal(data.entries.length, 1);
  assert.deepEqual([data.entries[0].problem.m, data.entries[0].problem.n, data.entries[0].problem.k], [64, 64, 64]);
  const other = await launch();
  t.after(() => other.close());
  const fresh = await open(t, { ...parts, browser: other });
  const file = (name, content) => ({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
  await fresh.waitForFunction(() => !document.querySelector('#tune-open').disabled);
  await fresh.setInputFiles('#tune-files', file('none.json', '{"format": "wgemm tuning"}'));
  await fresh.locator('#tune-told.trouble').waitFor();
  assert.match(await fresh.locator('#tune-told').textContent(), /none\.json/);
  assert.match(await fresh.locator('#tune-entries').textContent(), /: 0$/);
  await fresh.setInputFiles('#tune-files', file('mine.json', json));
  await fresh.waitForFunction(() => /: 1$/.test(document.querySelector('#tune-entries').textContent));
  const back = fresh.waitForEvent('download');
  await fresh.click('#tune-save');
  assert.deepEqual(JSON.parse(await readFile(await (await back).path(), 'utf8')), data);

  // The last row of the ladder goes by a choice from the file: one that the planner would not make at 128.
  const planned = await choiceOf(fresh);
  const kernel = 'coalesced_WX16_WY16';
  assert.notEqual(planned, kernel);
  const younger = {
    ...data.entries[0],
    kernel,
    split_k: 1,
    date: '2999-01-01T00:00:00Z',
    problem: { ...data.entries[0].problem, m: 128, n: 128, k: 128 },
  };
  await fresh.setInputFiles('#tune-files', file('coalesced.json', JSON.stringify({ ...data, entries: [younger] })));
  await fresh.waitForFunction(() => /: 2$/.test(document.querySelector('#tune-entries').textContent));
  await fresh.check('#tune-use');
  assert.equal(await choiceOf(fresh), kernel);
});

/** In each language, where the adapter is one; back to English. */
async function softwareIsTold(page) {
  await page.waitForFunction(() => !document.querySelector('#tune-open').disabled);
  for (const [language, words] of [
    ['ja', 'GPU のことは何も分からず'],
    ['zh', '不能说明任何 GPU'],
    ['en', 'say nothing of a GPU'],
  ]) {
    await page.selectOption('#language', language);
    const note = page.locator('#tune-software', { hasText: words });
    await note.waitFor({ state: 'visible' });
  }
}

/** In the page: whether the database says that its choices are used. */
async function used() {
  const settled = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await settled(indexedDB.open('wgemm tuning'));
  const kept = await settled(database.transaction('devices').objectStore('devices').getAll());
  database.close();
  return kept.some((known) => known.used);
}

/** The kernel of the ladder's last row at 128. */
async function choiceOf(page) {
  await page.locator('label[for=size-128]').click();
  await page.click('#start');
  await page.locator('tr[data-row=choice]').waitFor({ timeout: 600_000 });
  return page.locator('tr[data-row=choice] .kernel').textContent();
}

test('stop, and go on; sizes that are none', { timeout: 1_200_000 }, async (t) => {
  const page = await open(t, parts);
  assert.match(await search(page, { shapes: '64x64' }), /Write sizes/);
  assert.match(await search(page, { shapes: '48×32×40 ,24x32x40', stopAfter: 1 }), /Stopped/);
  const count = (await trials(page)).length;
  assert.ok(count >= 1);
  assert.match(await page.locator('#tune-best').textContent(), /not complete/);
  await search(page, { shapes: '48x32x40', stopAfter: count + 1 });
  assert.ok((await trials(page)).length > count);
});

for (const dark of [false, true]) {
  test(
    `axe: ${dark ? 'dark' : 'light'}, with a table, in three languages, on a phone`,
    { timeout: 600_000 },
    async (t) => {
      const page = await open(t, parts);
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
      await search(page, { shapes: '16x16x16', stopAfter: 1 });
      for (const language of ['en', 'ja', 'zh']) {
        await page.selectOption('#language', language);
        await page.locator('#trials tbody tr').first().waitFor();
        assert.deepEqual(await serious(page), [], language);
        assert.equal(await page.inputValue('#tune-shapes'), '16x16x16');
      }
      await page.setViewportSize({ width: 360, height: 800 });
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(wide <= 0, `${wide} px wider than the screen`);
      assert.deepEqual(await serious(page), []);
    },
  );
}
