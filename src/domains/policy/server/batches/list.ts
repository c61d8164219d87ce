import { sql, type SqlBool } from 'kysely';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { mask } from '#kernel/contract/masking.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { contains, isNumber } from '#kernel/server/list/conditions.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { ListTarget } from '../../contract/batchDictionaries.ts';
import { queryInsuredBatchList, queryInsuredBatchRowList, type BatchListRow } from '../../contract/calls/batches.ts';
import { listPermissions as may } from '../../contract/permissions.ts';
import { normalPolicyNo } from '../../contract/rules/policyNo.ts';
import { insurerScope } from '../access.ts';
import { own } from '../database.ts';
import { batchActionsOf, batchRecords } from './records.ts';
import type { KeptNote } from './parsing/decide.ts';
import { cellsOf } from './parsing/writeRows.ts';

/** Numbers of the first policies of a list. */
export const policyNosOf = sql<string>`(select coalesce(string_agg(n.policy_no, '、' order by n.id), '') from (
  select p.id, p.policy_no from policy_policy p
  where p.id = any(case when b.policy_ids = '{}' then b.chosen_policy_ids else b.policy_ids end) order by p.id limit 3) n)`;

export const batchColumns = [
  'b.id',
  'b.batchNo',
  'b.insurerName',
  'b.mode',
  'b.fileName',
  'b.totalRows',
  'b.addRows',
  'b.modifyRows',
  'b.removeRows',
  'b.sameRows',
  'b.errorRows',
  'b.warnRows',
  'b.excludedRows',
  'b.backdatedRows',
  'b.parsedRows',
  'b.appliedRows',
  'b.premiumDeltaFen',
  'b.state',
  'b.makerName as maker',
  'b.makerId',
  'b.createdAt',
  'b.appliedAt',
  'b.reverseOfBatchId',
  'b.version',
] as const;
/** What decides who may do what, beside the columns that are shown. */
const deciding = ['b.createdBy', 'b.undoAskedBy', 'b.undoAskedAt', 'b.fault', 'b.faultAcceptedBy'] as const;
const policyCount = sql<number>`cardinality(case when b.policy_ids = '{}' then b.chosen_policy_ids else b.policy_ids end)`;

export const batchList = listOf(queryInsuredBatchList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('policyInsuredBatch as b')
      .where(scopeFilter(insurerScope('b.insurerId'), staff)),
  )
  .with({
    where: {
      batchNo: isNumber('b.batchNo'),
      insurerId: 'b.insurerId',
      policyNo: (_eb, text) =>
        sql<SqlBool>`b.policy_ids && array(select p.id from policy_policy p where p.policy_no_norm = ${normalPolicyNo(text)})`,
      mode: 'b.mode',
      state: 'b.state',
      makerId: 'b.makerId',
      createdFrom: (_eb, day) => sql<SqlBool>`b.created_at >= ${startOfDay(day)}::timestamptz`,
      createdTo: (_eb, day) => sql<SqlBool>`b.created_at < ${startOfDay(plusDays(day, 1))}::timestamptz`,
    },
    id: 'b.id',
    sorts: { batchNo: 'b.batchNo' },
    select: (rows) =>
      rows
        .select(batchColumns)
        .select(deciding)
        .select([policyNosOf.as('policyNos'), policyCount.as('policyCount')]),
    present: (rows, { has, staff }) =>
      rows.map(({ createdBy, undoAskedBy, undoAskedAt, fault, faultAcceptedBy, ...row }) => ({
        ...row,
        allowedActions: batchActionsOf({ ...row, createdBy, undoAskedBy, undoAskedAt, fault, faultAcceptedBy }, has, staff.userId),
      })),
  });

const SENSITIVE: Readonly<Partial<Record<ListTarget, 'idNo' | 'mobile'>>> = { idNo: 'idNo', mainIdNo: 'idNo', mobile: 'mobile' };

/** A cell as it is shown: a certificate or number stands in full only where it is wrong, before somebody who may correct it. */
export const shownCell = (target: ListTarget, value: string, inFull: boolean): string => {
  const kind = SENSITIVE[target];
  return kind === undefined || inFull || value === '' ? value : mask(kind, value);
};

export interface StoredRow {
  id: string;
  rowNo: number;
  fromSheet: boolean;
  policyNo: string | null;
  name: string;
  result: BatchListRow['result'];
  planCode: string | null;
  effectiveOn: string | null;
  leaveOn: string | null;
  premiumFen: string;
  backdated: boolean;
  rawCipher: string;
  correctedCipher: string | null;
  errors: unknown;
  warnings: unknown;
  warnAccepted: boolean;
  note: string;
}
export const rowColumns = [
  'r.id',
  'r.rowNo',
  'r.fromSheet',
  'p.policyNo',
  'r.name',
  'r.result',
  'r.planCode',
  'r.effectiveOn',
  'r.leaveOn',
  'r.premiumFen',
  'r.backdated',
  'r.rawCipher',
  'r.correctedCipher',
  'r.errors',
  'r.warnings',
  'r.warnAccepted',
  'r.note',
] as const;

export function shownRow(
  secrets: Secrets,
  { rawCipher, correctedCipher, fromSheet, rowNo, ...row }: StoredRow,
  mayCorrect: boolean,
): BatchListRow {
  const { raw, corrected } = cellsOf(secrets, { rawCipher, correctedCipher });
  const errors = row.errors as KeptNote[];
  const wrong = new Set(errors.map(({ column }) => column));
  const targets = Object.keys({ ...raw, ...corrected }) as ListTarget[];
  return {
    ...row,
    rowNo: fromSheet ? rowNo : null,
    errors,
    warnings: row.warnings as KeptNote[],
    cells: targets.map((target) => ({
      target,
      value: shownCell(target, corrected[target] ?? raw[target] ?? '', mayCorrect && wrong.has(target)),
      corrected: target in corrected,
    })),
  };
}

export const makeRowList = ({ secrets }: Kernel) =>
  listOf(queryInsuredBatchRowList)
    .from(async ({ db, staff, filter }) => {
      const batch = await batchRecords.get(db, staff, filter.batchId);
      return own(db)
        .selectFrom('policyInsuredBatchRow as r')
        .leftJoin('policyPolicy as p', 'p.id', 'r.policyId')
        .where('r.batchId', '=', batch.id);
    })
    .with({
      where: {
        batchId: 'r.batchId',
        result: 'r.result',
        hasWarning: (_eb, yes) => (yes ? sql<SqlBool>`r.warnings <> '[]'` : undefined),
        code: (_eb, code) => {
          const found = JSON.stringify([{ code }]);
          return sql<SqlBool>`(r.errors @> ${found}::jsonb or r.warnings @> ${found}::jsonb)`;
        },
        keyword: contains('r.name'),
      },
      id: 'r.rowNo',
      unsorted: 'the rows of a list, up to some hundred thousand, as they stand in the file',
      order: [['r.batchId', 'asc']],
      select: (rows) => rows.select(rowColumns),
      present: (rows, { has }) => rows.map((row) => shownRow(secrets, row, has(may['batch.import']))),
    });
