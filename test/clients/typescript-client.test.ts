// npm run test:clients: the package of clients/typescript, as npm packs it, in a fresh and strict TypeScript project, used with a
// live server by several runtimes and a browser.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBrowser } from '../../setup/find-browser.js';
import { install, packClient } from '../harness/packed-client.ts';
import { freePort } from '../harness/ports.ts';
import { type Customer, type Service, startService } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

const run = promisify(execFile);
const modules = join(import.meta.dirname, '../../node_modules');

const isArm = process.arch === 'arm64';
const machine = isArm ? 'aarch64' : process.arch;
const workerdPackage = isArm ? 'workerd-linux-arm64' : 'workerd-linux-64';

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
    `@cloudflare/${workerdPackage}@1.20261104.1`,
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

it.each([
  ['the guide', '../../docs/guides/typescript.md'],
  ['the README of the package', '../../clients/typescript/README.md'],
])('the code of %s compiles', async (_name, path) => {
  const text = await readFile(join(import.meta.dirname, path), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  expect(blocks.length).toBeGreaterThan(0);
  await writeFile(join(folder, 'guide.ts'), blocks.join('\n'));
  const options = { ...strict, noEmit: true, lib: ['es2022'], types: ['node'], typeRoots: [join(modules, '@types')] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['guide.ts'] }));
  await run(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', '.'], { cwd: folder }).catch(({ stdout }) => {
    throw new Error(stdout);
  });
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

/** The modules of the package, and the program that uses them, with addresses that need no resolution. */
async function modulesOf(client: string): Promise<ReadonlyMap<string, string>> {
  const dist = join(folder, 'node_modules/@tintype/client/dist');
  const names = (await readdir(dist)).filter((name) => name.endsWith('.js'));
  const use = await readFile(join(folder, 'built/use.js'), 'utf8');
  return new Map([
    ['use.js', use.replace("'@tintype/client'", `'${client}/index.js'`)],
    ...(await Promise.all(
      names.map(async (name) => [`client/${name}`, await readFile(join(dist, name), 'utf8')] as const),
    )),
  ]);
}

it('Cloudflare Workers run it', async () => {
  const modules = new Map(await modulesOf('./client'));
  const script = `import { use } from './use.js';
export default { fetch: async () => Response.json(await use(...${JSON.stringify(values())})) };`;
  const list = [['worker.js', script] as const, ...modules].map(
    ([name, code]) => `(name = ${JSON.stringify(name)}, esModule = ${JSON.stringify(code)})`,
  );
  const port = await freePort();
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [${list.join(', ')}], compatibilityDate = "2025-01-01")),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
  await writeFile(join(folder, 'config.capnp'), config);
  const workerd = join(folder, `node_modules/@cloudflare/${workerdPackage}/bin/workerd`);
  const child = spawn(workerd, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  try {
    // It reports the sockets it listens on.
    await once(child.stdio[3] as Readable, 'data');
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(await response.json()).toMatchObject(expected());
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}, 60_000);

it('a browser runs it, on a page of another origin', async () => {
  for (const [name, body] of await modulesOf('/client'))
    site.set(`/${name}`, { headers: { 'content-type': 'text/javascript' }, body });
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
