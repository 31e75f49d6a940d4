// Storage that fails: the answers of the service while it lasts, and recovery without a person.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Customer, metaOf, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let site: Site;
let service: Service;
let customer: Customer;
let dataDir: string;
beforeAll(async () => {
  site = await startSite({ '/': colourPage('#336699') });
});
afterAll(() => site.close());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tintype-storage-'));
  service = await startService({ DATA_DIR: dataDir });
  customer = await service.customer('business');
});
afterEach(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

let unique = 0;
const fresh = () => `${site.url}/?${++unique}`;

it('a cache folder that is not writable: results are served uncached with a warning, and cached again later', async () => {
  // A file in the folder's place stops every write, for root too, whom permissions do not.
  const folder = join(dataDir, 'cache');
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, 'in the way');
  const url = fresh();
  const meta = await metaOf(await service.shot({ url, response: 'json' }, customer.key));
  expect(meta).toMatchObject({ imageUrl: null, cachedAt: null });
  expect(meta.warnings.join()).toContain('could not be stored');
  const again = await service.shot({ url }, customer.key);
  expect([again.status, again.headers.get('x-cache'), again.headers.get('cache-control')]).toEqual([
    200,
    'MISS',
    'no-store',
  ]);
  await rm(folder);
  await mkdir(folder);
  expect((await service.shot({ url }, customer.key)).headers.get('x-cache')).toBe('MISS');
  expect((await service.shot({ url }, customer.key)).headers.get('x-cache')).toBe('HIT');
});

it('a database locked by another process: keys are still read, results are served uncached, and it recovers', async () => {
  const other = new DatabaseSync(join(dataDir, 'tintype.db'));
  other.exec('begin exclusive');
  const url = fresh();
  const response = await service.shot({ url }, customer.key);
  expect([response.status, response.headers.get('x-cache'), response.headers.get('cache-control')]).toEqual([
    200,
    'MISS',
    'no-store',
  ]);
  other.exec('rollback');
  other.close();
  expect((await service.shot({ url }, customer.key)).headers.get('x-cache')).toBe('MISS');
  expect((await service.shot({ url }, customer.key)).headers.get('x-cache')).toBe('HIT');
});

it('no key is in any output: files, database, logs, metrics, errors', async () => {
  const answers = await Promise.all([
    service.shot({ url: fresh() }, customer.key),
    service.get(`/v1/screenshot?url=${encodeURIComponent(fresh())}&api_key=${customer.key}`),
    service.get(
      `/v1/screenshot?url=${encodeURIComponent(`${site.url}/?api_key=${customer.key}`)}&width=0`,
      customer.key,
    ),
    service.get(`/nowhere/${customer.key}?api_key=${customer.key}`),
    service.get(`/nowhere/${customer.key.replace('_', '%5F')}`),
    service.get(`/v1/screenshot?url=https://example.com/&customCSS=%zz&api_key=${customer.key}`),
  ]);
  const bodies = await Promise.all(answers.slice(2).map((answer) => answer.text()));
  const metrics = await (await service.get('/metrics')).text();
  await service.stop();
  const secret = customer.key.slice('sk_live_'.length);
  for (const text of [...bodies, metrics, service.logLines.join('')]) expect(text).not.toContain(secret);
  expect(() => execFileSync('grep', ['-rlF', secret, dataDir])).toThrow(); // grep finds nothing: exit 1
  service = await startService({ DATA_DIR: dataDir });
});

it('a data folder that was moved away and back loses nothing', async () => {
  const url = fresh();
  await service.shot({ url }, customer.key);
  await rename(join(dataDir, 'cache'), join(dataDir, 'away'));
  expect((await service.shot({ url: fresh() }, customer.key)).status).toBe(200);
  await rm(join(dataDir, 'cache'), { recursive: true, force: true });
  await rename(join(dataDir, 'away'), join(dataDir, 'cache'));
  expect((await service.shot({ url }, customer.key)).headers.get('x-cache')).toBe('HIT');
});
