import { sql } from 'kysely';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { userBrief } from '../../../identity/server/index.ts';
import { exportMemberList, queryMemberList } from '../../contract/calls/wecom.ts';
import { seesMember } from '../access.ts';
import { holds, own } from '../database.ts';

export const memberList = listOf(queryMemberList)
  .from(({ db, staff }) =>
    own(db).selectFrom('channelWecomMember as m').innerJoin('channelWecomCorp as k', 'k.id', 'm.corpRowId').where(seesMember(staff)),
  )
  .with({
    where: { corpId: 'm.corpRowId', name: holds('m.name'), bindState: 'm.bindState', status: 'm.status' },
    id: 'm.id',
    sorts: { wecomUserId: 'm.wecomUserId', boundAt: 'm.boundAt' },
    bounded: 'members are employees: some thousands',
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
      const bound = await userBrief(
        db,
        rows.flatMap(({ staffUserId }) => staffUserId ?? []),
      );
      const names = new Map(bound.map(({ userId, displayName }) => [userId, displayName]));
      return rows.map((row) => ({
        ...row,
        staffName: names.get(row.staffUserId ?? '') ?? null,
      }));
    },
  });

export const memberExport = listExport(memberList, {
  call: exportMemberList,
  title: '企业微信成员',
  routeKey: 'weChatWorkManagement',
  columns: [
    'name',
    'wecomUserId',
    'corpName',
    'departmentNames',
    'mobile',
    'status',
    'canContact',
    'staffName',
    'assistantName',
    'bindState',
    'boundAt',
    'contactCount',
  ],
});
