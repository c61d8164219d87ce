import { mask } from '#kernel/contract/masking.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { AdverseRow } from '../../contract/calls/adverse.ts';
import type { PharmaDb } from '../database.ts';

export const reports = (db: PharmaDb) =>
  db
    .selectFrom('pharmaAdverseReport as r')
    .innerJoin('pharmaMedicine as m', 'm.id', 'r.medicineId')
    .leftJoin('pharmaCompany as c', 'c.id', 'm.holderId');

export const reportColumns = (rows: ReturnType<typeof reports>) =>
  rows
    .selectAll('r')
    .select([
      'm.genericName',
      'm.medicineNo',
      'm.approvalNo',
      'm.strength',
      'c.id as companyId',
      'c.name as companyName',
      'c.pvName',
      'c.pvEmail',
      'c.pvPhone',
    ]);

export type StoredReport = Awaited<ReturnType<ReturnType<typeof reportColumns>['executeTakeFirstOrThrow']>>;

export const presentReport = (row: StoredReport, now: Instant): AdverseRow => ({
  id: row.id,
  reportNo: row.reportNo,
  medicineId: row.medicineId,
  genericName: row.genericName,
  companyId: row.companyId,
  companyName: row.companyName,
  patientId: row.patientId,
  sourceTaskId: row.sourceTaskId,
  seriousness: row.seriousness,
  isNew: row.isNew,
  description: mask('medical', ''),
  occurredOn: row.occurredOn,
  receivedAt: row.receivedAt,
  dueAt: row.dueAt,
  overdue: row.state === 'RECEIVED' && row.dueAt < now,
  forwardedAt: row.forwardedAt,
  forwardFileId: row.forwardFileId,
  companyReceiptNo: row.companyReceiptNo,
  invalidProposed: row.invalidBy !== null,
  state: row.state,
  version: row.version,
});

export const describe = (secrets: Secrets, row: { descriptionCipher: string }) => secrets.decrypt(row.descriptionCipher);
