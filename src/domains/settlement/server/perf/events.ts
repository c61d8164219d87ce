import { attributionChanged } from '#events/doctor.ts';
import { agentChanged, agentHandedOver } from '#events/pharma.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import type { Consumer, JobContext, JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { perfChangeRecords } from '../access.ts';
import { own } from '../database.ts';
import { attributeRequest } from './attribution.ts';
import { attributeJob, publishChanges } from './decide.ts';
import { draftAttribution, draftHandover } from './drafts.ts';
import { firstDayOf, lastLocked, lockMonths, monthAfter } from './months.ts';
import { moveChange, readItems } from './write.ts';

export const perfConsumers = (kernel: Kernel): Consumer[] => [
  consumer('settlement', agentChanged, async ({ payload }, ctx) => {
    await own(ctx.tx)
      .updateTable('settlementAgent')
      .set({ agentNo: payload.agentNo, name: payload.name, state: payload.state, updatedAt: ctx.now })
      .where('agentId', '=', payload.agentId)
      .execute();
  }),
  consumer('settlement', agentHandedOver, ({ payload }, ctx) => draftHandover(kernel, ctx, payload)),
  consumer('settlement', attributionChanged, async ({ payload, seq }, ctx) => {
    if (payload.subjectType !== 'DOCTOR' || payload.agentId === null) return;
    await draftAttribution(kernel, ctx, {
      doctorId: payload.subjectId,
      agentId: payload.agentId,
      effectiveOn: payload.effectiveOn,
      seq: String(seq),
    });
  }),
];

/** Incomes follow the relations, some hundreds at a time; what is in a locked month stays. */
async function attribute(ctx: JobContext, requestId: string): Promise<void> {
  for (let more = true; more && !ctx.signal.aborted;)
    more = await ctx.transaction(async ({ tx }) => {
      await lockMonths(tx);
      const { effectiveDate } = await perfChangeRecords.get(tx, perfChangeRecords.everyone, requestId);
      const locked = await lastLocked(tx);
      const open = locked === null ? effectiveDate : firstDayOf(monthAfter(locked));
      return attributeRequest(tx, ctx.now, requestId, effectiveDate > open ? effectiveDate : open);
    });
}

/** What was passed ahead becomes true on its day, request by request. */
async function takeEffect(ctx: JobContext): Promise<void> {
  const failures = isolateFailures(ctx);
  const due = await own(ctx.db)
    .selectFrom('settlementPerfChange')
    .select(['id', 'requestNo'])
    .where('status', '=', 'APPROVED')
    .where('effectiveDate', '<=', dayOf(ctx.now))
    .orderBy('id')
    .execute();
  for (const { id, requestNo } of due)
    await failures.run(requestNo, async () => {
      await ctx.transaction(async (writing) => {
        const acting = asSystem(writing, ctx);
        const change = await perfChangeRecords.lock(writing.tx, perfChangeRecords.everyone, id);
        if (change.status !== 'APPROVED') return;
        await moveChange(acting, change, 'takeEffect');
        await publishChanges(acting, await readItems(writing.tx, id), change.effectiveDate);
        await acting.enqueue(attributeJob, { requestId: id, requestNo });
      });
    });
  failures.throwIfAny();
}

export const perfJobs = (): JobDeclaration<never>[] => {
  const attributing: JobDeclaration<{ requestId: string; requestNo: string }> = {
    ...attributeJob,
    run: ({ requestId }, ctx) => attribute(ctx, requestId),
  };
  const effect: JobDeclaration = {
    name: 'settlement.perfTakeEffect',
    label: '绩效关系变更到期生效',
    cron: '5 0 * * *',
    run: (_data, ctx) => takeEffect(ctx),
  };
  return [attributing as JobDeclaration<never>, effect as JobDeclaration<never>];
};
