import type { Readable } from 'node:stream';

export interface StoredObject {
  size: number;
  /** Lower-case hex. */
  sha256: string;
}

/** Where the bytes lie: a folder of the data directory, or a bucket. Keys never hold a user's file name. */
export interface ObjectStorage {
  readonly kind: 'disk' | 's3';
  put(key: string, body: Readable | Buffer, options: { contentType: string; maxSize?: number }): Promise<StoredObject>;
  /** @throws when the object is missing. `range` is inclusive, in bytes. */
  get(key: string, range?: { start: number; end: number }): Promise<{ body: Readable; size: number }>;
  stat(key: string): Promise<{ size: number } | null>;
  remove(key: string): Promise<void>;
  /** Address at which one PUT of exactly `size` bytes is accepted until `expiresAt` (ISO). */
  presignPut(key: string, options: { size: number; contentType: string; expiresAt: string }): Promise<{ url: string; headers: Record<string, string> }>;
  /** Joins uploaded parts, in order, into one object. */
  compose(key: string, partKeys: readonly string[], contentType: string): Promise<StoredObject>;
  /** Bytes used; null where the store does not tell. */
  usage(): Promise<number | null>;
}
