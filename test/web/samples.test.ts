// The code samples of the playground and of the documentation, run by their real interpreters against a real service.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import type { ParametersView } from '../../src/http/dashboard/contract.ts';
import { snippets } from '../../web/src/pages/playground/snippets.ts';
import { hasCommand } from '../harness/needs.ts';
import { decode } from '../harness/picture.ts';
import { type Site, startSite } from '../harness/site.ts';
import { openWebHarness, type WebHarness } from './web-harness.ts';

const run = promisify(execFile);
let harness: WebHarness;
let site: Site;
let key: string;
let parameters: ParametersView;
let folder: string;
beforeAll(async () => {
  harness = await openWebHarness();
  const { store } = harness.app;
  const account = await store.accounts.create({ email: 'a@example.com', plan: 'business' });
  key = (await createKey(store, { accountId: account.id, name: 'samples', limit: 10 })).secret;
  site = await startSite({ '/': '<body style="background:#0a0">' });
  parameters = (await (await fetch(`${harness.url}/api/parameters`)).json()) as ParametersView;
  folder = await mkdtemp(join(tmpdir(), 'tintype-samples-'));
});
afterAll(async () => {
  await harness?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

const languages = {
  curl: { command: 'sh', file: 'sample.sh' },
  javascript: { command: process.execPath, file: 'sample.mjs' },
  python: { command: 'python3', file: 'sample.py' },
  php: { command: 'php', file: 'sample.php' },
  ruby: { command: 'ruby', file: 'sample.rb' },
} as const;
type Language = keyof typeof languages;
const present = (Object.keys(languages) as Language[]).filter(
  (language) => language === 'javascript' || hasCommand(language === 'curl' ? 'curl' : languages[language].command),
);

const samples = (values: Record<string, string>, endpoint: 'screenshot' | 'og' = 'screenshot') =>
  new Map(snippets(harness.url, endpoint, values, parameters[endpoint]).map(({ value, code }) => [value, code]));

/** Runs it in a folder of its own. */
async function runSample(language: Language, code: string, env: Record<string, string> = {}) {
  const { command, file } = languages[language];
  const cwd = await mkdtemp(join(folder, 'run-'));
  await writeFile(join(cwd, file), code);
  const { stdout } = await run(command, [file], { cwd, env: { ...process.env, TINTYPE_KEY: key, ...env } });
  return { cwd, stdout };
}

/** The file that it wrote. */
async function pictureBy(language: Language, code: string, output: string, env: Record<string, string> = {}) {
  const { cwd } = await runSample(language, code, env);
  return decode(await readFile(join(cwd, output)));
}

const printedBy = async (language: Language, code: string) => (await runSample(language, code)).stdout;

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
const decodeHtml = (text: string) => text.replaceAll(/&([\w#]+);/g, (whole, name) => characters[name] ?? whole);

// What a shell, a template literal, a double-quoted text of PHP or JSON would read.
const awkward = `'"\`$HOME \${x} {$x} \\n \\\\ \\' \\" %s %% \t&amp;€漢😀 <?php ?> */ JSON\nJSON\n{{x}} #{x} !x ~`;

/** Green if the page that arrives contains exactly this text. */
const checking = (
  text: string,
) => `<!doctype html><meta charset="utf-8"><body style="background:#f00"><script type="text/plain" id="t">${text}</script>
<script>const codes = ${JSON.stringify([...text].map((letter) => letter.codePointAt(0)))};
const found = document.getElementById('t').textContent;
if (found === String.fromCodePoint(...codes)) document.body.style.background = '#0f0';</script>`;

describe.each(present)('in %s', (language) => {
  it('a request without secrets and long texts is a GET, and makes the picture', async () => {
    const values = {
      url: `${site.url}/?a='b"&c=$d\`e\``,
      width: '200',
      height: '100',
      fullPage: 'true',
      format: 'webp',
    };
    const code = samples(values).get(language) ?? '';
    expect(code).not.toMatch(/POST|Post\.new|data-binary|data=/);
    expect(await pictureBy(language, code, 'screenshot.webp')).toMatchObject({
      width: 200,
      height: 100,
      format: 'webp',
    });
  });

  it('a page sent as html arrives letter by letter, in a POST with numbers and booleans', async () => {
    const values = { html: checking(awkward), width: '200', height: '100', fullPage: 'true', clip: '0,0,200,100' };
    const code = samples(values).get(language) ?? '';
    const picture = await pictureBy(language, code, 'screenshot.png');
    expect([picture.width, picture.height, picture.at(150, 50)]).toEqual([200, 100, '#00ff00']);
  });

  it('a long address becomes a POST', async () => {
    const customCSS = `body { background: #00f !important } /*${'x'.repeat(2000)}*/`;
    const code = samples({ url: `${site.url}/`, width: '200', height: '100', customCSS }).get(language) ?? '';
    expect(code).toMatch(/POST|Post\.new|data-binary|data=/);
    expect((await pictureBy(language, code, 'screenshot.png')).at(100, 50)).toBe('#0000ff');
  });

  it('secrets come from the environment, and are not in the code', async () => {
    const values = {
      url: `${site.url}/?login`,
      width: '200',
      height: '100',
      headers: '{"X-Token":"hunter2"}',
      cookies: '[{"name":"a","value":"hunter2"}]',
      basicAuth: '{"username":"ada","password":"hunter2"}',
    };
    const code = samples(values).get(language) ?? '';
    expect(code).not.toMatch(/hunter2|X-Token|ada/);
    const env = {
      TINTYPE_HEADERS: '{"X-Token":"it\'s $HOME \\"quoted\\""}',
      TINTYPE_COOKIES: '[{"name":"a","value":"b"}]',
      TINTYPE_BASIC_AUTH: '{"username":"ada","password":"a\\\\b"}',
    };
    expect((await pictureBy(language, code, 'screenshot.png', env)).at(100, 50)).toBe('#00aa00');
  });

  it('a card with awkward words is made', async () => {
    const values = { template: 'changelog-card', title: awkward, change_items: 'One\nTwo' };
    const code = samples(values, 'og').get(language) ?? '';
    expect(await pictureBy(language, code, 'card.png')).toMatchObject({ width: 1200, height: 630 });
  });

  it("names and formats of somebody else's link run nothing", async () => {
    const evil = { template: 'default', 'x: 1}); throw 1; ({y': '1', "x'; exit 3; '": '1', format: 'png; exit 3' };
    const code = samples(evil, 'og').get(language) ?? '';
    expect(code).toContain('card.png');
    expect(code).not.toMatch(/card\.png; exit/);
    // The server refuses the format, which no sample takes for a success.
    await expect(pictureBy(language, code, 'card.png')).rejects.toThrow();
  });

  it('the samples of the reference run: with and without a key, a file and a text, a list in a body, a DELETE', async () => {
    expect(await pictureBy(language, await sampleOf('og'), 'result.png')).toMatchObject({ width: 1200, height: 630 });
    const card = JSON.parse(await printedBy(language, await sampleOf('ogJsonByPost')));
    expect(card).toMatchObject({ template: 'changelog-card', width: 1200 });
    expect(JSON.parse(await printedBy(language, await sampleOf('ogTemplates'))).templates.length).toBeGreaterThan(10);
    expect(JSON.parse(await printedBy(language, await sampleOf('removeResults')))).toEqual({ removed: 0 });

    async function sampleOf(operation: string): Promise<string> {
      const page = await (await fetch(`${harness.url}/docs/api/${operation}`)).text();
      const html = new RegExp(` id="${operation}-${language}-panel"[^]*?<code>([^]*?)</code>`).exec(page)?.[1] ?? '';
      return decodeHtml(html.replaceAll(/<[^>]+>/g, ''));
    }
  });

  it('the sample of the documentation makes its picture', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/html-and-logins.md'), 'utf8');
    const name = { curl: 'sh', javascript: 'js', python: 'python', php: 'php', ruby: 'ruby' }[language];
    const code = new RegExp(`\`\`\`${name}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
    const mine = code.replaceAll('http://127.0.0.1:3000', harness.url);
    expect(mine).toContain(harness.url);
    expect(await pictureBy(language, mine, 'invoice.png')).toMatchObject({ width: 600, height: 300 });
  });
});

it('every language is tried where it is installed, and at least two of them everywhere', () => {
  expect(present).toEqual(expect.arrayContaining(['curl', 'javascript']));
});
