import { sql, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { dayOf, type Instant } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { LiveCodeRow, queryLiveCodeList } from '../../contract/calls/liveCodes.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { linkOf } from '../codes/target.ts';
import { like, own } from '../database.ts';
import { isAvailable, type LiveCandidate } from './choose.ts';
import { tagNames } from './tags.ts';

export type LiveFilter = Omit<CheckedInputOf<typeof queryLiveCodeList>, 'pageNo' | 'pageSize'>;

export function liveQuery(db: Db, viewer: Viewer, filter: LiveFilter) {
  let query = own(db)
    .selectFrom('channelLiveCode as l')
    .innerJoin('channelChannel as c', 'c.id', 'l.channelId')
    .innerJoin('channelQrCode as q', 'q.id', 'l.codeId')
    .innerJoin('channelWecomCorp as k', 'k.id', 'l.corpRowId')
    .where(seesChannel(viewer));
  if (filter.liveCodeNo) query = query.where('l.liveCodeNo', 'like', like(filter.liveCodeNo.toUpperCase()));
  if (filter.name) query = query.where('l.name', 'like', like(filter.name));
  if (filter.corpRowId) query = query.where('l.corpRowId', '=', filter.corpRowId);
  if (filter.channelId) query = query.where('l.channelId', '=', filter.channelId);
  if (filter.memberId)
    query = query.where(
      sql<SqlBool>`exists (select from channel_live_code_member m where m.live_code_id = l.id and m.member_id = ${filter.memberId} and not m.removed)`,
    );
  if (filter.state?.length) query = query.where('l.state', 'in', filter.state);
  else query = query.where('l.state', '<>', 'DELETED');
  return query;
}

/** Live codes with their members and what each showed and won today. */
export async function readLiveCodes(
  kernel: Pick<Kernel, 'config'>,
  query: ReturnType<typeof liveQuery>,
  now: Instant,
  page: { limit: number; offset: number },
): Promise<LiveCodeRow[]> {
  type Member = LiveCandidate & { name: string; wayError: string | null };
  const rows = await query
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
      sql<Member[]>`coalesce((
      select jsonb_agg(jsonb_build_object('id', m.id::text, 'memberId', m.member_id::text, 'name', w.name, 'status', w.status, 'canContact', w.can_contact, 'weight', m.weight, 'dailyLimit', m.daily_limit, 'spans', m.spans, 'isBackup', m.is_backup,
        'wayState', m.way_state, 'wayError', m.way_error, 'lastShownAt', null, 'shown', coalesce(d.shown, 0), 'added', coalesce(d.added, 0)) order by m.is_backup, m.id)
      from channel_live_code_member m join channel_wecom_member w on w.id = m.member_id left join channel_live_member_day d on d.live_code_member_id = m.id and d.day = ${dayOf(now)}::date
      where m.live_code_id = l.id and not m.removed), '[]')`.as('members'),
    )
    .orderBy('l.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map(({ members, ...row }) => {
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
  });
}
