import type { Readable } from 'node:stream';

export interface StoredObject {
  size: number;
  /** Lower-case hex. */
  sha256: string;
}

/** Where the bytes lie: a folder of the data directory, or a bucket. Keys never hold a user's file name. */
export interface ObjectStorage {
  readonly kind: 'disk' | 's3';
  /** Stores all or nothing. @throws ObjectTooLarge when the body is longer than `maxSize`; nothing is kept then. */
  put(key: string, body: Readable | Buffer, options: { contentType: string; maxSize?: number }): Promise<StoredObject>;
  /** @throws ObjectMissing when there is none. `range` is inclusive, in bytes; `size` is that of the whole object. */
  get(key: string, range?: { start: number; end: number }): Promise<{ body: Readable; size: number }>;
  stat(key: string): Promise<{ size: number } | null>;
  /** No error when there is none. */
  remove(key: string): Promise<void>;
  /** Address at which one PUT of exactly `size` bytes is accepted until `expiresAt` (ISO). */
  presignPut(
    key: string,
    options: { size: number; contentType: string; expiresAt: string },
  ): Promise<{ url: string; headers: Record<string, string> }>;
  /** Joins uploaded parts, in order, into one object. @throws ObjectMissing when a part is not there. */
  compose(key: string, partKeys: readonly string[], contentType: string): Promise<StoredObject>;
  /** Every stored key; for the sweep that looks for bytes without a row. */
  keys(): AsyncIterable<string>;
  /** Bytes used; null where the store does not report them. */
  usage(): Promise<number | null>;
  /** Bytes of the file system below it; null where the store has none, or no file yet. */
  space(): Promise<{ free: number; size: number } | null>;
}

export class ObjectMissing extends Error {
  constructor(key: string) {
    super(`there is no object ${key}`);
    this.name = 'ObjectMissing';
  }
}

export class ObjectTooLarge extends Error {
  constructor(key: string, maxSize: number) {
    super(`object ${key} is longer than ${maxSize} bytes`);
    this.name = 'ObjectTooLarge';
  }
}
