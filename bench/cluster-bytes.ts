// How the bytes of a result travel from a render node to an api node: the ways there are, side by side.
// node bench/cluster-bytes.ts
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { createS3Files } from '../src/cache/s3.ts';
import { contentHash } from '../src/kernel/content-hash.ts';
import { startRedis } from '../test/harness/redis.ts';
import { startS3 } from '../test/harness/s3.ts';

const sizes = [60_000, 300_000, 1_000_000, 5_000_000];
const rounds = 60;

const redis = await startRedis();
const s3 = await startS3();
const [worker, api, listener] = [0, 1, 2].map(() => new Redis(redis.url)) as [Redis, Redis, Redis];
const files = await createS3Files(s3.settings);

let arrived: (bytes: Buffer) => void = () => {};
await listener.subscribe('payloads');
listener.on('messageBuffer', (_channel: Buffer, bytes: Buffer) => arrived(bytes));

const ways: Record<string, (id: string, bytes: Buffer) => Promise<number>> = {
  'Redis SET, GETDEL': async (id, bytes) => {
    await worker.set(id, bytes, 'PX', 30_000);
    return (await api.getdelBuffer(id))?.length ?? 0;
  },
  'Redis PUBLISH': async (_id, bytes) => {
    const coming = new Promise<Buffer>((done) => {
      arrived = done;
    });
    await worker.publish('payloads', bytes);
    return (await coming).length;
  },
  'base64 in JSON': async (id, bytes) => {
    await worker.set(id, JSON.stringify({ bytes: bytes.toString('base64') }), 'PX', 30_000);
    return Buffer.from(JSON.parse((await api.getdel(id)) ?? '{}').bytes, 'base64').length;
  },
  'S3 PUT, GET': async (_id, bytes) => {
    const hash = contentHash(bytes);
    await files.write(hash, bytes);
    return (await files.read(hash))?.length ?? 0;
  },
};

const info = (name: string) =>
  Number(
    new RegExp(`${name}:(\\S+)`).exec(
      execFileSync('redis-cli', ['-p', String(redis.port), 'info', 'everything']).toString(),
    )?.[1] ?? 0,
  );

console.log('| bytes | way | p50 ms | Redis CPU ms | our CPU ms | append-only file |\n|---|---|---|---|---|---|');
for (const size of sizes)
  for (const [name, send] of Object.entries(ways)) {
    const times: number[] = [];
    const cpu = process.cpuUsage();
    const redisCpu = info('used_cpu_user') + info('used_cpu_sys');
    const aof = info('aof_current_size');
    for (let i = 0; i < rounds; i++) {
      const bytes = randomBytes(size);
      const before = performance.now();
      if ((await send(`payload:${i}`, bytes)) !== size) throw new Error(`${name} lost bytes`);
      times.push(performance.now() - before);
    }
    const { user, system } = process.cpuUsage(cpu);
    const ms = (value: number) => (value / rounds).toFixed(2);
    times.sort((a, b) => a - b);
    console.log(
      `| ${size} | ${name} | ${times[rounds / 2]?.toFixed(2)} | ${ms((info('used_cpu_user') + info('used_cpu_sys') - redisCpu) * 1000)} | ${ms((user + system) / 1000)} | ${((info('aof_current_size') - aof) / rounds / size).toFixed(1)} × |`,
    );
  }

for (const connection of [worker, api, listener]) connection.disconnect();
files.stop();
await Promise.all([redis.remove(), s3.remove()]);
