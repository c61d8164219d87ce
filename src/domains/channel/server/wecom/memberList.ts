import { sql } from 'kysely';
import { type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { userBrief } from '../../../identity/server/index.ts';
import { exportMemberList, queryMemberList, type MemberRow } from '../../contract/calls/wecom.ts';
import { memberStatuses } from '../../contract/dictionaries.ts';
import { bindStates } from '../../contract/states.ts';
import { seesMember } from '../access.ts';
import { like, own } from '../database.ts';

export const memberList = listOf(queryMemberList)
  .from(({ db, staff }) =>
    own(db).selectFrom('channelWecomMember as m').innerJoin('channelWecomCorp as k', 'k.id', 'm.corpRowId').where(seesMember(staff)),
  )
  .with({
    where: {
      corpId: 'm.corpRowId',
      name: (eb, text) => eb('m.name', 'like', like(text)),
      bindState: 'm.bindState',
      status: (eb, status) => eb('m.status', 'in', status.map(Number)),
    },
    id: 'm.id',
    order: [['m.id', 'asc']],
    select: (query) =>
      query
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
          sql<number>`(select count(*)::int from channel_wecom_contact t where t.member_id = m.id and t.status = 'ACTIVE')`.as(
            'contactCount',
          ),
          sql<string | null>`(select r.name from channel_ref_copy r where r.kind = 'ASSISTANT' and r.ref_id = m.assistant_id)`.as(
            'assistantName',
          ),
        ]),
    async present(rows, { db }) {
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
        bindState: row.bindState as MemberRow['bindState'],
        staffName: names.get(row.staffUserId ?? '') ?? null,
      }));
    },
  });

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

export const memberExport = listExport(memberList, {
  call: exportMemberList,
  title: '企业微信成员',
  routeKey: 'weChatWorkManagement',
  columns,
});
