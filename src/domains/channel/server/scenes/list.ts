import { sql, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { querySceneCodeList, SceneCodeRow } from '../../contract/calls/scenes.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { linkOf } from '../codes/target.ts';
import { like, own } from '../database.ts';

export type SceneCodeFilter = Omit<CheckedInputOf<typeof querySceneCodeList>, 'pageNo' | 'pageSize'> & { id?: string };

/** Which part was lost since the code was made; the landing answers accordingly. */
const problems = sql<string[]>`array_remove(array[
  case when n.usable is distinct from true then '场景已下线' end,
  case when s.doctor_id is not null and d.usable is distinct from true then '医生已停诊' end,
  case when c.state = 'DISABLED' then '渠道已停用' when c.state = 'EXPIRED' then '渠道已到期' end,
  case when c.agent_id is not null and a.usable is distinct from true then '代表备案失效' end], null)`;

export function sceneCodeQuery(db: Db, viewer: Viewer, filter: SceneCodeFilter) {
  let query = own(db)
    .selectFrom('channelSceneCode as s')
    .innerJoin('channelChannel as c', 'c.id', 's.channelId')
    .innerJoin('channelQrCode as q', 'q.id', 's.codeId')
    .leftJoin('channelRefCopy as n', (join) => join.onRef('n.refId', '=', 's.sceneId').on('n.kind', '=', 'SCENE'))
    .leftJoin('channelRefCopy as d', (join) => join.onRef('d.refId', '=', 's.doctorId').on('d.kind', '=', 'DOCTOR'))
    .leftJoin('channelRefCopy as a', (join) => join.onRef('a.refId', '=', 'c.agentId').on('a.kind', '=', 'AGENT'))
    .where(seesChannel(viewer));
  if (filter.id) query = query.where('s.id', '=', filter.id);
  if (filter.sceneCodeNo) query = query.where('s.sceneCodeNo', 'like', like(filter.sceneCodeNo.toUpperCase()));
  if (filter.sceneId) query = query.where('s.sceneId', '=', filter.sceneId);
  if (filter.sceneName) query = query.where('n.name', 'like', like(filter.sceneName));
  if (filter.diseaseName) query = query.where(sql<SqlBool>`n.facts->>'diseaseName' like ${like(filter.diseaseName)}`);
  if (filter.hospitalName) query = query.where(sql<SqlBool>`d.facts->>'hospitalName' like ${like(filter.hospitalName)}`);
  if (filter.channelId) query = query.where(sql<SqlBool>`c.path @> array[${filter.channelId}::bigint]`);
  if (filter.doctorId) query = query.where('s.doctorId', '=', filter.doctorId);
  if (filter.agentId) query = query.where('c.agentId', '=', filter.agentId);
  if (filter.state?.length) query = query.where('s.state', 'in', filter.state);
  if (filter.abnormal !== undefined)
    query = query.where(filter.abnormal ? sql<SqlBool>`cardinality(${problems}) > 0` : sql<SqlBool>`cardinality(${problems}) = 0`);
  if (filter.from) query = query.where('s.createdAt', '>=', filter.from);
  if (filter.to) query = query.where('s.createdAt', '<=', filter.to);
  return query;
}

export async function readSceneCodes(
  kernel: Pick<Kernel, 'config'>,
  query: ReturnType<typeof sceneCodeQuery>,
  page: { limit: number; offset: number },
): Promise<SceneCodeRow[]> {
  const name = (kind: string, id: string) =>
    sql<string | null>`(select r.name from channel_ref_copy r where r.kind = ${kind} and r.ref_id = ${sql.ref(id)})`;
  const rows = await query
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
    ])
    .orderBy('s.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({
    ...row,
    link: linkOf(kernel, row.token),
  }));
}
