import type { Db } from '../../../../kernel/server/context.ts';
import type { Viewer } from '../../../../kernel/server/auth/viewer.ts';
import { scopeFilter } from '../../../../kernel/server/auth/scope.ts';
import { from, isNumber, upTo } from '../../../../kernel/server/list/conditions.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { sql, type SqlBool } from 'kysely';
import { exportEndorsement, queryEndorsementList, type EndorsementRow } from '../../contract/calls/endorsements.ts';
import { normalPolicyNo } from '../../contract/rules/policyNo.ts';
import { endorsementMachine, type EndorsementState } from '../../contract/states.ts';
import { insurerScope } from '../access.ts';
import { own } from '../database.ts';
import type { Difference } from './prepared.ts';

const seen = (db: Db, viewer: Viewer) =>
  own(db)
    .selectFrom('policyEndorsement as e')
    .innerJoin('policyPolicy as p', 'p.id', 'e.policyId')
    .leftJoin('policyInsuredBatch as q', 'q.id', 'e.batchId')
    .where(scopeFilter(insurerScope('p.insurerId'), viewer));

/** What somebody may do with an endorsement: nobody passes, rejects or takes back his own. */
export function endorsementActionsOf(
  row: { state: EndorsementState; makerId: string | null; batchId?: string | null; kind?: string },
  has: (permission: string | { code: string }) => boolean,
  userId: string,
): string[] {
  if (row.batchId) return [];
  return endorsementMachine
    .allowed(row.state, has)
    .filter((action) => !['approve', 'reject', 'undo'].includes(action) || row.makerId !== userId);
}

export const endorsementList = listOf(queryEndorsementList)
  .from(({ db, staff }) => seen(db, staff))
  .with({
    where: {
      policyId: 'e.policyId',
      policyNo: (_eb, text) => sql<SqlBool>`p.policy_no_norm = ${normalPolicyNo(text)}`,
      endorsementNo: isNumber('e.endorsementNo'),
      kind: 'e.kind',
      state: 'e.state',
      effectiveFrom: from('e.effectiveOn'),
      effectiveTo: upTo('e.effectiveOn'),
    },
    id: 'e.id',
    select: (rows) =>
      rows.select([
        'e.id',
        'e.endorsementNo',
        'e.policyId',
        'p.policyNo',
        'e.seq',
        'e.kind',
        'e.effectiveOn',
        'e.after',
        'e.reason',
        'e.premiumDeltaFen',
        'e.batchId',
        'q.batchNo',
        'e.insurerEndorsementNo',
        'e.state',
        'e.makerName',
        'e.makerId',
        'e.checkerId',
        'e.visibleAt',
        'e.undoneAt',
        'e.createdAt',
        'e.fileIds',
        'e.version',
      ]),
    async present(rows, { db, staff, has }) {
      const ids = [...new Set(rows.flatMap(({ checkerId }) => checkerId ?? []))];
      const names = ids.length === 0 ? new Map<string, string>() : await namesOfStaff(db, ids);
      return rows.map(({ after, batchId, makerName, checkerId, ...row }): EndorsementRow => {
        const { differences = [], summary = '' } = after as { differences?: Difference[]; summary?: string };
        return {
          ...row,
          differences,
          summary: summary || differences.map((one) => `${one.label}：${one.before || '—'} → ${one.after || '—'}`).join('；'),
          maker: makerName,
          checker: checkerId === null ? null : (names.get(checkerId) ?? '—'),
          allowedActions: endorsementActionsOf({ ...row, batchId }, has, staff.userId),
        };
      });
    },
  });

/** Names of the checkers as the trail keeps them. */
async function namesOfStaff(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ userId: string; displayName: string }>`
    select distinct on (user_id) user_id, display_name from kernel_audit_trail
    where target_type = 'policy.endorsement' and user_id = any(${[...ids]}::bigint[]) order by user_id, id desc`.execute(db);
  return new Map(rows.map(({ userId, displayName }) => [userId, displayName]));
}

export const endorsementExport = listExport(endorsementList, {
  call: exportEndorsement,
  title: '批单',
  routeKey: 'policyManage.endorsements',
});
