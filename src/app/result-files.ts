// Where the bytes of results are stored: in the bucket if one is set, otherwise in DATA_DIR.
import { join } from 'node:path';
import { createDiskFiles } from '../cache/disk.ts';
import type { Files } from '../cache/files.ts';
import { createS3Files } from '../cache/s3.ts';
import type { Config } from '../config.ts';

export const openFiles = async (config: Config): Promise<Files & { stop?(): void }> =>
  config.s3Bucket === undefined
    ? createDiskFiles(join(config.dataDir, 'cache'))
    : createS3Files({
        bucket: config.s3Bucket,
        region: config.s3Region,
        endpoint: config.s3Endpoint,
        accessKeyId: config.s3AccessKeyId,
        secretAccessKey: config.s3SecretAccessKey,
        pathStyle: config.s3PathStyle,
      });
