import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { mask } from '../../../../kernel/contract/masking.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import { containsText } from '../../../../kernel/server/database/search.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import type { AdverseRow, queryAdverseReportList } from '../../contract/calls/adverse.ts';
import { seriousnessLevels } from '../../contract/dictionaries.ts';
import { adverseMachine } from '../../contract/states.ts';
import { coded } from '../access.ts';
import type { PharmaDb } from '../database.ts';

export type AdverseFilter = Omit<CheckedInputOf<typeof queryAdverseReportList>, 'pageNo' | 'pageSize'>;

export function matchingReports(db: PharmaDb, filter: AdverseFilter, now: Instant) {
  let query = db.selectFrom('pharmaAdverseReport as r').innerJoin('pharmaMedicine as m', 'm.id', 'r.medicineId').select('r.id');
  if (filter.reportNo) query = query.where('r.reportNo', '=', filter.reportNo);
  if (filter.medicine)
    query = query.where(containsText(sql`m.generic_name || ' ' || coalesce(m.brand_name, '') || ' ' || m.generic_pinyin`, filter.medicine));
  if (filter.companyId) query = query.where('m.holderId', '=', filter.companyId);
  if (filter.seriousness) query = query.where('r.seriousness', 'in', filter.seriousness);
  if (filter.state) query = query.where('r.state', 'in', filter.state);
  if (filter.overdue) query = query.where('r.state', '=', 'RECEIVED').where('r.dueAt', '<', now);
  if (filter.overdue === false) query = query.where((eb) => eb.or([eb('r.state', '<>', 'RECEIVED'), eb('r.dueAt', '>=', now)]));
  return query;
}

export const reportRows = (db: PharmaDb) =>
  db
    .selectFrom('pharmaAdverseReport as r')
    .innerJoin('pharmaMedicine as m', 'm.id', 'r.medicineId')
    .leftJoin('pharmaCompany as c', 'c.id', 'm.holderId')
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

export type StoredReport = Awaited<ReturnType<ReturnType<typeof reportRows>['executeTakeFirstOrThrow']>>;

export const presentReport = (row: StoredReport, now: Instant): AdverseRow => ({
  id: row.id,
  reportNo: row.reportNo,
  medicineId: row.medicineId,
  genericName: row.genericName,
  companyId: row.companyId,
  companyName: row.companyName,
  patientId: row.patientId,
  sourceTaskId: row.sourceTaskId,
  seriousness: coded(seriousnessLevels, row.seriousness),
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
  state: coded(adverseMachine.dictionary, row.state),
  version: row.version,
});

export const describe = (secrets: Secrets, row: { descriptionCipher: string }) => secrets.decrypt(row.descriptionCipher);
