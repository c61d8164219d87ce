import type { Db, QueryContext } from '../../../../kernel/server/context.ts';
import { userBrief } from '../../../identity/server/index.ts';
import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { from, upTo } from '../../../../kernel/server/list/conditions.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportAttributionChangeList, queryAttributionChangeList, type AttributionChangeRow } from '../../contract/attributionCalls.ts';
import { subjectTypes } from '../../contract/dictionaries.ts';
import type { Viewer } from '../access.ts';
import { attributionChangeMachine } from '../../contract/orderStates.ts';
import { like, own } from '../database.ts';
import { seesChange } from './access.ts';
import { exportedName, shownName } from './list.ts';
import { nameOf } from './names.ts';

const changes = (db: Db, viewer: Viewer) => own(db).selectFrom('doctorAttributionChange as g').where(seesChange(viewer));
type Looking = Pick<QueryContext, 'has'> & { staff: Viewer };

/** Buttons of a change: nobody decides on his own, and only he takes it back. */
const actionsOf = (ctx: Looking, state: AttributionChangeRow['state'], makerId: string) =>
  attributionChangeMachine
    .allowed(state, ctx.has)
    .filter((action) => action !== 'submit' && (action === 'cancel') === (makerId === ctx.staff.userId));

const selected = (rows: ReturnType<typeof changes>) =>
  rows
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
    ]);
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;

async function present(db: Db, rows: readonly Selected[], ctx: Looking): Promise<AttributionChangeRow[]> {
  const users = new Map(
    (
      await userBrief(
        db,
        rows.flatMap(({ makerId, checkerId }) => (checkerId === null ? [makerId] : [makerId, checkerId])),
      )
    ).map((user) => [user.userId, user.displayName]),
  );
  return rows.map(({ checkerId, ...row }) => {
    const state = row.state as AttributionChangeRow['state'];
    return {
      ...row,
      subjectName: shownName(row.subjectType, row.subjectName),
      state,
      subjectType: row.subjectType as 'DOCTOR',
      source: row.source as 'MANUAL',
      makerName: users.get(row.makerId) ?? null,
      checkerName: checkerId === null ? null : (users.get(checkerId) ?? null),
      allowedActions: actionsOf(ctx, state, row.makerId),
    };
  });
}

/** One change; undefined where somebody does not see it. */
export async function readChange(ctx: Looking & { db: Db }, id: string): Promise<AttributionChangeRow | undefined> {
  return (await present(ctx.db, await selected(changes(ctx.db, ctx.staff)).where('g.id', '=', id).execute(), ctx))[0];
}

/** Newest first. */
export const changeList = listOf(queryAttributionChangeList)
  .from(({ db, staff }) => changes(db, staff))
  .with({
    where: {
      changeNo: (eb, changeNo) => eb('g.changeNo', 'like', like(changeNo.toUpperCase())),
      name: (eb, name) => eb('g.subjectName', 'like', like(name)),
      subjectType: 'g.subjectType',
      state: 'g.state',
      channelId: (eb, channelId) => eb.or([eb('g.fromChannelId', '=', channelId), eb('g.toChannelId', '=', channelId)]),
      from: from('g.createdAt'),
      to: upTo('g.createdAt'),
    },
    id: 'g.id',
    select: selected,
    present: (rows, { db, staff, has }) => present(db, rows, { staff, has }),
  });

const ORGANIC = '自然流量';
const columns: readonly ExportColumn<AttributionChangeRow>[] = [
  { key: 'changeNo', label: '变更单号', width: 20, value: (row) => row.changeNo },
  { key: 'subjectType', label: '对象', dictionary: subjectTypes, value: (row) => row.subjectType },
  { key: 'subjectName', label: '姓名', sensitive: 'name', value: (row) => exportedName(row.subjectType, row.subjectName) },
  { key: 'fromChannelName', label: '原渠道', width: 24, value: (row) => row.fromChannelName ?? ORGANIC },
  { key: 'fromAgentName', label: '原代表', value: (row) => row.fromAgentName },
  { key: 'toChannelName', label: '新渠道', width: 24, value: (row) => row.toChannelName ?? ORGANIC },
  { key: 'toAgentName', label: '新代表', value: (row) => row.toAgentName },
  { key: 'effectiveOn', label: '生效日期', kind: 'day', value: (row) => row.effectiveOn },
  { key: 'reason', label: '变更原因', width: 30, value: (row) => row.reason },
  { key: 'makerName', label: '申请人', value: (row) => row.makerName },
  { key: 'createdAt', label: '申请时间', kind: 'instant', width: 20, value: (row) => row.createdAt },
  { key: 'state', label: '状态', dictionary: attributionChangeMachine.dictionary, value: (row) => row.state },
  { key: 'checkerName', label: '审批人', value: (row) => row.checkerName },
  { key: 'opinion', label: '审批意见', width: 30, value: (row) => row.opinion },
  { key: 'decidedAt', label: '审批时间', kind: 'instant', width: 20, value: (row) => row.decidedAt },
  { key: 'performedAt', label: '执行时间', kind: 'instant', width: 20, value: (row) => row.performedAt },
];

export const attributionChangeExport = listExport(changeList, {
  call: exportAttributionChangeList,
  title: '归属变更',
  routeKey: 'doctorPatientChannelManagement',
  columns,
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
    return rows.map((row) => ({ ...row, subjectName: names.get(row.id) ?? row.subjectName }));
  },
});
