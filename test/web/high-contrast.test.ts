// The forced colors of a system in high contrast: backgrounds, shadows and transparent borders are gone.
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedUsage } from './seed.ts';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let visitor: Visitor;
beforeAll(async () => {
  harness = await openWebHarness();
  visitor = await harness.visitor();
  const token = new URL(harness.setupLink).searchParams.get('token');
  const owner = { token, name: 'Ada', email: 'a@example.com', password };
  await harness.call(visitor.context, 'POST', '/api/setup', owner);
  const account = await harness.app.store.accounts.byEmail(owner.email);
  await seedUsage(harness.app.store, account?.id ?? '', 8);
  await visitor.page.emulateMedia({ forcedColors: 'active' });
});
afterAll(() => harness?.close());

/** The widest range of a color channel: 0 where there is one color. */
async function range(locator: Locator): Promise<number> {
  const { channels } = await sharp(await locator.screenshot())
    .removeAlpha()
    .stats();
  return Math.max(...channels.map(({ min, max }) => max - min));
}

const backgrounds = (locator: Locator) =>
  locator.evaluateAll((elements) => elements.map((element) => getComputedStyle(element).backgroundColor));

test.each(['light', 'dark'] as const)('everything that can be set or read is drawn, %s', async (colorScheme) => {
  const { page, faults } = visitor;
  await page.emulateMedia({ colorScheme });
  await page.goto('/usage?range=30d');
  await page.getByRole('img', { name: /^Bar chart/ }).waitFor();
  const [ground] = await backgrounds(page.locator('html'));
  const series = await backgrounds(page.locator('summary span.size-2'));
  expect(new Set([...series, ground]).size, 'three series and the page').toBe(4);
  const bars = await backgrounds(page.getByRole('img', { name: /^Bar chart/ }).locator('[style*="flex"]'));
  expect(bars.filter((color) => !series.includes(color))).toEqual([]);
  expect(await range(page.getByRole('meter')), 'the meter').toBeGreaterThan(100);

  await page.goto('/playground');
  for (const isOn of [false, true]) {
    await page.getByLabel('fullPage').setChecked(isOn);
    expect(await range(page.getByLabel('fullPage')), 'the switch').toBeGreaterThan(100);
  }
  const bottom = (name: string) =>
    page.getByRole('tab', { name }).evaluate((tab) => getComputedStyle(tab).borderBottomColor);
  expect(await bottom('Code')).toBe(ground);
  expect(await bottom('Preview')).not.toBe(ground);
  const [text, example] = await page.getByLabel('url', { exact: true }).evaluate((field) => {
    return [getComputedStyle(field).color, getComputedStyle(field, '::placeholder').color];
  });
  expect(example).not.toBe(text);
  const button = page.getByRole('button', { name: 'Capture' });
  expect(await button.evaluate((element) => getComputedStyle(element).color)).not.toBe((await backgrounds(button))[0]);

  await page.goto('/keys');
  await page.getByRole('button', { name: 'Create New Key' }).first().click();
  const edge = await page.getByRole('dialog').evaluate((dialog) => getComputedStyle(dialog).outlineStyle);
  expect(edge).toBe('solid');
  expect(faults).toEqual([]);
});
