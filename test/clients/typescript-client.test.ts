// npm run test:clients: the package of clients/typescript, as npm packs it, in a fresh and strict TypeScript project, used with a
// live server by several runtimes and a browser.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBrowser } from '../../setup/find-browser.js';
import { install, packClient } from '../harness/packed-client.ts';
import { type Customer, type Service, startService } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

const run = promisify(execFile);
const modules = join(import.meta.dirname, '../../node_modules');

const machine = process.arch === 'arm64' ? 'aarch64' : process.arch;

let folder: string;
let service: Service;
let site: Site;
let customer: Customer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-package-'));
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  await install(folder, [
    await packClient(folder),
    'typescript@5.9.3',
    `node-linux-${process.arch}@20.20.0`,
    `@oven/bun-linux-${machine}@1.4.4`,
    `@deno/linux-${process.arch}-glibc@2.9.5`,
  ]);
  await cp(join(import.meta.dirname, 'users/tintype-client.ts'), join(folder, 'use.ts'));
  site = await startSite({ '/': '<title>A page</title><body><h1>Hello from the page</h1>' });
  service = await startService();
  customer = await service.customer('pro');
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // The declarations of the package are checked, too.
  skipLibCheck: false,
  target: 'es2022',
  module: 'nodenext',
  outDir: 'built',
};

const compilers: [string, string][] = [
  ['TypeScript 5.9', 'node_modules/typescript/bin/tsc'],
  ['TypeScript of this project', join(modules, 'typescript/bin/tsc')],
];
describe.each(compilers)('with %s', (_name, compiler) => {
  it.each([
    ['the types of browsers', { lib: ['es2022', 'dom'], types: [] }],
    ['the types of Node', { lib: ['es2022'], types: ['node'], typeRoots: [join(modules, '@types')] }],
  ])(
    'a strict project compiles with %s, and the mistakes in it are found',
    async (_types, options) => {
      const config = { compilerOptions: { ...strict, ...options }, files: ['use.ts'] };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
      await run(process.execPath, [compiler, '-p', '.'], { cwd: folder }).catch(({ stdout }) => {
        throw new Error(stdout);
      });
    },
    60_000,
  );
});

const values = () => [service.url, customer.key, customer.keyId, customer.signingSecret, `${site.url}/`];
const expected = () => ({
  start: [0x89, 0x50, 0x4e, 0x47],
  verdict: true,
  imageUrl: expect.stringContaining(`${service.url}/v1/files/`),
  width: 200,
  content: expect.stringContaining('Hello from the page'),
  template: 'quote',
  job: 'quote',
  code: 'invalid_parameter accent',
  signed: 200,
  tags: 6,
});

it.each([
  ['Node 20', [`node_modules/node-linux-${process.arch}/bin/node`]],
  ['Node 24', [process.execPath]],
  ['Bun', [`node_modules/@oven/bun-linux-${machine}/bin/bun`]],
  ['Deno', [`node_modules/@deno/linux-${process.arch}-glibc/deno`, 'run', '--allow-net']],
])(
  '%s runs it',
  async (_runtime, [command = '', ...words]) => {
    const script = `import { use } from './built/use.js';
console.log(JSON.stringify(await use(...${JSON.stringify(values())})));`;
    await writeFile(join(folder, 'run.js'), script);
    const { stdout } = await run(command, [...words, 'run.js'], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject(expected());
  },
  60_000,
);

it('a browser runs it, on a page of another origin', async () => {
  const files = join(folder, 'node_modules/@tintype/client/dist');
  for (const name of 'index client errors generated jobs pause requests result signer transport'.split(' '))
    site.set(`/client/${name}.js`, {
      headers: { 'content-type': 'text/javascript' },
      body: await readFile(join(files, `${name}.js`)),
    });
  const use = await readFile(join(folder, 'built/use.js'), 'utf8');
  site.set('/use.js', {
    headers: { 'content-type': 'text/javascript' },
    body: use.replace("'@tintype/client'", "'/client/index.js'"),
  });
  const found = await findBrowser({ browserPath: undefined, projectDir: join(modules, '..') });
  const browser = await chromium.launch({ executablePath: found?.path, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(site.url);
    const script = `import('/use.js').then(({ use }) => use(...${JSON.stringify(values())}))`;
    expect(await page.evaluate(script)).toMatchObject(expected());
  } finally {
    await browser.close();
  }
}, 60_000);
