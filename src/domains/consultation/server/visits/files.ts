import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { StoredFile } from '#kernel/server/ports.ts';
import { definePurpose } from '#domains/files/server/index.ts';

const PURPOSE = 'VISIT_RECORD';
const PRINT = 'VISIT_PRINT';
const MIB = 1024 * 1024;
/** Records of consultations are kept 15 years. */
const KEPT = days(15 * 366);

/** Archived records and prints; both are read through the calls of visit records alone. */
export function registerVisitFiles(): void {
  definePurpose({ code: PURPOSE, label: '就诊小结归档', types: ['pdf'], maxSize: 20 * MIB, count: 1, sensitive: true, system: true });
  definePurpose({ code: PRINT, label: '就诊记录打印', types: ['pdf'], maxSize: 50 * MIB, count: 1, sensitive: true, system: true });
}

export const storeArchived = (kernel: Kernel, tx: Tx, name: string, body: Buffer, now: Instant): Promise<StoredFile> =>
  kernel.ports.files.store(
    tx,
    { purpose: PURPOSE, name, body, contentType: 'application/pdf', createdBy: null, sensitive: true, retainUntil: plusMs(now, KEPT) },
    now,
  );

/** A print that nothing keeps: it is gone after a day. */
export const storePrint = (kernel: Kernel, tx: Tx, name: string, body: Buffer, userId: string, now: Instant): Promise<StoredFile> =>
  kernel.ports.files.store(tx, { purpose: PRINT, name, body, contentType: 'application/pdf', createdBy: userId, sensitive: true }, now);
