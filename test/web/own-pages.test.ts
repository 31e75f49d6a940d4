// The playground with a page of its own and with secrets: everything is in the form, and nothing of it in an address, in the
// browser's storage, in the usage page or in a link.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let user: Visitor;
beforeAll(async () => {
  harness = await openWebHarness();
  user = await harness.visitor();
  const token = new URL(harness.setupLink).searchParams.get('token');
  await harness.call(user.context, 'POST', '/api/setup', { token, name: 'A', email: 'a@example.com', password });
  await harness.call(user.context, 'POST', '/api/keys', { name: 'First' });
});
afterAll(() => harness?.close());
afterEach(() => expect(user.faults).toEqual([]));

const render = (parameters: Record<string, string>, context = user.context) =>
  harness.call(context, 'POST', '/api/playground/render', { endpoint: 'screenshot', parameters });
const canary = 'hunter2hunter2';

/** Everything that a browser keeps of a page. */
const keptByBrowser = async () => {
  const { page, context } = user;
  const stores = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]));
  return stores + page.url() + JSON.stringify(await context.cookies());
};

describe('a page of its own', () => {
  test('is captured from the form; its address bar has the other values only', async () => {
    const { page } = user;
    await page.goto('/playground');
    await page.getByText('HTML', { exact: true }).click();
    await page.getByLabel('html', { exact: true }).fill(`<title>Mine</title><h1>${canary}</h1>`);
    await expect.poll(() => page.getByLabel('url', { exact: true }).count()).toBe(0);
    await page.getByLabel('width', { exact: true }).fill('640');
    await expect.poll(() => new URL(page.url()).searchParams.get('width')).toBe('640');
    await page.getByRole('button', { name: 'Capture' }).click();
    const picture = page.getByAltText('Capture of Mine');
    await picture.waitFor();
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(
      640,
    );
    expect([...new URL(page.url()).searchParams.keys()].sort()).toEqual(['endpoint', 'width']);
    expect(await keptByBrowser()).not.toContain(canary);
  });

  test('stays in the form when the picture is opened', async () => {
    const { page, context } = user;
    const opening = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await (await opening).close();
    expect(await page.getByLabel('html', { exact: true }).inputValue()).toContain(canary);
  });

  test('gives code that posts it, and no link', async () => {
    const { page } = user;
    await page.getByRole('tab', { name: 'Code' }).click();
    const code = page.getByRole('region', { name: 'Code: curl' });
    await expect.poll(() => code.textContent()).toContain('--data-binary @-');
    expect(await code.textContent()).toContain('"width": 640');
    await page.getByRole('tabpanel').getByText('HTML', { exact: true }).click();
    await page.getByText('html is taken from the body of a POST only.').waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Code: HTML' }).count()).toBe(0);
  });

  test('is kept while another source is tried, and forgotten with the page', async () => {
    const { page } = user;
    await page.getByText('Web page', { exact: true }).click();
    expect(await page.getByLabel('url', { exact: true }).inputValue()).toBe('https://example.com/');
    await page.getByText('Markdown', { exact: true }).click();
    await page.getByLabel('markdown', { exact: true }).fill('# Hello');
    await page.getByLabel('baseUrl', { exact: true }).fill('https://example.com/');
    await page.getByText('HTML', { exact: true }).first().click();
    expect(await page.getByLabel('html', { exact: true }).inputValue()).toContain(canary);
    await page.reload();
    await page.getByLabel('url', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(canary);
  });

  test('an address that names it fills no field', async () => {
    const { page } = user;
    await page.goto(`/playground?html=${canary}&headers=${canary}&width=300`);
    await page.getByLabel('width', { exact: true }).waitFor();
    expect(await page.getByLabel('url', { exact: true }).inputValue()).toBe('');
    await expect.poll(() => page.url()).not.toContain(canary);
  });

  test('may have two megabytes in the render route, and in no other', async () => {
    const html = `<title>Long</title><!--${'x'.repeat(1_900_000)}-->Hello`;
    expect((await render({ html, width: '200', height: '100' })).body).toMatchObject({ event: 'done' });
    const tooLong = await render({ html: 'x'.repeat(2_000_001) });
    expect([tooLong.status, tooLong.body]).toMatchObject([400, { code: 'invalid_parameter', parameter: 'html' }]);
    expect((await render({ html: 'x'.repeat(5_000_000) })).status).toBe(413);
    const link = { endpoint: 'screenshot', parameters: { html }, keyId: 'key_x' };
    expect((await harness.call(user.context, 'POST', '/api/playground/link', link)).status).toBe(413);
    expect((await harness.call(user.context, 'PATCH', '/api/account', { name: html })).status).toBe(413);
  });

  test('of nobody who is signed in is not read', async () => {
    const guest = await harness.visitor();
    expect((await render({ html: 'x'.repeat(3_000_000) }, guest.context)).status).toBe(401);
    await guest.context.close();
  });

  test('that is no JSON object is refused', async () => {
    for (const [data, type, status] of [
      ['{"endpoint":', 'application/json', 400],
      ['[]', 'application/json', 400],
      ['{"endpoint":"screenshot","parameters":{"html":{}}}', 'application/json', 400],
      ['x', 'text/plain', 415],
    ] as const) {
      const response = await user.context.request.fetch('/api/playground/render', {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': type },
        data: Buffer.from(data),
      });
      expect([data, response.status()]).toEqual([data, status]);
    }
  });

  test('is known by its hash and length in Usage, and by its kind in Captures; the filters still work', async () => {
    const { page } = user;
    await page.goto('/usage?status=render');
    const row = page
      .locator('ul button[aria-expanded]')
      .filter({ hasText: /html \(sha256 [0-9a-f]{8}…, \d+ characters\)/ });
    await row.first().click();
    await page.getByText('The page that was sent is not stored').waitFor();
    const open = await page.getByRole('link', { name: 'Open in playground' }).first().getAttribute('href');
    expect(new URLSearchParams(open?.split('?')[1]).has('html')).toBe(false);
    expect(await page.content()).not.toContain(canary);
    await page.getByLabel('Verdict').selectOption('ok');
    await row.first().waitFor();
    await page.goto('/captures');
    await page.locator('main li').filter({ hasText: 'Mine' }).getByText('html', { exact: true }).waitFor();
  });
});

describe('secrets', () => {
  const secrets = {
    headers: `{"X-Token":"${canary}"}`,
    cookies: `[{"name":"a","value":"${canary}"}]`,
    basicAuth: `{"username":"ada","password":"${canary}"}`,
  };

  test('are in the form only', async () => {
    const { page } = user;
    await page.goto(`/playground?endpoint=screenshot&url=${encodeURIComponent(harness.target('/'))}`);
    await page.getByText('Behind a login').click();
    for (const [name, value] of Object.entries(secrets)) await page.getByLabel(name, { exact: true }).fill(value);
    await page.getByLabel('width', { exact: true }).fill('320');
    await expect.poll(() => new URL(page.url()).searchParams.get('width')).toBe('320');
    await page.getByRole('button', { name: 'Capture' }).click();
    await page.getByText('rendered in').waitFor();
    expect(await keptByBrowser()).not.toContain(canary);
    await page.getByRole('tab', { name: 'Code' }).click();
    for (const language of ['curl', 'JavaScript', 'Python', 'PHP']) {
      await page.getByRole('tabpanel').getByText(language, { exact: true }).first().click();
      const code = page.getByRole('region', { name: `Code: ${language}` });
      await expect.poll(() => code.textContent()).toContain('TINTYPE_BASIC_AUTH');
      expect(await code.textContent()).not.toMatch(new RegExp(`${canary}|X-Token`));
    }
    await page.getByRole('tabpanel').getByText('HTML', { exact: true }).click();
    await page.getByText('headers is a secret, and an address is kept in logs and histories').waitFor();
  });

  test('are in no usage row and no log line', async () => {
    const { body } = await harness.call(user.context, 'GET', '/api/requests');
    expect(JSON.stringify(body)).not.toContain(canary);
    expect(harness.logged.join('')).not.toContain(canary);
  });

  test.each(Object.entries({ ...secrets, html: '<p>x', markdown: 'x' }))(
    '%s: a link is refused as a GET is',
    async (name, value) => {
      const keys = (await harness.call(user.context, 'GET', '/api/keys')).body as { keys: { id: string }[] };
      const url = harness.target('/');
      const link = { endpoint: 'screenshot', parameters: { url, [name]: value }, keyId: keys.keys[0]?.id };
      const refused = await harness.call(user.context, 'POST', '/api/playground/link', link);
      const made = (await harness.call(user.context, 'POST', '/api/keys', { name })).body as { secret: string };
      const got = await fetch(`${harness.url}/v1/screenshot?${new URLSearchParams({ url, [name]: value })}`, {
        headers: { 'x-api-key': made.secret },
      });
      const { error, code, parameter } = (await got.json()) as Record<string, string>;
      expect([refused.status, refused.body]).toMatchObject([400, { error, code, parameter }]);
      expect(parameter).toBe(name);
    },
  );
});

test('every parameter has its field, in a group that says what it is for', async () => {
  const { page } = user;
  const { screenshot, groups } = (await harness.call(user.context, 'GET', '/api/parameters')).body as {
    screenshot: { name: string; group: string }[];
    groups: string[];
  };
  await page.goto('/playground?endpoint=screenshot&format=pdf&url=https://example.com/');
  await page.getByLabel('url', { exact: true }).waitFor();
  for (const title of groups.slice(1))
    expect([title, await page.locator('summary', { hasText: title }).count()]).toEqual([title, 1]);
  const notThere = new Set(['response', 'api_key', 'html', 'markdown', 'baseUrl']);
  for (const { name, group } of screenshot.filter(({ name }) => !notThere.has(name))) {
    const place =
      group === groups[0]
        ? page.locator('form')
        : page.locator('details').filter({ has: page.locator('summary', { hasText: group }) });
    expect([name, await place.locator(`[name="${name}"], [id="flag-${name}"]`).count()]).toEqual([name, 1]);
  }
  const groupOf = (name: string) => screenshot.find((parameter) => parameter.name === name)?.group;
  expect(['selector', 'resizeWidth', 'clip'].map(groupOf)).toEqual(Array(3).fill('Element and shape'));
  expect(['userAgent', 'timezone', 'media'].map(groupOf)).toEqual(Array(3).fill('Emulation'));
  expect(['pageRanges', 'margin'].map(groupOf)).toEqual(Array(2).fill('PDF'));
  expect(['headers', 'cookies', 'basicAuth'].map(groupOf)).toEqual(Array(3).fill('Behind a login'));
});
