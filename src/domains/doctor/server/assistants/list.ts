import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { startOfDay, type Day } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import type { AssistantRow, queryAssistantList } from '../../contract/assistantCalls.ts';
import { weekdayOf, type DutySpan } from '../../contract/rules/duty.ts';
import type { Viewer } from '../access.ts';
import { like, own } from '../database.ts';
import { mobileHashOf } from '../doctors/person.ts';
import { seesAssistant } from './access.ts';

export type AssistantFilter = Omit<CheckedInputOf<typeof queryAssistantList>, 'pageNo' | 'pageSize'>;

/** Basis points of the load, rounded down: 9999 is not full. */
const loadBp = sql<number>`(a.active_count::bigint * 10000 / a.capacity)::int`;

/** Assistants of a filter, without columns and order. */
export function assistantQuery(secrets: Secrets, db: Db, viewer: Viewer, filter: AssistantFilter) {
  let query = own(db).selectFrom('doctorAssistant as a').where(seesAssistant(viewer));
  if (filter.id) query = query.where('a.id', '=', filter.id);
  if (filter.name) query = query.where('a.name', 'like', like(filter.name));
  if (filter.mobile) query = query.where('a.mobileHash', '=', mobileHashOf(secrets, filter.mobile));
  if (filter.groupName) query = query.where('a.groupName', 'like', like(filter.groupName));
  if (filter.state?.length) query = query.where('a.state', 'in', filter.state);
  if (filter.diseaseId) query = query.where(sql<boolean>`a.disease_ids @> array[${filter.diseaseId}::bigint]`);
  if (filter.loadMin !== undefined) query = query.where(loadBp, '>=', filter.loadMin);
  if (filter.loadMax !== undefined) query = query.where(loadBp, '<=', filter.loadMax);
  return query;
}

/** Assistants with what they have to do today; the busiest of those on duty first. */
export async function readAssistants(
  query: ReturnType<typeof assistantQuery>,
  today: Day,
  page: { limit: number; offset: number },
): Promise<AssistantRow[]> {
  const bound = (role: string) =>
    sql<number>`(select count(*)::int from doctor_assistant_bind b where b.assistant_id = a.id and b.ended_at is null and b.role = ${role})`;
  const rows = await query
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
      sql<number>`(select count(*)::int from doctor_assistant_load w where w.assistant_id = a.id and w.taken_at >= ${startOfDay(today)}::timestamptz)`.as(
        'newToday',
      ),
      sql<
        number | null
      >`(select percentile_disc(0.5) within group (order by w.first_reply_sec) from doctor_assistant_load w where w.assistant_id = a.id and w.first_reply_sec is not null and w.taken_at >= ${startOfDay(today)}::timestamptz - interval '30 days')`.as(
        'firstReplySec',
      ),
    ])
    .orderBy(sql`array_position(array['ON_DUTY', 'OFF_DUTY', 'LEAVE', 'DISABLED'], a.state)`)
    .orderBy(loadBp, 'desc')
    .orderBy('a.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => {
    const dutyWeek = row.dutyWeek as DutySpan[];
    return {
      ...row,
      dutyWeek,
      dutyToday: dutyWeek.filter(({ weekday }) => weekday === weekdayOf(today)),
    };
  });
}

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
