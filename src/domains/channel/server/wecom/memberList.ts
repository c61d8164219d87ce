import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { chunksById } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { query } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { userBrief } from '../../../identity/server/index.ts';
import { exportMemberList, queryMemberList, type MemberRow } from '../../contract/calls/wecom.ts';
import { memberStatuses } from '../../contract/dictionaries.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { bindStates } from '../../contract/states.ts';
import { like, own } from '../database.ts';

type Filter = Omit<CheckedInputOf<typeof queryMemberList>, 'pageNo' | 'pageSize'>;

function memberQuery(db: Db, { corpId, name, bindState, status }: Filter) {
  let query = own(db).selectFrom('channelWecomMember as m').innerJoin('channelWecomCorp as k', 'k.id', 'm.corpRowId');
  if (corpId) query = query.where('m.corpRowId', '=', corpId);
  if (name) query = query.where('m.name', 'like', like(name));
  if (bindState?.length) query = query.where('m.bindState', 'in', bindState);
  if (status?.length) query = query.where('m.status', 'in', status.map(Number));
  return query;
}

async function readMembers(db: Db, query: ReturnType<typeof memberQuery>, page: { limit: number; offset: number }): Promise<MemberRow[]> {
  const rows = await query
    .select([
      'm.id',
      'm.corpRowId',
      'k.name as corpName',
      'm.wecomUserId',
      'm.name',
      'm.mobileMasked as mobile',
      'm.departmentNames',
      'm.status',
      'm.canContact',
      'm.staffUserId',
      'm.bindState',
      'm.boundAt',
      'm.version',
    ])
    .select([
      sql<number>`(select count(*)::int from channel_wecom_contact t where t.member_id = m.id and t.status = 'ACTIVE')`.as('contactCount'),
      sql<string | null>`(select r.name from channel_ref_copy r where r.kind = 'ASSISTANT' and r.ref_id = m.assistant_id)`.as(
        'assistantName',
      ),
    ])
    .orderBy('m.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const names = new Map(
    (
      await userBrief(
        db,
        rows.flatMap(({ staffUserId }) => staffUserId ?? []),
      )
    ).map(({ userId, displayName }) => [userId, displayName]),
  );
  return rows.map((row) => ({
    ...row,
    staffName: names.get(row.staffUserId ?? '') ?? null,
  }));
}

const columns: readonly ExportColumn<MemberRow>[] = [
  { key: 'name', label: '成员', value: (row) => row.name },
  { key: 'wecomUserId', label: '账号', value: (row) => row.wecomUserId },
  { key: 'corpName', label: '企业', value: (row) => row.corpName },
  { key: 'departments', label: '部门', width: 30, value: (row) => row.departmentNames.join('、') },
  { key: 'mobile', label: '手机号', value: (row) => row.mobile },
  { key: 'status', label: '激活状态', dictionary: memberStatuses, value: (row) => String(row.status) },
  { key: 'canContact', label: '客户联系权限', kind: 'flag', value: (row) => row.canContact },
  { key: 'staffName', label: '绑定员工', value: (row) => row.staffName },
  { key: 'assistantName', label: '医助', value: (row) => row.assistantName },
  { key: 'bindState', label: '绑定状态', dictionary: bindStates.dictionary, value: (row) => row.bindState },
  { key: 'boundAt', label: '绑定时间', kind: 'instant', value: (row) => row.boundAt },
  { key: 'contactCount', label: '客户数', kind: 'int', value: (row) => row.contactCount },
];

export const memberExport = exportSource({
  call: exportMemberList,
  title: '企业微信成员',
  routeKey: 'weChatWorkManagement',
  permission: channelPermissions['wecom.view'].code,
  columns,
  count: ({ db, filter }) => totalUpTo(own(db), memberQuery(db, filter)),
  chunks: ({ db, filter }) =>
    chunksById((after, limit) => readMembers(db, memberQuery(db, filter).where('m.id', '>', after), { limit, offset: 0 })),
});

export const listMembers = query(queryMemberList, async ({ pageNo, pageSize, ...filter }, ctx) => {
  const matching = memberQuery(ctx.db, filter);
  return {
    rows: await readMembers(ctx.db, matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
    total: await totalUpTo(own(ctx.db), matching),
  };
});
