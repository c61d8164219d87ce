import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { EXACT_COUNT_LIMIT } from '#kernel/contract/envelope.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { offsetOf } from '#kernel/server/http/paging.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { queryGroupIdsByDoctorInfo, queryImMedicalGroupPage } from '../../contract/calls/groups.ts';
import { queryQueue } from '../../contract/calls/queue.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { patientAccountsByMobile } from '../partners.ts';
import { meOf } from '../people/me.ts';
import { inPool, isMember } from '../people/pool.ts';
import { countsOf, type AssistantCounts } from '../queue/counts.ts';
import { listColumns, listRow, listTables, orders, overdue, visibleTo } from './listRows.ts';

type Filters = CheckedInputOf<typeof queryImMedicalGroupPage>;
type Conditions = RawBuilder<SqlBool>[];
function conditionsOf(filters: Filters, now: string, accounts: readonly string[] | null): Conditions {
  const conditions: Conditions = [];
  const when = (given: unknown, condition: RawBuilder<SqlBool>) =>
    void (given !== undefined && given !== null && conditions.push(condition));
  when(filters.groupName, sql`g.name ilike ${containsPattern(filters.groupName ?? '')}`);
  when(filters.doctorName, sql`d.nick ilike ${containsPattern(filters.doctorName ?? '')}`);
  when(filters.suffererName, sql`p.nick ilike ${containsPattern(filters.suffererName ?? '')}`);
  when(accounts, sql`g.sufferer_operator_id = any(${[...(accounts ?? [])]}::bigint[])`);
  when(filters.kind, sql`g.kind = ${filters.kind}`);
  when(filters.workState, sql`g.work_state = any(${filters.workState ?? []}::text[])`);
  when(filters.serverStatus, sql`i.server_status = any(${filters.serverStatus ?? []}::text[])`);
  when(filters.ownerAssistantId, sql`g.owner_assistant_id = ${filters.ownerAssistantId}`);
  when(filters.deskId, sql`g.desk_id = ${filters.deskId}`);
  when(filters.tag, sql`${filters.tag} = any(g.tags)`);
  when(filters.groupIds, sql`g.group_id = any(${filters.groupIds ?? []}::text[])`);
  if (filters.onlyOverSla) conditions.push(overdue(now));
  return conditions;
}

const all = (conditions: Conditions) => (conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`);

const page = (kernel: Kernel): Handler =>
  // No `listOf`: a page asks for members, marks and the last message in the one statement that also counts.
  query(queryImMedicalGroupPage, async (input, ctx) => {
    const me = await meOf(ctx.db, ctx);
    const watcher = ctx.has(may['chat.watch']);
    const accounts = input.suffererMobile ? await patientAccountsByMobile(kernel, ctx.db, input.suffererMobile) : null;
    const where = all([
      visibleTo(me, watcher && !input.mine),
      ...(input.mine ? [isMember(me.imUserId)] : []),
      ...conditionsOf(input, ctx.now, accounts),
    ]);
    // One statement: the count of the whole and the page.
    const { rows } = await sql<Parameters<typeof listRow>[0] & { total: number }>`
    with total as (select count(*)::int as n from (select 1 from ${listTables} where ${where} limit ${EXACT_COUNT_LIMIT + 1}) x)
    select ${listColumns(me)}, (select n from total) as total from ${listTables} where ${where}
     order by ${orders[input.orderBy ?? 'lastMessage']} limit ${input.pageSize} offset ${offsetOf(input)}`.execute(ctx.db);
    return { rows: rows.map(({ total: _, ...row }) => listRow(row, watcher)), total: rows[0]?.total ?? 0 };
  });

const MOST_IDS = 999;
const byDoctor: Handler = query(queryGroupIdsByDoctorInfo, async (input, ctx) => {
  const me = await meOf(ctx.db, ctx);
  const { rows } = await sql<{ groupId: string }>`
    select g.group_id from consultation_medical_group g left join consultation_im_user d on d.im_user_id = 'D' || g.doctor_operator_id
      left join consultation_ref_copy r on r.kind = 'DOCTOR' and r.ref_id = g.doctor_id
     where g.kind = 'DOCTOR' and ${visibleTo(me, ctx.has(may['chat.watch']))}
       and (${input.doctorOperatorId ?? null}::bigint is null or g.doctor_operator_id = ${input.doctorOperatorId ?? null}::bigint)
       and (${input.doctorName ?? null}::text is null or d.nick ilike ${containsPattern(input.doctorName ?? '')})
       and (${input.hospitalName ?? null}::text is null or r.facts ->> 'hospitalName' ilike ${containsPattern(input.hospitalName ?? '')})
     order by g.created_at desc, g.group_id desc limit ${MOST_IDS}`.execute(ctx.db);
  return { groupIds: rows.map(({ groupId }) => groupId) };
});

/** No `listOf`: its four orders, the urgency first, are computed from the clock, and counts of the assistant stand beside the rows. */
const noCounts: AssistantCounts = { operatorId: '0', mark: '', queued: 0, serving: 0, snoozed: 0, overSla: 0 };
const queue: Handler = query(queryQueue, async (input, ctx) => {
  const me = await meOf(ctx.db, ctx);
  const mine = inPool(me.assistantId);
  const wish = all([
    sql`g.work_state = 'QUEUED'`,
    mine,
    ...(input.deskId ? [sql<SqlBool>`g.desk_id = ${input.deskId}`] : []),
    ...(input.kind ? [sql<SqlBool>`g.kind = ${input.kind}`] : []),
  ]);
  const { rows } = await sql<Parameters<typeof listRow>[0]>`
    select ${listColumns(me)}
      from ${listTables}
      where ${wish}
      order by ${orders[input.orderBy ?? 'sla']} limit ${input.pageSize} offset ${offsetOf(input)}`.execute(ctx.db);
  const [{ operatorId: _, mark: __, ...counts } = noCounts] = await countsOf(ctx.db, [me.operatorId], ctx.now);
  return { counts, rows: rows.map((row) => listRow(row, ctx.has(may['chat.watch']))) };
});

export const groupLists = (kernel: Kernel): readonly Handler[] => [page(kernel), byDoctor, queue];
