import { sql, type SqlBool } from 'kysely';
import { dayOf, type Instant } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportLiveCodeList, queryLiveCodeList, type LiveCodeRow } from '../../contract/calls/liveCodes.ts';
import { strategies } from '../../contract/dictionaries.ts';
import { liveCodeStates } from '../../contract/states.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { linkOf } from '../codes/target.ts';
import { like, own } from '../database.ts';
import { isAvailable, type LiveCandidate } from './choose.ts';
import { tagNames } from './tags.ts';

const liveCodes = (db: Db, viewer: Viewer) =>
  own(db)
    .selectFrom('channelLiveCode as l')
    .innerJoin('channelChannel as c', 'c.id', 'l.channelId')
    .innerJoin('channelQrCode as q', 'q.id', 'l.codeId')
    .innerJoin('channelWecomCorp as k', 'k.id', 'l.corpRowId')
    .where(seesChannel(viewer));

type Member = LiveCandidate & { name: string; wayError: string | null };

/** With their members and what each showed and won today. */
const selected = (rows: ReturnType<typeof liveCodes>, now: Instant) =>
  rows
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
    );
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;

function present(kernel: Pick<Kernel, 'config'>, { members, ...row }: Selected, now: Instant): LiveCodeRow {
  const shown = members.map(({ lastShownAt: _last, ...member }) => ({
    ...member,
    spans: [...member.spans],
    availableNow: isAvailable({ ...member, lastShownAt: null }, now),
  }));
  const failed = shown.filter(({ wayError }) => wayError !== null);
  return {
    ...row,
    tagIds: row.tagIds.map(String),
    strategy: row.strategy as LiveCodeRow['strategy'],
    state: row.state as LiveCodeRow['state'],
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
}

/** @param kernel says under which address codes are reached */
export const liveCodeList = (kernel: Pick<Kernel, 'config'>) =>
  listOf(queryLiveCodeList)
    .from(({ db, staff }) => liveCodes(db, staff))
    .with({
      where: {
        liveCodeNo: (eb, text) => eb('l.liveCodeNo', 'like', like(text.toUpperCase())),
        name: (eb, text) => eb('l.name', 'like', like(text)),
        corpRowId: 'l.corpRowId',
        channelId: 'l.channelId',
        memberId: (_eb, memberId) =>
          sql<SqlBool>`exists (select from channel_live_code_member m where m.live_code_id = l.id and m.member_id = ${memberId} and not m.removed)`,
        state: 'l.state',
      },
      absent: { state: (eb) => eb('l.state', '<>', 'DELETED') },
      id: 'l.id',
      select: (query, { now }) => selected(query, now),
      present: (rows, { now }) => rows.map((row) => present(kernel, row, now)),
    });

const columns: readonly ExportColumn<LiveCodeRow>[] = [
  { key: 'liveCodeNo', label: '编号', value: (row) => row.liveCodeNo },
  { key: 'name', label: '名称', width: 30, value: (row) => row.name },
  { key: 'link', label: '地址', width: 40, value: (row) => row.link },
  { key: 'corpName', label: '企业', value: (row) => row.corpName },
  { key: 'channelName', label: '渠道', width: 30, value: (row) => row.channelName },
  { key: 'strategy', label: '策略', dictionary: strategies, value: (row) => row.strategy },
  {
    key: 'members',
    label: '成员',
    width: 40,
    value: (row) => row.members.map((member) => `${member.name}${member.isBackup ? '（备用）' : ''}`).join('、'),
  },
  { key: 'tags', label: '标签', value: (row) => row.tags.join('、') },
  { key: 'pv', label: '扫码次数', kind: 'int', value: (row) => row.pv },
  { key: 'state', label: '状态', dictionary: liveCodeStates.dictionary, value: (row) => row.state },
];

export const liveCodeExport = (kernel: Pick<Kernel, 'config'>) =>
  listExport(liveCodeList(kernel), { call: exportLiveCodeList, title: '活码', routeKey: 'weChatWorkManagement', columns });
