import * as z from 'zod/mini';

/** Changes when a reader of the former form could not read it. */
export const FORMAT = 1;

/** One table as it lies in the backup. Tables of rows alone: the partitions of a partitioned table stand for themselves. */
const storedTable = z.strictObject({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  /** Of a partition: the table that it belongs to and which rows it takes, as PostgreSQL writes it. */
  partition: z.nullable(z.strictObject({ of: z.string(), bound: z.string() })),
  rows: z.int(),
  /** Below `tables/`: the text form of COPY, gzipped. */
  file: z.string(),
  /** Of the file, lower-case hex. */
  sha256: z.string(),
});
export type StoredTable = z.output<typeof storedTable>;

const sequence = z.strictObject({ schema: z.string(), name: z.string(), lastValue: z.string(), isCalled: z.boolean() });

/** `backup.json`, written last: a folder without it is no finished backup. */
export const manifest = z.strictObject({
  format: z.literal(FORMAT),
  /** When the database's rows were as they are in it. */
  at: z.string(),
  /** Which master key encrypted its fields: what `keyId` begins, `keyCheck` makes certain. The key itself is never in a backup. */
  keyId: z.string(),
  keyCheck: z.string(),
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })),
  jobSchemaVersion: z.int(),
  tables: z.array(storedTable),
  sequences: z.array(sequence),
  /** Listed in `files.ndjson`, one per line with size and hash. */
  files: z.strictObject({ count: z.int(), bytes: z.int(), sha256: z.string() }),
});
export type Manifest = z.output<typeof manifest>;

/** A line of `files.ndjson`. */
export const storedFile = z.strictObject({ key: z.string(), size: z.int(), sha256: z.string() });
export type StoredFile = z.output<typeof storedFile>;

/** Told before every step that takes a while. */
export type OnBackupStep = (step: { doing: 'hashes' | 'tables' | 'files' | 'constraints'; name: string; at: number; of: number }) => void;
