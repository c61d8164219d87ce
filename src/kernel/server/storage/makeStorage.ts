import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../sensitive/secrets.ts';
import { DiskStorage } from './diskStorage.ts';
import type { ObjectStorage } from './objectStorage.ts';
import { S3Storage } from './s3Storage.ts';

/** The bucket where one is configured, else the folder `files` of the data directory. */
export const makeStorage = (config: Pick<Config, 's3' | 'dataDir'>, secrets: Secrets): ObjectStorage =>
  config.s3 ? new S3Storage(config.s3) : new DiskStorage({ folder: join(config.dataDir, 'files'), secrets });
