import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { startOfDay } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { exportAssistantList, queryAssistantList, type AssistantRow } from '../../contract/calls/assistants.ts';
import { weekdayOf } from '../../contract/rules/duty.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { own } from '../database.ts';
import { mobileHashOf } from '../doctors/entry/person.ts';
import { seesAssistant } from './access.ts';

/** Basis points of the load, rounded down: 9999 is not full. */
const loadBp = sql<number>`(a.active_count::bigint * 10000 / a.capacity)::int`;
const bound = (role: string) =>
  sql<number>`(select count(*)::int from doctor_assistant_bind b where b.assistant_id = a.id and b.ended_at is null and b.role = ${role})`;

/** Assistants with what they have to do today; the busiest of those on duty first. */
export const assistantList = (secrets: Secrets) =>
  listOf(queryAssistantList)
    .from(({ db, staff }) => own(db).selectFrom('doctorAssistant as a').where(seesAssistant(staff)))
    .with({
      where: {
        id: 'a.id',
        name: (eb, name) => eb('a.name', 'like', containsPattern(name)),
        mobile: (eb, mobile) => eb('a.mobileHash', '=', mobileHashOf(secrets, mobile)),
        groupName: (eb, groupName) => eb('a.groupName', 'like', containsPattern(groupName)),
        state: 'a.state',
        diseaseId: (_eb, diseaseId) => sql<boolean>`a.disease_ids @> array[${diseaseId}::bigint]`,
        loadMin: (eb, least) => eb(loadBp, '>=', least),
        loadMax: (eb, most) => eb(loadBp, '<=', most),
      },
      order: [
        [sql`array_position(array['ON_DUTY', 'OFF_DUTY', 'LEAVE', 'DISABLED'], a.state)`, 'asc'],
        [loadBp, 'desc'],
        // Of equal load the one who came first.
        ['a.id', 'asc'],
      ],
      id: 'a.id',
      sorts: {
        assistantNo: 'a.assistantNo',
        capacity: 'a.capacity',
        activeCount: 'a.activeCount',
        loadBp: loadBp,
        primaryCount: sql.ref('primaryCount'),
        backupCount: sql.ref('backupCount'),
        newToday: sql.ref('newToday'),
        firstReplySec: sql.ref('firstReplySec'),
      },
      bounded: 'assistants are a few hundred',
      select: (query, { today }) =>
        query
          .leftJoin('doctorAssistant as l', 'l.id', 'a.leaderId')
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
            sql<number>`(
              select count(*)::int
                from doctor_assistant_load w
                where w.assistant_id = a.id and w.taken_at >= ${startOfDay(today)}::timestamptz
            )`.as('newToday'),
            sql<number | null>`(
              select percentile_disc(0.5) within group (order by w.first_reply_sec)
                from doctor_assistant_load w
                where w.assistant_id = a.id
                  and w.first_reply_sec is not null
                  and w.taken_at >= ${startOfDay(today)}::timestamptz - interval '30 days'
            )`.as('firstReplySec'),
          ])
          .$castTo<Omit<AssistantRow, 'dutyToday'>>(),
      present: (rows, { today }) =>
        rows.map((row) => ({ ...row, dutyToday: row.dutyWeek.filter(({ weekday }) => weekday === weekdayOf(today)) })),
    });

/** Mobiles leave in full only in a plain export; the cell masks them otherwise. */
export const assistantExport = (secrets: Secrets, list: ReturnType<typeof assistantList>) =>
  listExport(list, {
    call: exportAssistantList,
    title: '医助管理',
    routeKey: 'helpDoctorManage',
    columns: [
      'assistantNo',
      'name',
      {
        key: 'mobile',
        label: '手机号',
        width: 14,
        sensitive: 'mobile',
        value: (row: AssistantRow & { fullMobile: string }) => row.fullMobile,
      },
      'groupName',
      'leaderName',
      'state',
      'leaveUntil',
      'dutyToday',
      'primaryCount',
      'backupCount',
      'activeCount',
      'capacity',
      'loadBp',
      'newToday',
      'firstReplySec',
    ],
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
      const ciphers = new Map(stored.map(({ id, mobileCipher }) => [id, mobileCipher]));
      return rows.map((row) => ({ ...row, fullMobile: secrets.decrypt(ciphers.get(row.id)!) }));
    },
  });

/** Numbers on top of the page, within the scope. */
export async function assistantSummary(db: Db, viewer: Viewer, doctorsSeen: RawBuilder<SqlBool>) {
  const { rows } = await sql<{ onDuty: number; averageBp: number; overloaded: number; withoutAssistant: number }>`
    select count(*) filter (where a.state = 'ON_DUTY')::int as on_duty,
        coalesce(
          sum(a.active_count) filter (where a.state <> 'DISABLED') * 10000 / nullif(
            sum(a.capacity) filter (where a.state <> 'DISABLED'), 0
          ),
          0
        )::int as average_bp,
        count(*) filter (where a.state <> 'DISABLED' and a.active_count >= a.capacity)::int as overloaded,
        (
          select count(*)::int
            from doctor_doctor d
            where d.practice_ok
              and ${doctorsSeen}
              and not exists (select from doctor_assistant_bind b where b.doctor_id = d.id and b.role = 'PRIMARY' and b.ended_at is null)
        ) as without_assistant
      from doctor_assistant a
      where ${seesAssistant(viewer)}`.execute(db);
  return rows[0]!;
}
