// Signed links, which need no key in public HTML. The examples of docs/signed-links.md are run as they are printed.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signLink } from '../../src/access/signatures.ts';
import { hasCommand, hasOptional } from '../harness/needs.ts';
import { pictureOf } from '../harness/picture.ts';
import { type Customer, errorOf, type Service, startService } from '../harness/service.ts';

const run = promisify(execFile);
let service: Service;
let customer: Customer;
beforeAll(async () => {
  service = await startService();
  customer = await service.customer('pro');
});
afterAll(() => service.stop());

const path = '/v1/og?template=default&title=Signed%20%26%20sealed';
const sign = (expires?: number, from = path) =>
  signLink({ path: from, keyId: customer.keyId, secret: customer.signingSecret, expires });
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

describe('a signed link', () => {
  it('opens without a key, and any cache may keep it', async () => {
    const response = await service.get(sign());
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+, immutable$/);
    expect((await pictureOf(response)).width).toBe(1200);
  });

  it('opens until it expires', async () => {
    expect((await service.get(sign(inAnHour()))).status).toBe(200);
    const response = await service.get(sign(Math.floor(Date.now() / 1000) - 1));
    expect([response.status, await errorOf(response)]).toEqual([
      401,
      expect.objectContaining({
        code: 'invalid_signature',
        parameter: 'expires',
        error: expect.stringMatching(/expired/),
      }),
    ]);
  });

  it('is refused if a character of it was changed or added', async () => {
    const good = sign(inAnHour());
    const flipped = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0');
    for (const bad of [
      flipped,
      good.replace('Signed', 'Forged'),
      good.replace(/expires=\d+/, 'expires=9999999999'),
      `${good}&width=100`,
      good.replace('signature=', 'Signature='),
    ])
      expect([bad, (await service.get(bad)).status]).toEqual([bad, 401]);
  });

  it('has the plan of its key', async () => {
    const free = await service.customer('free');
    const link = signLink({ path, keyId: free.keyId, secret: free.signingSecret });
    expect((await service.get(link)).status).toBe(403);
  });

  it('works for screenshots too', async () => {
    const response = await service.get(sign(undefined, '/v1/screenshot?url=http%3A%2F%2F10.0.0.1%2F'));
    expect((await errorOf(response)).code).toBe('target_refused');
  });

  it('is refused once its key is revoked', async () => {
    const other = await service.customer('pro');
    const link = signLink({ path, keyId: other.keyId, secret: other.signingSecret });
    expect((await service.get(link)).status).toBe(200);
    await service.store.keys.revoke(other.keyId);
    expect((await service.get(link)).status).toBe(401);
  });
});

describe('the example of the documentation', () => {
  type Language = readonly [name: string, file: string, command: string, args: readonly string[], canRun: boolean];
  const languages: readonly Language[] = [
    ['TypeScript', 'recipe.ts', process.execPath, [], true],
    ['Python', 'recipe.py', 'python3', [], hasCommand('python3')],
    ['PHP', 'recipe.php', 'php', [], hasCommand('php')],
    ['Go', 'recipe.go', 'go', ['run'], hasOptional('go')],
    ['Ruby', 'recipe.rb', 'ruby', [], hasCommand('ruby')],
  ];
  it.each(languages.filter(([, , , , canRun]) => canRun))(
    'in %s makes a link that opens, for 30 days from now',
    async (language, file, command, args) => {
      const page = await readFile(join(import.meta.dirname, '../../docs/signed-links.md'), 'utf8');
      const code = new RegExp(`### ${language}\n\n\`\`\`\\w+\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
      const folder = await mkdtemp(join(tmpdir(), 'tintype-recipe-'));
      try {
        await writeFile(join(folder, file), code);
        const env = {
          ...process.env,
          TINTYPE_URL: service.url,
          TINTYPE_KEY_ID: customer.keyId,
          TINTYPE_SIGNING_SECRET: customer.signingSecret,
        };
        const { stdout } = await run(command, [...args, join(folder, file)], { env });
        const link = new URL(stdout.trim());
        const daysLeft = (Number(link.searchParams.get('expires')) - Date.now() / 1000) / 86_400;
        expect(Math.round(daysLeft)).toBe(30);
        expect(link.searchParams.get('title')).toBe('Hello & welcome');
        expect((await fetch(stdout.trim())).status).toBe(200);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );
});
