import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx, Writing } from '#kernel/server/context.ts';
import { onDutyAt, type DutySpan } from '../../contract/rules/duty.ts';
import { ownTx } from '../database.ts';
import { publishBind } from './events.ts';
import { notePlace } from './load.ts';
import { chooseFrom, type Candidate } from './rules/choice.ts';

export { onInquiryChanged, freePlace } from './load.ts';

type Acting = Pick<Writing, 'tx' | 'publish'> & { now: Instant };

interface CandidateRow extends Omit<Candidate, 'inDuty'> {
  role: 'PRIMARY' | 'BACKUP' | null;
  dutyWeek: DutySpan[];
}

/** Bound assistants, and those who share a disease with the doctor. */
async function candidatesOf(tx: Tx, doctorId: string, at: Instant) {
  const { rows } = await sql<CandidateRow>`
    select a.id, a.state, a.active_count, a.capacity, a.last_assigned_at, a.duty_week, b.role
    from doctor_assistant a left join doctor_assistant_bind b on b.assistant_id = a.id and b.doctor_id = ${doctorId} and b.ended_at is null
    where b.id is not null
      or (
        a.state = 'ON_DUTY'
        and a.active_count < a.capacity
        and a.disease_ids && (select d.disease_ids from doctor_doctor d where d.id = ${doctorId})
      )`.execute(tx);
  const all = rows.map(({ dutyWeek, ...row }) => ({ ...row, inDuty: onDutyAt(dutyWeek, at) }));
  return {
    primary: all.find(({ role }) => role === 'PRIMARY') ?? null,
    backups: all.filter(({ role }) => role === 'BACKUP'),
    sharers: all.filter(({ role }) => role === null),
  };
}

/** Those of these assistants whose week says that they work at this moment. */
export async function inDutyWeek(db: Db, assistantIds: readonly string[], at: Instant): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    id: string;
    dutyWeek: DutySpan[];
  }>`select id, duty_week from doctor_assistant where id = any(${[...assistantIds]}::bigint[])`.execute(db);
  return new Set(rows.filter(({ dutyWeek }) => onDutyAt(dutyWeek, at)).map(({ id }) => id));
}

/** Takes one place of an assistant; false when somebody else took the last one meanwhile. Of two at once the second waits for the first. */
async function takePlace(ctx: Acting, assistantId: string, overload: boolean): Promise<boolean> {
  const { rows } = await sql`
    update doctor_assistant set active_count = active_count + 1, last_assigned_at = ${ctx.now}, updated_at = ${ctx.now}
    where id = ${assistantId} and (${overload} or (state = 'ON_DUTY' and active_count < capacity)) returning id`.execute(ctx.tx);
  return rows.length > 0;
}

export interface Chosen {
  assistantId: string | null;
  /** Nobody had room; the primary assistant has it all the same. */
  overload: boolean;
}

/**
 * Who serves a paid order (R6). With `orderId` his place is taken in this transaction, so that two orders never overfill the last one;
 * without it nothing is written. Nobody: the doctor has no assistant, the caller tells the leader.
 */
export async function chooseAssistant(
  ctx: Acting,
  { doctorId, at, orderId }: { doctorId: string; at: Instant; orderId?: string },
): Promise<Chosen> {
  for (;;) {
    const choice = chooseFrom(await candidatesOf(ctx.tx, doctorId, at));
    if (choice.assistantId === null) return { assistantId: null, overload: false };
    const overload = choice.how === 'OVERLOAD';
    if (orderId === undefined) return { assistantId: choice.assistantId, overload };
    if (!(await takePlace(ctx, choice.assistantId, overload))) continue;
    await notePlace(ctx, { orderId, doctorId, assistantId: choice.assistantId });
    return { assistantId: choice.assistantId, overload };
  }
}

/** Ends all live binds of a doctor, or of one assistant. */
export async function endBinds(
  ctx: Acting,
  of: { doctorId: string } | { assistantId: string },
  reason: string,
  userId: string | null = null,
): Promise<number> {
  const ended = await ownTx(ctx.tx)
    .updateTable('doctorAssistantBind')
    .set({ endedAt: ctx.now, endedBy: userId, endReason: reason.slice(0, 200) })
    .where('endedAt', 'is', null)
    .$if('doctorId' in of, (query) => query.where('doctorId', '=', 'doctorId' in of ? of.doctorId : ''))
    .$if('assistantId' in of, (query) => query.where('assistantId', '=', 'assistantId' in of ? of.assistantId : ''))
    .returning(['doctorId', 'assistantId', 'role'])
    .execute();
  const assistants =
    ended.length === 0
      ? []
      : await ownTx(ctx.tx)
          .selectFrom('doctorAssistant')
          .select(['id', 'operatorId', 'userId'])
          .where(
            'id',
            'in',
            ended.map(({ assistantId }) => assistantId),
          )
          .execute();
  for (const { doctorId, assistantId, role } of ended) {
    await publishBind(ctx, 'unbound', { doctorId, assistant: assistants.find(({ id }) => id === assistantId)!, role });
  }
  return ended.length;
}

export const endBindsOf = async (ctx: Acting, doctorId: string, reason: string): Promise<void> =>
  void (await endBinds(ctx, { doctorId }, reason));

export interface BindBrief {
  doctorId: string;
  assistantId: string;
  assistantNo: string;
  operatorId: string;
  userId: string;
  name: string;
  state: string;
  role: 'PRIMARY' | 'BACKUP';
}

/** Live binds of doctors, primary first. */
export async function bindsOf(db: Db, doctorIds: readonly string[]): Promise<BindBrief[]> {
  if (doctorIds.length === 0) return [];
  const { rows } = await sql<BindBrief>`
    select b.doctor_id, b.assistant_id, a.assistant_no, a.operator_id, a.user_id, a.name, a.state, b.role
    from doctor_assistant_bind b join doctor_assistant a on a.id = b.assistant_id
    where b.ended_at is null and b.doctor_id = any(${[...doctorIds]}::bigint[]) order by b.doctor_id, b.role desc, b.started_at`.execute(
    db,
  );
  return rows;
}
