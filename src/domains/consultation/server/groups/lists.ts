import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { EXACT_COUNT_LIMIT } from '../../../../kernel/contract/envelope.ts';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { offsetOf } from '../../../../kernel/server/http/paging.ts';
import { query, type Handler } from '../../../../kernel/server/handler.ts';
import { queryGroupIdsByDoctorInfo, queryGroupsOfPatient, queryImMedicalGroupPage } from '../../contract/calls/groups.ts';
import { queryQueue } from '../../contract/calls/queue.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import type { ServerStatus } from '../../contract/states.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { patientAccountsByMobile } from '../partners.ts';
import { meOf, meOrNull } from '../people/me.ts';
import { inPool, isMember } from '../people/pool.ts';
import { listColumns, listRow, listTables, orders, overdue, visibleTo } from './listRows.ts';

type Filters = CheckedInputOf<typeof queryImMedicalGroupPage>;
type Conditions = RawBuilder<SqlBool>[];
const like = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function conditionsOf(filters: Filters, now: string, accounts: readonly string[] | null): Conditions {
  const conditions: Conditions = [];
  const when = (given: unknown, condition: RawBuilder<SqlBool>) => void (given !== undefined && given !== null && conditions.push(condition));
  when(filters.groupName, sql`g.name ilike ${like(filters.groupName ?? '')}`);
  when(filters.doctorName, sql`d.nick ilike ${like(filters.doctorName ?? '')}`);
  when(filters.suffererName, sql`p.nick ilike ${like(filters.suffererName ?? '')}`);
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

const page = (kernel: Kernel): Handler => query(queryImMedicalGroupPage, async (input, ctx) => {
  const me = await meOf(ctx.db, ctx);
  const watcher = ctx.has(may['chat.watch']);
  const accounts = input.suffererMobile ? await patientAccountsByMobile(kernel, ctx.db, input.suffererMobile) : null;
  const where = all([visibleTo(me, watcher && !input.mine), ...(input.mine ? [isMember(me.imUserId)] : []), ...conditionsOf(input, ctx.now, accounts)]);
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
       and (${input.doctorName ?? null}::text is null or d.nick ilike ${like(input.doctorName ?? '')}) and (${input.hospitalName ?? null}::text is null or r.facts ->> 'hospitalName' ilike ${like(input.hospitalName ?? '')})
     order by g.created_at desc, g.group_id desc limit ${MOST_IDS}`.execute(ctx.db);
  return { groupIds: rows.map(({ groupId }) => groupId) };
});

const queue: Handler = query(queryQueue, async (input, ctx) => {
  const me = await meOf(ctx.db, ctx);
  const mine = inPool(me.assistantId);
  const wish = all([sql`g.work_state = 'QUEUED'`, mine, ...(input.deskId ? [sql<SqlBool>`g.desk_id = ${input.deskId}`] : []), ...(input.kind ? [sql<SqlBool>`g.kind = ${input.kind}`] : [])]);
  const { rows } = await sql<Parameters<typeof listRow>[0]>`
    select ${listColumns(me)} from ${listTables} where ${wish} order by ${orders[input.orderBy ?? 'sla']} limit ${input.pageSize} offset ${offsetOf(input)}`.execute(ctx.db);
  const counts = await sql<{ queued: number; serving: number; snoozed: number; overSla: number }>`
    select count(*) filter (where g.work_state = 'QUEUED' and ${mine})::int as queued, count(*) filter (where g.work_state = 'SERVING' and g.owner_assistant_id = ${me.assistantId})::int as serving,
      count(*) filter (where g.work_state = 'SNOOZED' and g.owner_assistant_id = ${me.assistantId})::int as snoozed, count(*) filter (where ${overdue(ctx.now)} and (g.owner_assistant_id = ${me.assistantId} or (g.work_state = 'QUEUED' and ${mine})))::int as over_sla
      from consultation_medical_group g where g.work_state <> 'DONE'`.execute(ctx.db);
  return { counts: counts.rows[0] ?? { queued: 0, serving: 0, snoozed: 0, overSla: 0 }, rows: rows.map((row) => listRow(row, ctx.has(may['chat.watch']))) };
});

interface OfPatient {
  groupId: string;
  groupName: string;
  kind: 'DOCTOR' | 'DESK';
  serverId: string | null;
  inquiryNo: string | null;
  serverStatus: ServerStatus | null;
  startSeq: string | null;
  lastMessageAt: string | null;
  canOpen: boolean;
}
/** All inquiries of a patient with the group in which each was held; whoever reads visit records sees them, others only their own. */
const ofPatient: Handler = query(queryGroupsOfPatient, async ({ patientId }, ctx) => {
  const me = ctx.has(may['chat.send']) ? await meOrNull(ctx.db, ctx) : null;
  const reads = ctx.has(may['visit.view']) || (ctx.has(may['chat.watch']) && me !== null);
  const member = me === null ? sql<SqlBool>`false` : isMember(me.imUserId);
  const { rows } = await sql<OfPatient>`
    select g.group_id, g.name as group_name, g.kind, i.id as server_id, i.inquiry_no, i.server_status, i.start_seq, g.last_message_at, (${member} or ${me !== null && ctx.has(may['chat.watch'])}) as can_open
      from consultation_medical_group g left join consultation_inquiry i on i.group_id = g.group_id and i.patient_id = ${patientId}
     where (i.id is not null or g.patient_id = ${patientId}) and (${reads} or ${member}) order by i.id desc nulls last, g.last_message_at desc nulls last limit 100`.execute(ctx.db);
  return rows;
});

export const groupLists = (kernel: Kernel): readonly Handler[] => [page(kernel), byDoctor, queue, ofPatient];
