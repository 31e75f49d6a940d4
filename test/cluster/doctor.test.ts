// `tintype doctor` on a machine of a cluster: the queue and the bucket are asked as the server would.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startRedis } from '../harness/redis.ts';
import { startS3 } from '../harness/s3.ts';
import { tintype } from '../harness/server-process.ts';

it('doctor tells whether the queue and the bucket can be used, and what is wrong with them', async () => {
  const [redis, s3, dataDir] = await Promise.all([startRedis(), startS3(), mkdtemp(join(tmpdir(), 'tintype-doctor-'))]);
  const env = { DATA_DIR: dataDir, PORT: '0', REDIS_URL: redis.url, ...s3.env };
  // It ends with 1 where something is missing; what it says is on the standard output either way.
  const doctor = (more: Record<string, string> = {}) =>
    tintype(['doctor'], { ...env, ...more }).catch((error: { stdout: string }) => error.stdout);
  try {
    const well = await doctor();
    expect(well).toMatch(/✓ queue: +Redis at 127\.0\.0\.1:\d+, 0 render nodes/);
    expect(well).toMatch(/✓ bucket: +tintype/);
    expect(await doctor({ S3_BUCKET: 'nobodys' })).toMatch(/✗ bucket: +nobodys: .+\n.+S3_BUCKET/);
    await Promise.all([redis.stop(), s3.stop()]);
    const away = await doctor();
    expect(away).toMatch(/✗ queue: +Redis at .+ does not answer.+\n.+REDIS_URL/);
    expect(away).toMatch(/✗ bucket: +tintype: .+/);
    expect(away).toContain('Tintype cannot run here yet');
  } finally {
    await Promise.all([redis.remove(), s3.remove(), rm(dataDir, { recursive: true, force: true })]);
  }
}, 60_000);
