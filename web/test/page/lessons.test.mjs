// The lessons: pictures that move, and texts whose marked lines are there.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { around } from './browser.mjs';
import { open } from './user.mjs';

const parts = around({ before, after });

test('every lesson has its picture, and its marks are in the text that runs', async (t) => {
  const page = await open(t, parts);
  for (const lesson of await page
    .locator('[data-lesson]')
    .evaluateAll((all) => all.map((each) => each.dataset.lesson))) {
    await page.click(`[data-lesson=${lesson}]`);
    await page.locator(`[data-lesson=${lesson}][aria-current=true]`).waitFor();
    assert.ok(await page.locator('#lesson svg.picture').isVisible(), lesson);
    const before = await page.locator('#lesson .cell[data-tone]').count();
    assert.ok(before > 0, lesson);
    const marks = await page.locator('.mark').count();
    assert.ok(marks > 0, lesson);
    assert.equal(await page.locator('.mark:disabled').count(), 0, `${lesson} has a note without a line`);
    for (let i = 0; i < marks; i++) await page.locator('.mark').nth(i).click();
    for (const rest of await page.locator('#lesson details.rest:not([open]) summary').all()) await rest.click();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${lesson}: its text makes the page ${wide} px wider than the screen`);
  }
  await page.click('[data-lesson=naive]');
  await page.click('[data-lesson=tiled]');
  await page.getByRole('button', { name: 'tiled-32' }).click();
  assert.match(await page.locator('#lesson pre').last().textContent(), /array<array<f32, 32>, 32>/);
});

test('a picture moves, pauses, and stands still where less motion is wanted', async (t) => {
  const page = await open(t, parts);
  const play = page.locator('.scene .buttons button').first();
  await page.locator('.scene').scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector('.scene .buttons button').textContent === 'Pause');
  const lit = () =>
    page
      .locator('.scene .cell[data-tone=now]')
      .evaluateAll((all) => all.map((each) => `${each.getAttribute('x')} ${each.getAttribute('y')}`).join());
  const first = await lit();
  await page.waitForTimeout(1300);
  assert.notEqual(await lit(), first);
  await play.click();
  const still = await lit();
  await page.waitForTimeout(1300);
  assert.equal(await lit(), still);
  await page.locator('.scene .buttons button').nth(1).click();
  assert.notEqual(await lit(), still);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.click('[data-lesson=tiled]');
  await page.waitForTimeout(700);
  assert.equal(await play.textContent(), 'Play');
});
