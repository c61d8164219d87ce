import { sql } from 'kysely';
import { perfChanged } from '#events/settlement.ts';
import { refuse } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { command } from '#kernel/server/handler.ts';
import type { JobKind } from '#kernel/server/jobs/kind.ts';
import { auditPerfChange, revokePerfChange } from '../../contract/calls/perfChanges.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { perfChangeRecords, type PerfChangeRecord } from '../access.ts';
import { pairKey } from './attribution.ts';
import { lockHeads, standingOf, type Wish } from './keep.ts';
import { lockMonths, requireOpenDay } from './months.ts';
import { answerOf, closeItems, keepImpact, moveChange, readItems, requireSound } from './write.ts';

export const attributeJob: JobKind<{ requestId: string; requestNo: string }> = {
  name: 'settlement.attributeIncomes',
  label: '重新归属医生收入',
  retryLimit: 8,
  subject: ({ requestNo }) => requestNo,
};

/** Who keeps doctors elsewhere is told of each pair. */
export async function publishChanges(ctx: Acting, wishes: readonly Wish[], effectiveDate: Day): Promise<void> {
  await ctx.publishMany(
    perfChanged,
    wishes.map(({ doctorId, productLineId, fromAgentId, toAgentId }) => ({
      aggregateId: doctorId,
      payload: { doctorId, productLineId, fromAgentId, toAgentId, effectiveDate },
    })),
  );
}

/** Old relations end on the day, new ones begin on it. */
async function writeRelations(ctx: Acting, { id, effectiveDate }: PerfChangeRecord): Promise<void> {
  await sql`
    update settlement_perf_item i
      set old_relation_id = r.id, is_open = false
      from settlement_perf_relation r
      where i.request_id = ${id} and i.from_agent_id is not null and r.doctor_id = i.doctor_id and r.product_line_id = i.product_line_id
        and not r.revoked and r.end_date is null`.execute(ctx.tx);
  await sql`
    update settlement_perf_relation r
      set end_date = ${effectiveDate}, end_request_id = ${id}
      from settlement_perf_item i
      where i.request_id = ${id} and r.id = i.old_relation_id`.execute(ctx.tx);
  await sql`
    with made as (
      insert into settlement_perf_relation (agent_id, doctor_id, product_line_id, start_date, source_request_id)
        select i.to_agent_id, i.doctor_id, i.product_line_id, ${effectiveDate}::date, ${id}
          from settlement_perf_item i
          where i.request_id = ${id} and i.to_agent_id is not null
          order by i.id
        returning id, doctor_id, product_line_id
    )
    update settlement_perf_item i
      set new_relation_id = m.id
      from made m
      where i.request_id = ${id} and i.doctor_id = m.doctor_id and i.product_line_id = m.product_line_id`.execute(ctx.tx);
  await closeItems(ctx.tx, id);
}

/** What was passed is written; incomes of days that are over follow by a job. */
export async function carryOut(ctx: Acting, change: PerfChangeRecord): Promise<void> {
  await lockMonths(ctx.tx);
  await requireOpenDay(ctx.tx, change.effectiveDate);
  const wishes = await readItems(ctx.tx, change.id);
  await requireSound(ctx, change, wishes);
  await keepImpact(ctx.tx, change.id, wishes, change.effectiveDate);
  await writeRelations(ctx, change);
  if (change.status !== 'EFFECTIVE') return;
  await publishChanges(ctx, wishes, change.effectiveDate);
  await ctx.enqueue(attributeJob, { requestId: change.id, requestNo: change.requestNo });
}

/** @throws Refusal SCM19001 for one's own; what a submit is refused with, where that is so meanwhile */
export const audit = command(auditPerfChange, async ({ id, version, decision, opinion }, ctx) => {
  const change = await perfChangeRecords.lockVersion(ctx, id, version);
  const checker = { checkerId: ctx.staff.userId, checkerName: ctx.staff.displayName };
  if (decision === 'reject') {
    const row = await moveChange(ctx, change, 'reject', opinion, checker);
    await closeItems(ctx.tx, id);
    return answerOf(ctx, row);
  }
  const row = await moveChange(ctx, change, change.effectiveDate > ctx.today ? 'approveAhead' : 'approve', opinion, checker);
  await carryOut(ctx, row);
  return answerOf(ctx, row);
});

/** New relations go, old ones go on. @throws Refusal SCM19062, SCM19064 */
export async function takeBack(ctx: Acting, change: PerfChangeRecord, opinion: string): Promise<PerfChangeRecord> {
  const wasEffective = change.status === 'EFFECTIVE';
  const row = await moveChange(ctx, change, 'revoke', opinion);
  await lockMonths(ctx.tx);
  await requireOpenDay(ctx.tx, change.effectiveDate);
  await lockHeads(ctx.tx, change.id);
  const items = await readItems(ctx.tx, change.id);
  const standings = await standingOf(ctx.tx, items);
  for (const item of items) {
    const { relationId, endDate, sourceNo, endNo } = standings.get(pairKey(item))!;
    const isLast = relationId === (item.newRelationId ?? item.oldRelationId);
    if (!isLast) throw refuse(settlementErrors.LATER_CHANGE, { no: sourceNo ?? '' });
    if (endDate !== null && endNo !== change.requestNo) throw refuse(settlementErrors.LATER_CHANGE, { no: endNo ?? '' });
  }
  await sql`update settlement_perf_relation set revoked = true where source_request_id = ${change.id}`.execute(ctx.tx);
  await sql`
    update settlement_perf_relation set end_date = null, end_request_id = null where end_request_id = ${change.id} and not revoked
  `.execute(ctx.tx);
  if (!wasEffective) return row;
  await publishChanges(
    ctx,
    items.map((item) => ({ ...item, fromAgentId: item.toAgentId, toAgentId: item.fromAgentId })),
    change.effectiveDate,
  );
  await ctx.enqueue(attributeJob, { requestId: change.id, requestNo: change.requestNo });
  return row;
}

/** @throws Refusal SCM19001 for one's own; SCM19062, SCM19064 */
export const revoke = command(revokePerfChange, async ({ id, version, opinion }, ctx) =>
  answerOf(ctx, await takeBack(ctx, await perfChangeRecords.lockVersion(ctx, id, version), opinion)),
);
