// Files in a bucket: AWS, MinIO, R2 and others. A bucket that does not answer delays a request only briefly: every call
// has a time-out, and after one that ran out or two failures in a row the next calls fail at once for a moment. Results are
// then returned uncached.
import type { S3Client } from '@aws-sdk/client-s3';
import { Deadline } from '../kernel/deadline.ts';
import type { Files } from './files.ts';

export type S3Settings = {
  readonly bucket: string;
  readonly region: string;
  /** undefined for AWS itself. */
  readonly endpoint?: string | undefined;
  /** Without them, the SDK's own sources: a role, AWS_… variables, a profile. */
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  /** endpoint/bucket/key instead of bucket.endpoint/key. */
  readonly pathStyle: boolean;
};

export type S3Files = Files & { stop(): void };

const folder = 'results/';
const callMs = 3000;
const pauseMs = 2000;
// As on disk: a younger file may belong to a write whose index row does not exist yet.
const orphanAgeMs = 60 * 60 * 1000;

export async function createS3Files(settings: S3Settings): Promise<S3Files> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client(clientOptions(settings));
  const { bucket: Bucket } = settings;
  const place = (hash: string) => ({ Bucket, Key: folder + hash });
  let pausedUntil = 0;
  /** Calls in a row without an answer. One lost connection says nothing about the bucket. */
  let failures = 0;

  async function call<T>(work: (signal: AbortSignal) => Promise<T>, ms = callMs): Promise<T> {
    if (performance.now() < pausedUntil) throw new Error('The bucket did not answer a moment ago.');
    const deadline = new Deadline(ms, 'The bucket');
    try {
      const result = await deadline.race(work(deadline.signal));
      failures = 0;
      return result;
    } catch (error) {
      const isAnswer = (statusOf(error) ?? 500) < 500;
      failures = isAnswer ? 0 : failures + 1;
      if (failures > 1 || (!isAnswer && deadline.remaining() === 0)) pausedUntil = performance.now() + pauseMs;
      throw error;
    } finally {
      deadline.done();
    }
  }

  const removeKey = (Key: string) =>
    call((abortSignal) => client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), { abortSignal }));

  return {
    async write(hash, bytes) {
      await call((abortSignal) =>
        client.send(new sdk.PutObjectCommand({ ...place(hash), Body: bytes }), { abortSignal }),
      );
    },

    read: (hash) =>
      call(async (abortSignal) => {
        const { Body } = await client.send(new sdk.GetObjectCommand(place(hash)), { abortSignal });
        return Body && Buffer.from(await Body.transformToByteArray());
      }).catch((error) => (statusOf(error) === 404 ? undefined : Promise.reject(error))),

    async remove(hash) {
      await removeKey(folder + hash);
    },

    async sweep(isKnown) {
      const oldEnough = Date.now() - orphanAgeMs;
      let ContinuationToken: string | undefined;
      do {
        const page = await call((abortSignal) =>
          client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: folder, ContinuationToken }), { abortSignal }),
        );
        for (const { Key = '', LastModified } of page.Contents ?? [])
          if (LastModified && LastModified.getTime() < oldEnough && !(await isKnown(Key.slice(folder.length))))
            await removeKey(Key);
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },

    stop: () => client.destroy(),
  };
}

function clientOptions(settings: S3Settings): NonNullable<ConstructorParameters<typeof S3Client>[0]> {
  const { endpoint, region, accessKeyId, secretAccessKey, pathStyle } = settings;
  return {
    region,
    forcePathStyle: pathStyle,
    maxAttempts: 2,
    // Not every S3-compatible server supports the newer checksums; our index has the SHA-256 of every file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== undefined && { endpoint }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
  };
}

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
