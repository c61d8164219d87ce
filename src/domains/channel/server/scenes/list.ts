import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type SqlBool } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { from, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportSceneCodeList, querySceneCodeList, type SceneCodeRow } from '../../contract/calls/scenes.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { linkOf } from '../codes/target.ts';
import { holds, holdsNumber, own } from '../database.ts';

/** Which part was lost since the code was made; the landing answers accordingly. */
const problems = sql<string[]>`array_remove(array[
  case when n.usable is distinct from true then '场景已下线' end,
  case when s.doctor_id is not null and d.usable is distinct from true then '医生已停诊' end,
  case when c.state = 'DISABLED' then '渠道已停用' when c.state = 'EXPIRED' then '渠道已到期' end,
  case when c.agent_id is not null and a.usable is distinct from true then '代表备案失效' end], null)`;

const codesSeen = (db: Db, viewer: Viewer) =>
  own(db)
    .selectFrom('channelSceneCode as s')
    .innerJoin('channelChannel as c', 'c.id', 's.channelId')
    .innerJoin('channelQrCode as q', 'q.id', 's.codeId')
    .leftJoin('channelRefCopy as n', (join) => join.onRef('n.refId', '=', 's.sceneId').on('n.kind', '=', 'SCENE'))
    .leftJoin('channelRefCopy as d', (join) => join.onRef('d.refId', '=', 's.doctorId').on('d.kind', '=', 'DOCTOR'))
    .leftJoin('channelRefCopy as a', (join) => join.onRef('a.refId', '=', 'c.agentId').on('a.kind', '=', 'AGENT'))
    .where(seesChannel(viewer));

const name = (kind: string, id: string) =>
  sql<string | null>`(select r.name from channel_ref_copy r where r.kind = ${kind} and r.ref_id = ${sql.ref(id)})`;

const selected = (query: ReturnType<typeof codesSeen>) =>
  query
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
      name('ASSISTANT', 's.assistantId').as('assistantName'),
      name('ITEM', 's.itemId').as('itemName'),
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
  link: linkOf(kernel, row.token),
});

export const sceneCodeList = (kernel: Pick<Kernel, 'config'>) =>
  listOf(querySceneCodeList)
    .from(({ db, staff }) => codesSeen(db, staff))
    .with({
      where: {
        sceneCodeNo: holdsNumber('s.sceneCodeNo'),
        sceneId: 's.sceneId',
        sceneName: holds('n.name'),
        diseaseName: (_eb, name) => sql<SqlBool>`n.facts->>'diseaseName' like ${containsPattern(name)}`,
        hospitalName: (_eb, name) => sql<SqlBool>`d.facts->>'hospitalName' like ${containsPattern(name)}`,
        channelId: (_eb, id) => sql<SqlBool>`c.path @> array[${id}::bigint]`,
        doctorId: 's.doctorId',
        agentId: 'c.agentId',
        state: 's.state',
        abnormal: (_eb, yes) => (yes ? sql<SqlBool>`cardinality(${problems}) > 0` : sql<SqlBool>`cardinality(${problems}) = 0`),
        from: from('s.createdAt'),
        to: upTo('s.createdAt'),
      },
      id: 's.id',
      sorts: { sceneCodeNo: 's.sceneCodeNo', createdAt: 's.createdAt' },
      select: selected,
      present: (rows) => rows.map((row) => present(kernel, row)),
    });

/** One scene code as the list shows it. */
export async function sceneCodeById(kernel: Pick<Kernel, 'config'>, db: Db, viewer: Viewer, id: string): Promise<SceneCodeRow | null> {
  const row = await selected(codesSeen(db, viewer)).where('s.id', '=', id).executeTakeFirst();
  return row ? present(kernel, row) : null;
}

export const sceneCodeExport = (kernel: Pick<Kernel, 'config'>) =>
  listExport(sceneCodeList(kernel), {
    call: exportSceneCodeList,
    title: '场景码',
    routeKey: 'sceneCode',
    columns: [
      'sceneCodeNo',
      'link',
      'diseaseName',
      'sceneName',
      'chatFlag',
      'channelName',
      'doctorName',
      'hospitalName',
      'entry',
      'pv',
      'registered',
      'firstOrders',
      'state',
      'problems',
      'createdAt',
    ],
  });
