// An S3 server from npm on a free port, with one bucket, in a folder of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Settings } from '../../src/cache/s3.ts';
import { freePort } from './ports.ts';

type Server = { run(): Promise<unknown>; close(): Promise<void> };
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => Server;

export type S3Server = {
  readonly settings: S3Settings;
  /** The same as the environment of a Tintype. */
  readonly env: Record<string, string>;
  readonly port: number;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
};

/** With a domain, buckets are at `bucket.s3.<domain>` as well. */
export async function startS3(domain?: string): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'tintype-s3-'));
  const port = await freePort();
  let server: Server | undefined;
  const start = async () => {
    server = new S3rver({
      port,
      address: '127.0.0.1',
      silent: true,
      directory,
      // It reckons the signature of what is addressed so, and of a listing, wrongly (its own path, not the one sent).
      ...(domain !== undefined && { serviceEndpoint: domain, allowMismatchedSignatures: true }),
      configureBuckets: [{ name: 'tintype' }],
    });
    await server.run();
  };
  const stop = async () => {
    await server?.close();
    server = undefined;
  };
  await start();
  const endpoint = `http://127.0.0.1:${port}`;
  // The server's own fixed pair; they open nothing else.
  const pair = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  return {
    port,
    settings: { endpoint, bucket: 'tintype', region: 'us-east-1', pathStyle: true, ...pair },
    env: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: 'tintype',
      S3_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: pair.accessKeyId,
      S3_SECRET_ACCESS_KEY: pair.secretAccessKey,
    },
    start,
    stop,
    async remove() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
