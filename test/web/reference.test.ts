// The API reference stands on the dashboard's origin: it has the dashboard's headers, and works under them in a real browser.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWebHarness, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
beforeAll(async () => {
  harness = await openWebHarness();
});
afterAll(() => harness.close());

test('the reference has a content security policy and cannot be framed', async () => {
  const page = await fetch(`${harness.url}/docs/`);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]{44}';/);
  expect(policy.split(';').find((part) => part.includes('script-src'))).not.toContain('unsafe');
  for (const path of ['/docs', '/docs/', '/docs/js/scalar.js']) {
    const { headers } = await fetch(harness.url + path, { redirect: 'manual' });
    expect([path, headers.get('x-frame-options'), headers.get('x-content-type-options')]).toEqual([
      path,
      'DENY',
      'nosniff',
    ]);
  }
});

test('it shows the endpoints, sends a request, keeps to its policy and loads nothing from other hosts', async () => {
  const { page, faults } = await harness.visitor();
  await page.goto('/docs');
  await page.getByRole('heading', { name: 'Capture a web page as an image or a PDF' }).waitFor();
  await page
    .getByRole('button', { name: /test request/i })
    .first()
    .click();
  await page.getByRole('button', { name: /^send/i }).first().click();
  await page.getByText('401 Unauthorized').first().waitFor();
  expect(faults).toEqual([]);
  // Four megabytes of script, in a browser on a machine that may be busy.
}, 180_000);
