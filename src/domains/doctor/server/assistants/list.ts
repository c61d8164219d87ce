import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { startOfDay, type Day } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportAssistantList, queryAssistantList, type AssistantRow } from '../../contract/assistantCalls.ts';
import { assistantMachine } from '../../contract/staffStates.ts';
import { weekdayOf, type DutySpan } from '../../contract/rules/duty.ts';
import type { Viewer } from '../access.ts';
import { like, own } from '../database.ts';
import { mobileHashOf } from '../doctors/person.ts';
import { seesAssistant } from './access.ts';

/** Basis points of the load, rounded down: 9999 is not full. */
const loadBp = sql<number>`(a.active_count::bigint * 10000 / a.capacity)::int`;

const bound = (role: string) =>
  sql<number>`(select count(*)::int from doctor_assistant_bind b where b.assistant_id = a.id and b.ended_at is null and b.role = ${role})`;

const assistants = (db: Db, viewer: Viewer) =>
  own(db).selectFrom('doctorAssistant as a').leftJoin('doctorAssistant as l', 'l.id', 'a.leaderId').where(seesAssistant(viewer));

/** With what they have to do today. */
const selected = (rows: ReturnType<typeof assistants>, today: Day) =>
  rows
    .select([
      'a.id',
      'a.assistantNo',
      'a.operatorId',
      'a.userId',
      'a.name',
      'a.mobileMasked as mobile',
      'a.avatarFileId',
      'a.groupName',
      'a.leaderId',
      'l.name as leaderName',
      'a.capacity',
      'a.dutyWeek',
      'a.state',
      'a.leaveUntil',
      'a.activeCount',
      'a.version',
    ])
    .select([
      sql<string[]>`a.disease_ids::text[]`.as('diseaseIds'),
      loadBp.as('loadBp'),
      bound('PRIMARY').as('primaryCount'),
      bound('BACKUP').as('backupCount'),
      sql<number>`(select count(*)::int from doctor_assistant_load w where w.assistant_id = a.id and w.taken_at >= ${startOfDay(today)}::timestamptz)`.as(
        'newToday',
      ),
      sql<
        number | null
      >`(select percentile_disc(0.5) within group (order by w.first_reply_sec) from doctor_assistant_load w where w.assistant_id = a.id and w.first_reply_sec is not null and w.taken_at >= ${startOfDay(today)}::timestamptz - interval '30 days')`.as(
        'firstReplySec',
      ),
    ]);

/** The busiest of those on duty first. @param secrets a mobile is found by its hash */
export const assistantList = (secrets: Secrets) =>
  listOf(queryAssistantList)
    .from(({ db, staff }) => assistants(db, staff))
    .with({
      where: {
        id: 'a.id',
        name: (eb, name) => eb('a.name', 'like', like(name)),
        mobile: (eb, mobile) => eb('a.mobileHash', '=', mobileHashOf(secrets, mobile)),
        groupName: (eb, name) => eb('a.groupName', 'like', like(name)),
        state: 'a.state',
        diseaseId: (_eb, diseaseId) => sql<boolean>`a.disease_ids @> array[${diseaseId}::bigint]`,
        loadMin: (eb, least) => eb(loadBp, '>=', least),
        loadMax: (eb, most) => eb(loadBp, '<=', most),
      },
      id: 'a.id',
      order: [
        [sql`array_position(array['ON_DUTY', 'OFF_DUTY', 'LEAVE', 'DISABLED'], a.state)`, 'asc'],
        [loadBp, 'desc'],
        ['a.id', 'asc'],
      ],
      select: (query, { today }) => selected(query, today),
      present: (rows, { today }) =>
        rows.map((row) => {
          const dutyWeek = row.dutyWeek as DutySpan[];
          return {
            ...row,
            state: row.state as AssistantRow['state'],
            dutyWeek,
            dutyToday: dutyWeek.filter(({ weekday }) => weekday === weekdayOf(today)),
          };
        }),
    });

const columns: readonly ExportColumn<AssistantRow>[] = [
  { key: 'assistantNo', label: '医助编号', value: (row) => row.assistantNo },
  { key: 'name', label: '姓名', value: (row) => row.name },
  { key: 'mobile', label: '手机号', width: 14, sensitive: 'mobile', value: (row) => row.mobile },
  { key: 'groupName', label: '分组', value: (row) => row.groupName },
  { key: 'leaderName', label: '组长', value: (row) => row.leaderName },
  { key: 'state', label: '状态', dictionary: assistantMachine.dictionary, value: (row) => row.state },
  { key: 'leaveUntil', label: '请假至', kind: 'day', value: (row) => row.leaveUntil },
  { key: 'dutyToday', label: '今日值班', value: (row) => row.dutyToday.map(({ from, to }) => `${from}–${to}`).join('、') },
  { key: 'primaryCount', label: '主医助医生数', kind: 'int', value: (row) => row.primaryCount },
  { key: 'backupCount', label: '备岗医生数', kind: 'int', value: (row) => row.backupCount },
  { key: 'activeCount', label: '进行中', kind: 'int', value: (row) => row.activeCount },
  { key: 'capacity', label: '容量', kind: 'int', value: (row) => row.capacity },
  { key: 'loadBp', label: '负荷', kind: 'bp', value: (row) => row.loadBp },
  { key: 'newToday', label: '今日新增', kind: 'int', value: (row) => row.newToday },
  { key: 'firstReplySec', label: '首响中位数（秒）', kind: 'int', value: (row) => row.firstReplySec },
];

/** Mobiles leave in full only in a plain export; the cell masks them otherwise. */
export const assistantExport = (secrets: Secrets) =>
  listExport(assistantList(secrets), {
    call: exportAssistantList,
    title: '医助管理',
    routeKey: 'helpDoctorManage',
    columns,
    async widen(rows, { db }) {
      const stored = await own(db)
        .selectFrom('doctorAssistant')
        .select(['id', 'mobileCipher'])
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute();
      const mobiles = new Map(stored.map(({ id, mobileCipher }) => [id, secrets.decrypt(mobileCipher)]));
      return rows.map((row) => ({ ...row, mobile: mobiles.get(row.id) ?? row.mobile }));
    },
  });

/** Numbers on top of the page, within the scope. */
export async function assistantSummary(db: Db, viewer: Viewer, doctorsSeen: RawBuilder<SqlBool>) {
  const { rows } = await sql<{ onDuty: number; averageBp: number; overloaded: number; withoutAssistant: number }>`
    select count(*) filter (where a.state = 'ON_DUTY')::int as on_duty,
      coalesce(sum(a.active_count) filter (where a.state <> 'DISABLED') * 10000 / nullif(sum(a.capacity) filter (where a.state <> 'DISABLED'), 0), 0)::int as average_bp,
      count(*) filter (where a.state <> 'DISABLED' and a.active_count >= a.capacity)::int as overloaded,
      (select count(*)::int from doctor_doctor d where d.practice_ok and ${doctorsSeen}
        and not exists (select from doctor_assistant_bind b where b.doctor_id = d.id and b.role = 'PRIMARY' and b.ended_at is null)) as without_assistant
    from doctor_assistant a where ${seesAssistant(viewer)}`.execute(db);
  return rows[0]!;
}
