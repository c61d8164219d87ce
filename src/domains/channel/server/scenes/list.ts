import { chatFlags } from '../../contract/dictionaries.ts';
import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { from, upTo } from '../../../../kernel/server/list/conditions.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportSceneCodeList, querySceneCodeList, type SceneCodeRow } from '../../contract/calls/scenes.ts';
import { sceneEntries } from '../../contract/dictionaries.ts';
import { sceneCodeStates } from '../../contract/states.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { linkOf } from '../codes/target.ts';
import { like, own } from '../database.ts';

/** Which part was lost since the code was made; the landing answers accordingly. */
const problems = sql<string[]>`array_remove(array[
  case when n.usable is distinct from true then '场景已下线' end,
  case when s.doctor_id is not null and d.usable is distinct from true then '医生已停诊' end,
  case when c.state = 'DISABLED' then '渠道已停用' when c.state = 'EXPIRED' then '渠道已到期' end,
  case when c.agent_id is not null and a.usable is distinct from true then '代表备案失效' end], null)`;

const sceneCodes = (db: Db, viewer: Viewer) =>
  own(db)
    .selectFrom('channelSceneCode as s')
    .innerJoin('channelChannel as c', 'c.id', 's.channelId')
    .innerJoin('channelQrCode as q', 'q.id', 's.codeId')
    .leftJoin('channelRefCopy as n', (join) => join.onRef('n.refId', '=', 's.sceneId').on('n.kind', '=', 'SCENE'))
    .leftJoin('channelRefCopy as d', (join) => join.onRef('d.refId', '=', 's.doctorId').on('d.kind', '=', 'DOCTOR'))
    .leftJoin('channelRefCopy as a', (join) => join.onRef('a.refId', '=', 'c.agentId').on('a.kind', '=', 'AGENT'))
    .where(seesChannel(viewer));

const named = (kind: string, id: string) =>
  sql<string | null>`(select r.name from channel_ref_copy r where r.kind = ${kind} and r.ref_id = ${sql.ref(id)})`;

const selected = (rows: ReturnType<typeof sceneCodes>) =>
  rows
    .select([
      's.id',
      's.sceneCodeNo',
      's.codeId',
      'q.token',
      's.sceneId',
      's.channelId',
      'c.name as channelName',
      's.doctorId',
      'd.name as doctorName',
      's.assistantId',
      's.entry',
      's.itemId',
      's.remark',
      'q.pv',
      's.state',
      's.version',
      's.createdAt',
      'q.style',
    ])
    .select([
      sql<string>`coalesce(n.name, '（未知场景）')`.as('sceneName'),
      sql<string | null>`n.facts->>'diseaseName'`.as('diseaseName'),
      sql<number | null>`(n.facts->>'chatFlag')::int`.as('chatFlag'),
      sql<string | null>`d.facts->>'hospitalName'`.as('hospitalName'),
      named('ASSISTANT', 's.assistantId').as('assistantName'),
      named('ITEM', 's.itemId').as('itemName'),
      problems.as('problems'),
      sql<number>`(select count(*)::int from channel_scan_conversion v where v.code_id = s.code_id and v.kind = 'REGISTER_PATIENT')`.as(
        'registered',
      ),
      sql<number>`(select count(*)::int from channel_scan_conversion v where v.code_id = s.code_id and v.kind = 'FIRST_ORDER')`.as(
        'firstOrders',
      ),
    ]);
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;
const present = (kernel: Pick<Kernel, 'config'>, row: Selected): SceneCodeRow => ({
  ...row,
  entry: row.entry as SceneCodeRow['entry'],
  state: row.state as SceneCodeRow['state'],
  link: linkOf(kernel, row.token),
});

/** One scene code; undefined where somebody does not see it. */
export async function readSceneCode(kernel: Pick<Kernel, 'config'>, db: Db, viewer: Viewer, id: string): Promise<SceneCodeRow | undefined> {
  const row = await selected(sceneCodes(db, viewer)).where('s.id', '=', id).executeTakeFirst();
  return row && present(kernel, row);
}

/** @param kernel says under which address codes are reached */
export const sceneCodeList = (kernel: Pick<Kernel, 'config'>) =>
  listOf(querySceneCodeList)
    .from(({ db, staff }) => sceneCodes(db, staff))
    .with({
      where: {
        sceneCodeNo: (eb, text) => eb('s.sceneCodeNo', 'like', like(text.toUpperCase())),
        sceneId: 's.sceneId',
        sceneName: (eb, text) => eb('n.name', 'like', like(text)),
        diseaseName: (_eb, name) => sql<SqlBool>`n.facts->>'diseaseName' like ${like(name)}`,
        hospitalName: (_eb, name) => sql<SqlBool>`d.facts->>'hospitalName' like ${like(name)}`,
        channelId: (_eb, channelId) => sql<SqlBool>`c.path @> array[${channelId}::bigint]`,
        doctorId: 's.doctorId',
        agentId: 'c.agentId',
        state: 's.state',
        abnormal: (_eb, abnormal) => (abnormal ? sql<SqlBool>`cardinality(${problems}) > 0` : sql<SqlBool>`cardinality(${problems}) = 0`),
        from: from('s.createdAt'),
        to: upTo('s.createdAt'),
      },
      id: 's.id',
      select: selected,
      present: (rows) => rows.map((row) => present(kernel, row)),
    });

const columns: readonly ExportColumn<SceneCodeRow>[] = [
  { key: 'sceneCodeNo', label: '编号', value: (row) => row.sceneCodeNo },
  { key: 'link', label: '地址', width: 40, value: (row) => row.link },
  { key: 'diseaseName', label: '病种', value: (row) => row.diseaseName },
  { key: 'sceneName', label: '场景', width: 30, value: (row) => row.sceneName },
  { key: 'chatFlag', label: '会话方式', value: (row) => (row.chatFlag === null ? null : chatFlags[row.chatFlag]) },
  { key: 'channelName', label: '渠道', width: 30, value: (row) => row.channelName },
  { key: 'doctorName', label: '医生', value: (row) => row.doctorName },
  { key: 'hospitalName', label: '医院', width: 30, value: (row) => row.hospitalName },
  { key: 'entry', label: '进入方式', dictionary: sceneEntries, value: (row) => row.entry },
  { key: 'pv', label: '扫码', kind: 'int', value: (row) => row.pv },
  { key: 'registered', label: '注册', kind: 'int', value: (row) => row.registered },
  { key: 'firstOrders', label: '首单', kind: 'int', value: (row) => row.firstOrders },
  { key: 'state', label: '状态', dictionary: sceneCodeStates.dictionary, value: (row) => row.state },
  { key: 'problems', label: '异常', value: (row) => row.problems.join('、') },
  { key: 'createdAt', label: '创建时间', kind: 'instant', value: (row) => row.createdAt },
];

export const sceneCodeExport = (kernel: Pick<Kernel, 'config'>) =>
  listExport(sceneCodeList(kernel), { call: exportSceneCodeList, title: '场景码', routeKey: 'sceneCode', columns });
