import { containsPattern } from '#kernel/server/database/search.ts';
import type { SelectQueryBuilder } from 'kysely';
import type { QueryContext } from '#kernel/server/context.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { from, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf, type ListAsk } from '#kernel/server/list/listOf.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { exportAttributionChangeList, queryAttributionChangeList, type AttributionChangeRow } from '../../contract/calls/attribution.ts';
import { attributionChangeMachine } from '../../contract/orderStates.ts';
import { own, type DoctorTables } from '../database.ts';
import { seesChange } from './access.ts';
import { exportedName, ORGANIC, shownName } from './list.ts';
import { nameOf } from './names.ts';

type Asking = Pick<ListAsk<unknown>, 'db' | 'has'> & { staff: Viewer };

/** Buttons of a change: nobody decides on his own, and only he takes it back. */
const actionsOf = (ctx: Asking, state: AttributionChangeRow['state'], makerId: string) =>
  attributionChangeMachine
    .allowed(state, ctx.has)
    .filter((action) => action !== 'submit' && (action === 'cancel') === (makerId === ctx.staff.userId));

type Stored = Omit<AttributionChangeRow, 'makerName' | 'checkerName' | 'allowedActions'> & { checkerId: string | null };

const changeColumns = (query: SelectQueryBuilder<DoctorTables & { g: DoctorTables['doctorAttributionChange'] }, 'g', object>) =>
  query
    .select([
      'g.id',
      'g.changeNo',
      'g.subjectType',
      'g.subjectId',
      'g.subjectName',
      'g.effectiveOn',
      'g.reason',
      'g.source',
      'g.makerId',
      'g.checkerId',
      'g.opinion',
      'g.decidedAt',
      'g.performedAt',
      'g.state',
      'g.version',
      'g.createdAt',
    ])
    .select([
      nameOf('CHANNEL', 'g.from_channel_id').as('fromChannelName'),
      nameOf('CHANNEL', 'g.to_channel_id').as('toChannelName'),
      nameOf('AGENT', 'g.from_agent_id').as('fromAgentName'),
      nameOf('AGENT', 'g.to_agent_id').as('toAgentName'),
    ])
    .$castTo<Stored>();

async function presentChanges(rows: readonly Stored[], ctx: Asking): Promise<AttributionChangeRow[]> {
  const users = new Map(
    (
      await userBrief(
        ctx.db,
        rows.flatMap(({ makerId, checkerId }) => (checkerId === null ? [makerId] : [makerId, checkerId])),
      )
    ).map((user) => [user.userId, user.displayName]),
  );
  return rows.map(({ checkerId, ...row }) => ({
    ...row,
    subjectName: shownName(row.subjectType, row.subjectName),
    makerName: users.get(row.makerId) ?? null,
    checkerName: checkerId === null ? null : (users.get(checkerId) ?? null),
    allowedActions: actionsOf(ctx, row.state, row.makerId),
  }));
}

/** Changes, the newest first. */
export const changeList = listOf(queryAttributionChangeList)
  .from(({ db, staff }) => own(db).selectFrom('doctorAttributionChange as g').where(seesChange(staff)))
  .with({
    where: {
      changeNo: (eb, changeNo) => eb('g.changeNo', 'like', containsPattern(changeNo.toUpperCase())),
      name: (eb, name) => eb('g.subjectName', 'like', containsPattern(name)),
      subjectType: 'g.subjectType',
      state: 'g.state',
      channelId: (eb, channelId) => eb.or([eb('g.fromChannelId', '=', channelId), eb('g.toChannelId', '=', channelId)]),
      from: from('g.createdAt'),
      to: upTo('g.createdAt'),
    },
    id: 'g.id',
    last: { of: 'g.state', groups: [['APPROVED', 'REJECTED', 'CANCELLED']] },
    sorts: { changeNo: 'g.changeNo', createdAt: 'g.createdAt' },
    select: changeColumns,
    present: presentChanges,
  });

/** One change as the list shows it. */
export async function changeById(ctx: QueryContext, id: string): Promise<AttributionChangeRow | undefined> {
  const found = changeColumns(await changeList.matching({ ...ctx, filter: {} })).where('g.id', '=', id);
  return (await presentChanges(await found.execute(), ctx))[0];
}

/** Names leave in full only in a plain export; the cell masks them otherwise. */
export const attributionChangeExport = listExport(changeList, {
  call: exportAttributionChangeList,
  title: '归属变更',
  routeKey: 'doctorPatientChannelManagement',
  columns: [
    'changeNo',
    'subjectType',
    {
      key: 'subjectName',
      label: '姓名',
      sensitive: 'name',
      value: (row: AttributionChangeRow & { fullName: string }) => exportedName(row.subjectType, row.fullName),
    },
    { key: 'fromChannelName', label: '原渠道', width: 24, value: (row) => row.fromChannelName ?? ORGANIC },
    'fromAgentName',
    { key: 'toChannelName', label: '新渠道', width: 24, value: (row) => row.toChannelName ?? ORGANIC },
    'toAgentName',
    'effectiveOn',
    'reason',
    'makerName',
    'createdAt',
    'state',
    'checkerName',
    'opinion',
    'decidedAt',
    'performedAt',
  ],
  async widen(rows, { db }) {
    const stored = await own(db)
      .selectFrom('doctorAttributionChange')
      .select(['id', 'subjectName'])
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    const names = new Map(stored.map(({ id, subjectName }) => [id, subjectName]));
    return rows.map((row) => ({ ...row, fullName: names.get(row.id)! }));
  },
});
