import { sql, type SqlBool } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { elsewhere } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf, type ListAsk } from '#kernel/server/list/listOf.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { exportPatientMergeList, queryPatientMergeList, type MergeRow } from '../../contract/calls/merge.ts';
import { patientPermissions } from '../../contract/permissions.ts';
import { mergeMachine } from '../../contract/states.ts';
import { seesPatient } from '../access.ts';
import { own } from '../database.ts';
import { briefJson, briefOf, personColumns } from '../persons/brief.ts';

type Looking = Pick<ListAsk<unknown>, 'staff' | 'today' | 'has'>;

const merges = (db: Db) =>
  own(db)
    .selectFrom('patientMerge as m')
    .innerJoin('patientPatient as f', 'f.id', 'm.fromId')
    .innerJoin('patientPatient as t', 't.id', 'm.intoId');
const filled = (rows: ReturnType<typeof merges>) => rows.selectAll('m').select([briefJson('f').as('from'), briefJson('t').as('into')]);
type Filled = Awaited<ReturnType<ReturnType<typeof filled>['executeTakeFirstOrThrow']>>;

async function present(db: Db, rows: readonly Filled[], { staff, today, has }: Looking): Promise<MergeRow[]> {
  const users = new Map(
    (
      await userBrief(
        db,
        rows.flatMap(({ makerId, checkerId }) => [makerId ?? [], checkerId ?? []].flat()),
      )
    ).map((user) => [user.userId, user.displayName]),
  );
  return rows.map((row) => {
    const mine = row.makerId === staff.userId;
    return {
      id: row.id,
      mergeNo: row.mergeNo,
      from: briefOf(row.from, today),
      into: briefOf(row.into, today),
      evidence: row.evidence,
      reason: row.reason,
      state: row.state,
      suggested: row.suggested,
      maker: row.makerId === null ? null : (users.get(row.makerId) ?? null),
      checker: row.checkerId === null ? null : (users.get(row.checkerId) ?? null),
      opinion: row.opinion,
      createdAt: row.createdAt,
      decidedAt: row.decidedAt,
      undoneAt: row.undoneAt,
      version: row.version,
      mine,
      allowedActions: mergeMachine.allowed(row.state, has).filter((action) => action !== 'approve' || !mine),
    };
  });
}

/** One merge as the list shows it. */
export const mergeAnswer = async (db: Db, id: string, looking: Looking): Promise<MergeRow> =>
  (await present(db, [await filled(merges(db)).where('m.id', '=', id).executeTakeFirstOrThrow()], looking))[0]!;

/** A merge (alias `m`) shows both persons, so whoever looks must see both. */
export const seesBoth = ({ staff, now }: Pick<ListAsk<unknown>, 'staff' | 'now'>) =>
  sql<SqlBool>`(select count(*) from patient_patient p where p.id in (m.from_id, m.into_id) and ${seesPatient(staff, now)}) = 2`;

/** Merges, first those that wait. Who only asks for merges sees his own requests. */
export const mergeList = listOf(queryPatientMergeList)
  .from(({ db, staff, now, has }) => {
    const seen = merges(db).where(seesBoth({ staff, now }));
    return has(patientPermissions['merge.audit']) ? seen : seen.where('m.makerId', '=', staff.userId);
  })
  .with({
    where: {
      scope: elsewhere,
      state: 'm.state',
      patientId: (eb, id) => eb.or([eb('m.fromId', '=', id), eb('m.intoId', '=', id)]),
      keyword: (eb, keyword) =>
        eb.or([
          eb('m.mergeNo', '=', keyword.toUpperCase()),
          eb('f.patientNo', '=', keyword.toUpperCase()),
          eb('t.patientNo', '=', keyword.toUpperCase()),
        ]),
    },
    order: [[sql`(m.state = 'PENDING')`, 'desc']],
    id: 'm.id',
    unsorted: 'a queue: what is pending first',
    select: filled,
    present: (rows, ask) => present(ask.db, rows, ask),
  });

export const mergeExport = listExport(mergeList, {
  call: exportPatientMergeList,
  title: '档案合并',
  // Queues have no page of their own; they stand in the finder of every page.
  routeKey: 'patientFinder',
  columns: [
    'mergeNo',
    ...personColumns('from', '被合并'),
    ...personColumns('into', '保留'),
    'evidence',
    'reason',
    'state',
    { key: 'makerName', label: '申请人', value: (row) => row.maker ?? '系统' },
    'createdAt',
    'checker',
    'decidedAt',
    'opinion',
  ],
});
