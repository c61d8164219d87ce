import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { Secrets } from '../sensitive/secrets.ts';
import { ObjectMissing, type ObjectStorage, ObjectTooLarge, type StoredObject } from './objectStorage.ts';
import { signPut } from './signedAddress.ts';

const SAFE_KEY = /^[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*$/;
const INCOMING = '.incoming';

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** What is renamed survives a power cut only once its folder is synced; not every system can do that. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/**
 * Keeps objects as files below `folder`. Bytes go to a temporary name, are synced and then renamed, so an object is
 * there whole or not at all. Its own PUT addresses lead to `/files/put/…`, served by the domain `files`.
 */
export class DiskStorage implements ObjectStorage {
  readonly kind = 'disk';
  readonly #folder: string;
  readonly #secrets: Secrets;

  constructor(options: { folder: string; secrets: Secrets }) {
    this.#folder = options.folder;
    this.#secrets = options.secrets;
  }

  #path(key: string): string {
    if (!SAFE_KEY.test(key)) throw new Error(`not a storage key: ${key}`);
    return join(this.#folder, key);
  }

  async put(key: string, body: Readable | Buffer, options: { contentType: string; maxSize?: number }): Promise<StoredObject> {
    const target = this.#path(key);
    const temporary = join(this.#folder, INCOMING, randomUUID());
    await mkdir(dirname(temporary), { recursive: true, mode: 0o700 });
    const maxSize = options.maxSize ?? Number.POSITIVE_INFINITY;
    const hash = createHash('sha256');
    let size = 0;
    const handle = await open(temporary, 'wx', 0o600);
    try {
      const chunks: AsyncIterable<Buffer> | Buffer[] = Buffer.isBuffer(body) ? [body] : body;
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > maxSize) throw new ObjectTooLarge(key, maxSize);
        hash.update(chunk);
        await handle.write(chunk);
      }
      await handle.sync();
      await handle.close();
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(temporary, target);
      await syncFolder(dirname(target));
    } catch (error) {
      await handle.close().catch(() => {});
      await rm(temporary, { force: true });
      throw error;
    }
    return { size, sha256: hash.digest('hex') };
  }

  async get(key: string, range?: { start: number; end: number }): Promise<{ body: Readable; size: number }> {
    const path = this.#path(key);
    const found = await this.stat(key);
    if (!found) throw new ObjectMissing(key);
    return { body: createReadStream(path, range), size: found.size };
  }

  async stat(key: string): Promise<{ size: number } | null> {
    try {
      const facts = await stat(this.#path(key));
      return facts.isFile() ? { size: facts.size } : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async presignPut(key: string, options: { size: number; contentType: string; expiresAt: string }) {
    this.#path(key);
    return { url: `/files/put/${signPut(this.#secrets, { key, ...options })}`, headers: { 'Content-Type': options.contentType } };
  }

  async compose(key: string, partKeys: readonly string[], contentType: string): Promise<StoredObject> {
    return this.put(key, Readable.from(this.#joined(partKeys), { objectMode: false }), { contentType });
  }

  async *#joined(partKeys: readonly string[]): AsyncGenerator<Buffer> {
    for (const partKey of partKeys) yield* (await this.get(partKey)).body as AsyncIterable<Buffer>;
  }

  async *#files(): AsyncGenerator<string> {
    const waiting = [this.#folder];
    while (waiting.length > 0) {
      const folder = waiting.pop()!;
      const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      for (const entry of entries) {
        if (entry.isDirectory() && entry.name !== INCOMING) waiting.push(join(folder, entry.name));
        if (entry.isFile()) yield join(folder, entry.name);
      }
    }
  }

  async *keys(): AsyncGenerator<string> {
    for await (const path of this.#files()) yield relative(this.#folder, path).replaceAll(sep, '/');
  }

  async usage(): Promise<number> {
    let total = 0;
    for await (const path of this.#files()) total += (await stat(path).catch(() => ({ size: 0 }))).size;
    return total;
  }

  async space(): Promise<{ free: number; size: number } | null> {
    try {
      const { bavail, blocks, bsize } = await statfs(this.#folder);
      return { free: bavail * bsize, size: blocks * bsize };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }
}
