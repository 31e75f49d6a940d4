// npm run test:clients: the OpenAPI document of a live server, judged by two linters, and by three generators whose clients are
// compiled strictly and used. The tools are installed into a temporary folder.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Customer, type Service, startService } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

const run = promisify(execFile);

const tools = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  '@redocly/cli@2.73.0',
  '@stoplight/spectral-cli@6.16.3',
  'typescript@5.9.3',
  '@types/node@24.19.2',
];

/** Later versions need a package that is not in every registry. */
const overrides = { '@scalar/openapi-parser': '0.29.8' };

let folder: string;
let service: Service;
let site: Site;
let customer: Customer;

const npm = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-clients-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
  await run('npm', [...npm, ...tools], { cwd: folder });
  site = await startSite({ '/': '<title>A page</title><body><h1>Hello from the page</h1>' });
  service = await startService({ ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' });
  customer = await service.customer('pro');
  await writeFile(join(folder, 'openapi.json'), await (await service.get('/openapi.json')).text());
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

const tool = (name: string, ...words: string[]) =>
  run(process.execPath, [join(folder, 'node_modules', name), ...words], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });

it('Redocly finds no error and no warning', async () => {
  const { stdout } = await tool('@redocly/cli/bin/cli.js', 'lint', 'openapi.json', '--format=json');
  expect(JSON.parse(stdout).totals).toMatchObject({ errors: 0, warnings: 0 });
}, 120_000);

it('Spectral finds no error and no warning', async () => {
  await writeFile(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
  const { stdout } = await tool(
    '@stoplight/spectral-cli/dist/index.js',
    'lint',
    'openapi.json',
    '--format=json',
    '--quiet',
  );
  expect(JSON.parse(stdout)).toEqual([]);
}, 120_000);

const generators: Readonly<Record<string, () => Promise<unknown>>> = {
  'openapi-typescript': () =>
    tool('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'openapi-typescript-client/schema.ts'),
  'hey-api': () => tool('@hey-api/openapi-ts/bin/run.js', '--input', 'openapi.json', '--output', 'hey-api-client'),
  async orval() {
    const output = { target: 'orval-client/api.ts', client: 'fetch', baseUrl: service.url };
    const config = { tintype: { input: 'openapi.json', output } };
    await writeFile(join(folder, 'orval.config.cjs'), `module.exports = ${JSON.stringify(config)};`);
    await tool('orval/dist/bin/orval.mjs', '--config', 'orval.config.cjs');
  },
};

it.each(Object.keys(generators))(
  '%s generates a client that compiles strictly and gets a picture, JSON, a text and an error',
  async (name) => {
    await generators[name]?.();
    await cp(join(import.meta.dirname, 'users', `${name}.ts`), join(folder, `${name}.ts`));
    const options = [
      '--strict',
      '--noUncheckedIndexedAccess',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--types',
      'node',
    ];
    const modules = ['--module', 'commonjs', '--moduleResolution', 'node10', '--esModuleInterop', '--outDir', 'built'];
    await tool('typescript/bin/tsc', `${name}.ts`, ...options, ...modules).catch(({ stdout }) => {
      throw new Error(stdout);
    });
    const words = [service.url, customer.key, `${site.url}/`].map((word) => JSON.stringify(word)).join(', ');
    const script = `require('./built/${name}.js').use(${words}).then((found) => console.log(JSON.stringify({
      ...found, bytes: Buffer.from(found.bytes).subarray(0, 4).toString('latin1') })))`;
    const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder });
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ bytes: '\x89PNG', width: 200, template: 'quote', code: 'invalid_parameter' });
    expect(found.words).toContain('Hello from the page');
    expect(found.link).toContain(`${service.url}/v1/files/`);
  },
  120_000,
);
