// What a person does with the page, and sees of it.
import assert from 'node:assert/strict';

/** A fresh page whose errors fail the test. */
export async function open(t, { server, browser }, { query = '', prepare } = {}) {
  const page = await browser.context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  t.after(async () => {
    await page.close();
    assert.deepEqual(errors, []);
  });
  if (prepare) await page.addInitScript(prepare);
  await page.goto(server.address + query);
  await page.waitForFunction(() => document.querySelector('#start')?.disabled === false, null, { timeout: 240_000 });
  return page;
}

export async function ended(page, timeout = 600_000) {
  await page.waitForFunction(() => !document.querySelector('#start').classList.contains('running'), null, { timeout });
  return page.locator('#ended').textContent();
}

export async function rows(page) {
  return page.locator('#results tbody tr').evaluateAll((lines) =>
    lines.map((line) => ({
      id: line.dataset.row,
      cells: [...line.cells].map((cell) => cell.textContent.trim()),
      className: line.className,
      right: line.querySelector('td.right') !== null,
    })),
  );
}
