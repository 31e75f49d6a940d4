// npm run test:examples: the code of docs/guides, taken out of the guides, built by the frameworks, and its cards opened on a
// live server. The frameworks are installed into temporary folders.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasCommand, hasOptional } from '../harness/needs.ts';
import { install, packClient } from '../harness/packed-client.ts';
import { decode } from '../harness/picture.ts';
import { type Customer, type Service, startService } from '../harness/service.ts';
import { frameworks } from './frameworks.ts';
import { filesIn, metaOf, readGuide, writeFiles } from './guide-code.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

let folder: string;
let client: string;
let service: Service;
let customer: Customer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-examples-'));
  client = await packClient(folder);
  service = await startService();
  customer = await service.customer('pro');
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** As the guides name them. */
const variables = (prefix = '') => ({
  [`${prefix}TINTYPE_URL`]: service.url,
  [`${prefix}TINTYPE_KEY_ID`]: customer.keyId,
  [`${prefix}TINTYPE_SIGNING_SECRET`]: customer.signingSecret,
});

/** Opens the card of a page, and checks that the tags tell the truth about it. */
async function checkCard(html: string, title: string): Promise<void> {
  const meta = metaOf(html);
  const link = meta.get('og:image') ?? '';
  expect(new URL(link).searchParams.get('title')).toBe(title);
  const response = await fetch(link);
  expect([link, response.status, response.headers.get('x-warning')]).toEqual([link, 200, null]);
  expect(response.headers.get('content-type')).toBe(meta.get('og:image:type'));
  const { width, height } = await decode(await response.arrayBuffer());
  expect([String(width), String(height)]).toEqual([meta.get('og:image:width'), meta.get('og:image:height')]);
  expect([meta.get('og:image:alt'), meta.get('twitter:card')]).toEqual([title, 'summary_large_image']);
}

it.each(frameworks)(
  'the guide for $guide builds a page whose card opens, and keeps the secret',
  async ({ guide, packages, starter, build: [program, ...words], page, publicFolders, title, prefix }) => {
    const project = join(folder, guide);
    // The same versions of a bundler as here: its newest one may lack the binary of this machine in the registry.
    const { overrides } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const manifest = JSON.stringify({ private: true, type: 'module', overrides });
    await writeFiles(project, [['package.json', manifest], ...Object.entries(starter)]);
    await writeFiles(project, filesIn(await readGuide(guide)));
    await install(project, [...packages, client]);
    const env = {
      PATH: process.env.PATH,
      HOME: project,
      CI: '1',
      NEXT_TELEMETRY_DISABLED: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
      NUXT_TELEMETRY_DISABLED: '1',
      ...variables(prefix),
    };
    const script = join(project, 'node_modules', program);
    await run(process.execPath, [script, ...words], { cwd: project, env, maxBuffer: 1e8 }).catch((error) => {
      throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
    });
    await checkCard(await readFile(join(project, page), 'utf8'), title);
    for (const open of publicFolders)
      for (const entry of await readdir(join(project, open), { recursive: true, withFileTypes: true }))
        if (entry.isFile())
          expect(await readFile(join(entry.parentPath, entry.name), 'latin1')).not.toContain(customer.signingSecret);
    await rm(project, { recursive: true, force: true });
  },
  600_000,
);

it('the guide for plain HTML has the link that its command makes', async () => {
  const guide = await readGuide('html');
  const [, path = ''] = /^bin\/tintype sign "\$KEY_ID" '([^']+)'$/m.exec(guide) ?? [];
  const { stdout } = await run(join(root, 'bin/tintype'), ['sign', customer.keyId, path], {
    env: { ...process.env, DATA_DIR: service.dataDir, BASE_URL: service.url },
  });
  const signed = stdout.trim().split('\n').at(-1) ?? '';
  const link = signed.startsWith('http') ? signed : service.url + signed;
  const html = filesIn(guide).get('index.html') ?? '';
  const written = metaOf(html).get('og:image') ?? '';
  expect(written).toBe(`https://shots.example.com${path}&key_id=key_…&signature=…`);
  await checkCard(html.replace(written.replaceAll('&', '&amp;'), link.replaceAll('&', '&amp;')), 'Hello world');
});

it.runIf(hasCommand('php'))('the guide for WordPress has a file that PHP runs', async () => {
  const file = 'wp-content/mu-plugins/tintype.php';
  await writeFiles(folder, [[file, filesIn(await readGuide('wordpress')).get(file) ?? '']]);
  // Functions of WordPress that the file calls, as its reference describes them.
  const wordpress = `<?php
function add_action($name, $act) { $GLOBALS['actions'][$name] = $act; }
function is_singular() { return true; }
function get_queried_object() { return (object) ['post_author' => 1]; }
function get_the_title($post) { return 'Caf&#233; &amp; <em>crêpes</em> &#8220;1+1&#8221;'; }
function get_the_author_meta($field, $id) { return 'Ada'; }
function get_bloginfo($name) { return 'A site'; }
function wp_strip_all_tags($text) { return strip_tags($text); }
function esc_attr($text) { return htmlspecialchars($text, ENT_QUOTES, 'UTF-8', false); }
define('TINTYPE_URL', getenv('TINTYPE_URL'));
define('TINTYPE_KEY_ID', getenv('TINTYPE_KEY_ID'));
define('TINTYPE_SIGNING_SECRET', getenv('TINTYPE_SIGNING_SECRET'));
error_reporting(E_ALL);
set_error_handler(function ($level, $text) { fwrite(STDERR, $text); exit(1); });
require ${JSON.stringify(`./${file}`)};
$actions['wp_head']();
`;
  await writeFile(join(folder, 'wordpress.php'), wordpress);
  const { stdout } = await run('php', ['wordpress.php'], { cwd: folder, env: { ...process.env, ...variables() } });
  await checkCard(stdout, 'Café & crêpes “1+1”');
});

it.runIf(hasOptional('hugo'))('the guide for Hugo builds a page whose card opens', async () => {
  const site = join(folder, 'hugo');
  await writeFiles(site, filesIn(await readGuide('hugo')));
  await writeFiles(site, [
    ['hugo.toml', 'title = "A site"\n'],
    ['layouts/_default/single.html', '{{ define "main" }}{{ .Content }}{{ end }}\n'],
    ['content/hello.md', '---\ntitle: Hello from Hugo & friends\nauthor: Ada\n---\nHello\n'],
  ]);
  await run('hugo', [], { cwd: site, env: { ...process.env, ...variables('HUGO_') } });
  await checkCard(await readFile(join(site, 'public/hello/index.html'), 'utf8'), 'Hello from Hugo & friends');
});
