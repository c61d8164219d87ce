import { sql, type SqlBool } from 'kysely';
import { dayOf } from '#kernel/contract/time.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportLiveCodeList, queryLiveCodeList } from '../../../contract/calls/liveCodes.ts';
import { seesChannel } from '../../access.ts';
import { linkOf } from '../../codes/target.ts';
import { holds, holdsNumber, own } from '../../database.ts';
import { isAvailable, type LiveCandidate } from './choose.ts';
import { tagNames } from '../contacts/tags.ts';

type Member = LiveCandidate & { name: string; wayError: string | null };

/** Live codes with their members and what each showed and won today. */
export const liveCodeList = (kernel: Pick<Kernel, 'config'>) =>
  listOf(queryLiveCodeList)
    .from(({ db, staff }) =>
      own(db)
        .selectFrom('channelLiveCode as l')
        .innerJoin('channelChannel as c', 'c.id', 'l.channelId')
        .innerJoin('channelQrCode as q', 'q.id', 'l.codeId')
        .innerJoin('channelWecomCorp as k', 'k.id', 'l.corpRowId')
        .where(seesChannel(staff)),
    )
    .with({
      where: {
        liveCodeNo: holdsNumber('l.liveCodeNo'),
        name: holds('l.name'),
        corpRowId: 'l.corpRowId',
        channelId: 'l.channelId',
        memberId: (_eb, id) =>
          sql<SqlBool>`
            exists (select from channel_live_code_member m where m.live_code_id = l.id and m.member_id = ${id} and not m.removed)`,
        state: 'l.state',
      },
      absent: { state: (eb) => eb('l.state', '<>', 'DELETED') },
      id: 'l.id',
      sorts: { liveCodeNo: 'l.liveCodeNo', pv: 'q.pv' },
      bounded: 'live codes are some hundreds that people make by hand',
      select: (query, { now }) =>
        query
          .select([
            'l.id',
            'l.liveCodeNo',
            'l.codeId',
            'q.token',
            'l.corpRowId',
            'k.name as corpName',
            'l.channelId',
            'c.name as channelName',
            'l.name',
            'l.strategy',
            'l.skipVerify',
            'l.welcome',
            'l.offHoursText',
            'l.tagIds',
            'l.state',
            'l.version',
            'q.pv',
            'l.createdAt',
          ])
          .select(tagNames('l').as('tags'))
          .select(
            sql<Member[]>`
              coalesce((
                select jsonb_agg(
                  jsonb_build_object(
                    'id', m.id::text, 'memberId', m.member_id::text, 'name', w.name, 'status', w.status, 'canContact', w.can_contact,
                    'weight', m.weight, 'dailyLimit', m.daily_limit, 'spans', m.spans, 'isBackup', m.is_backup, 'wayState', m.way_state,
                    'wayError', m.way_error, 'lastShownAt', null, 'shown', coalesce(d.shown, 0), 'added', coalesce(d.added, 0)
                  ) order by m.is_backup,
                  m.id
                )
                  from channel_live_code_member m
                  join channel_wecom_member w on w.id = m.member_id
                  left join channel_live_member_day d on d.live_code_member_id = m.id and d.day = ${dayOf(now)}::date
                  where m.live_code_id = l.id and not m.removed
              ), '[]')`.as('members'),
          ),
      present: (rows, { now }) =>
        rows.map(({ members, ...row }) => {
          const shown = members.map(({ lastShownAt: _last, ...member }) => ({
            ...member,
            spans: [...member.spans],
            availableNow: isAvailable({ ...member, lastShownAt: null }, now),
          }));
          const failed = shown.filter(({ wayError }) => wayError !== null);
          return {
            ...row,
            tagIds: row.tagIds.map(String),
            link: linkOf(kernel, row.token),
            members: shown,
            availableNow: row.state === 'ACTIVE' && shown.some((member) => member.availableNow),
            problem:
              failed.length > 0
                ? `${failed.length}名成员的联系方式未生效：${failed[0]!.wayError ?? ''}`
                : row.state === 'ERROR'
                  ? '没有可用的成员'
                  : null,
          };
        }),
    });

export const liveCodeExport = (kernel: Pick<Kernel, 'config'>) =>
  listExport(liveCodeList(kernel), {
    call: exportLiveCodeList,
    title: '活码',
    routeKey: 'weChatWorkManagement',
    columns: ['liveCodeNo', 'name', 'link', 'corpName', 'channelName', 'strategy', 'members', 'tags', 'pv', 'state'],
  });
