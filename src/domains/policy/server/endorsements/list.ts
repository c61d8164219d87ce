import type { Db } from '#kernel/server/context.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { sql, type SqlBool } from 'kysely';
import { POLICY_LINE_VIEW } from '../../contract/lineView.ts';
import { exportEndorsement, queryEndorsementDetail, queryEndorsementList, type EndorsementRow } from '../../contract/calls/endorsements.ts';
import { policyPermissions as may } from '../../contract/permissions.ts';
import { normalPolicyNo } from '../../contract/rules/policyNo.ts';
import { endorsementMachine, type EndorsementState } from '../../contract/states.ts';
import { endorsementRecords, insurerScope } from '../access.ts';
import { own } from '../database.ts';
import { draftOf } from './draft.ts';
import type { Difference } from './prepared.ts';

const seen = (db: Db, viewer: Viewer) =>
  own(db)
    .selectFrom('policyEndorsement as e')
    .innerJoin('policyPolicy as p', 'p.id', 'e.policyId')
    .leftJoin('policyInsuredBatch as q', 'q.id', 'e.batchId')
    .where(scopeFilter(insurerScope('p.insurerId'), viewer));

type Has = (permission: string | { code: string }) => boolean;

/** Taking a policy back from its beginning is a right of its own: who has it writes, hands in and gives up that. */
export const rightToWrite = ({ kind }: { kind: string }) => (kind === 'CANCEL' ? may['policy.cancel'] : may['endorse.make']);

/**
 * What somebody may do with an endorsement: nobody passes, rejects or takes back his own, and nobody goes on with another one's,
 * so that whoever checks it wrote none of it.
 */
export function endorsementActionsOf(
  row: { state: EndorsementState; makerId: string | null; batchId?: string | null; kind: string },
  has: Has,
  userId: string,
): string[] {
  if (row.batchId) return [];
  const writes: Has = (permission) => has(permission === may['endorse.make'].code ? rightToWrite(row) : permission);
  return endorsementMachine.allowed(row.state, writes).filter((action) => {
    if (action === 'discard') return true;
    const own = row.makerId === userId;
    return (action === 'modify' || action === 'submit') === own;
  });
}

const columns = [
  'e.id',
  'e.endorsementNo',
  'e.policyId',
  'p.policyNo',
  'p.productLine',
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
] as const;
const selected = (db: Db, viewer: Viewer) => seen(db, viewer).select([...columns]);
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;

/** In one line what an endorsement changes. */
export const summaryOf = (differences: readonly Difference[]): string =>
  differences.map((one) => `${one.label}：${one.before || '—'} → ${one.after || '—'}`).join('；');

type People = Kernel['ports']['people'];
async function shown(rows: readonly Selected[], people: People, db: Db, has: Has, userId: string): Promise<EndorsementRow[]> {
  const ids = [...new Set(rows.flatMap(({ checkerId }) => checkerId ?? []))];
  const names: ReadonlyMap<string, string> = ids.length === 0 ? new Map() : await people.names(db, ids);
  return rows.map(({ after, batchId, makerName, checkerId, productLine, ...row }): EndorsementRow => {
    const { differences = [], summary = '' } = after as { differences?: Difference[]; summary?: string };
    return {
      ...row,
      insurerEndorsementNo: POLICY_LINE_VIEW[productLine].insurerNumbers ? row.insurerEndorsementNo : '',
      differences,
      summary: summary || summaryOf(differences),
      maker: makerName,
      checker: checkerId === null ? null : (names.get(checkerId) ?? '—'),
      allowedActions: endorsementActionsOf({ ...row, batchId }, has, userId),
    };
  });
}

export const makeEndorsementList = ({ ports }: Pick<Kernel, 'ports'>) =>
  listOf(queryEndorsementList)
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
      sorts: { endorsementNo: 'e.endorsementNo', effectiveOn: 'e.effectiveOn' },
      select: (rows) => rows.select([...columns]),
      present: (rows, { db, staff, has }) => shown(rows, ports.people, db, has, staff.userId),
    });

export const endorsementDetail = ({ secrets, ports }: Kernel) =>
  query(queryEndorsementDetail, async ({ endorsementId }, { db, staff, has }) => {
    const found = await selected(db, staff).where('e.id', '=', endorsementId).executeTakeFirst();
    if (!found) throw endorsementRecords.missing();
    const [row] = await shown([found], ports.people, db, has, staff.userId);
    const goesOn = row!.allowedActions.includes('modify');
    const kept = goesOn ? await endorsementRecords.get(db, staff, endorsementId) : null;
    return { ...row!, draft: kept && (await draftOf(db, secrets, kept)), timeline: await trailOf(db, 'policy.endorsement', endorsementId) };
  });

export const endorsementExportOf = (list: ReturnType<typeof makeEndorsementList>) =>
  listExport(list, { call: exportEndorsement, title: '批单', routeKey: 'policyManage.endorsements' });
