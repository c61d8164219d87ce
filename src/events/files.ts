import * as z from 'zod/mini';
import { event } from '#kernel/contract/event.ts';

/** An uploaded file was inspected and is usable (`clean`) or refused. */
export const scanFinished = event(
  'files.scan.finished',
  z.strictObject({
    fileId: z.string(),
    purpose: z.string(),
    sha256: z.string(),
    phash: z.nullable(z.string()),
    detectedType: z.nullable(z.string()),
    width: z.nullable(z.number()),
    height: z.nullable(z.number()),
    pageCount: z.nullable(z.number()),
    clean: z.boolean(),
  }),
);

export const exportFinished = event(
  'files.export.finished',
  z.strictObject({ taskId: z.string(), source: z.string(), state: z.string(), rowCount: z.number() }),
);

const batch = z.strictObject({
  importTaskId: z.string(),
  importerCode: z.string(),
  batchNo: z.string(),
  counts: z.strictObject({ total: z.number(), new: z.number(), changed: z.number(), same: z.number(), error: z.number() }),
});
export const importCommitted = event('files.import.committed', batch);
export const importUndone = event('files.import.undone', batch);

export const fileEvents = [scanFinished, exportFinished, importCommitted, importUndone] as const;
