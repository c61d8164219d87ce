import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { StartFailure } from '../startFailure.ts';
import type { ObjectStorage } from '../storage/objectStorage.ts';
import { storedFile, type Manifest, type OnBackupStep, type StoredFile } from './manifest.ts';

export const damaged = (what: string) => new StartFailure(`The backup is damaged: ${what}. Nothing of it was kept.`);

async function hashOf(body: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function requireSame(body: () => Readable | Promise<Readable>, sha256: string, called: string): Promise<void> {
  const found = await (async () => hashOf(await body()))().catch((error: unknown) => {
    throw damaged(`${called} cannot be read (${(error as Error).message})`);
  });
  if (found !== sha256) throw damaged(`${called} is not what was written`);
}

/**
 * Reads all of a backup, before anything of it is written anywhere.
 * @param source its files
 * @returns the files that it holds
 * @throws StartFailure that names the first that is missing or is not what was written
 */
export async function requireWhole(folder: string, made: Manifest, source: ObjectStorage, onStep?: OnBackupStep): Promise<StoredFile[]> {
  const list = await readFile(path.join(folder, 'files.ndjson'), 'utf8').catch((error: unknown) => {
    throw damaged(`files.ndjson cannot be read (${(error as Error).message})`);
  });
  if (createHash('sha256').update(list).digest('hex') !== made.files.sha256) throw damaged('files.ndjson is not what was written');
  const files = list
    .split('\n')
    .filter(Boolean)
    .map((line) => storedFile.parse(JSON.parse(line)));
  const of = made.tables.length + files.length;
  for (const [index, { file, sha256 }] of made.tables.entries()) {
    onStep?.({ doing: 'hashes', name: file, at: index + 1, of });
    await requireSame(() => createReadStream(path.join(folder, 'tables', file)), sha256, file);
  }
  for (const [index, { key, sha256 }] of files.entries()) {
    onStep?.({ doing: 'hashes', name: key, at: made.tables.length + index + 1, of });
    await requireSame(async () => (await source.get(key)).body, sha256, `the file ${key}`);
  }
  return files;
}
