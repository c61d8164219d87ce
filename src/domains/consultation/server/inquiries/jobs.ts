import { minutes, plusMs } from '#kernel/contract/time.ts';
import { isolateFailures, type FailureIsolation } from '#kernel/server/jobs/isolateFailures.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import type { ServerStatus } from '../../contract/states.ts';
import { own, ownTx } from '../database.ts';
import { systemDeed, type Deed } from '../deed.ts';
import { sayJob, tip } from '../groups/say.ts';
import { advanceConsultOrder } from '../partners.ts';
import { endInquiry, giveUp, wasAnswered } from './close.ts';
import { lockInquiry, type LockedInquiry } from './rows.ts';

const BATCH = 200;
const REMIND_MIN = 30;

/** A job with what has failed of its work so far. */
type Working = JobContext & { failures: FailureIsolation };

/** Takes what is due one by one, each in a transaction of its own; who was faster is skipped, one that fails holds up no other. */
async function each(context: Working, ids: readonly string[], act: (ctx: Deed, locked: LockedInquiry) => Promise<unknown>): Promise<void> {
  for (const id of ids) {
    if (context.signal.aborted) return;
    await context.failures.run(`问诊${id}`, () =>
      context.transaction(async (writing) => {
        const ctx = systemDeed(writing, context);
        await act(ctx, await lockInquiry(ctx.tx, id));
      }),
    );
  }
}

const idsWhere = (
  context: JobContext,
  status: readonly ServerStatus[],
  column: 'acceptDueAt' | 'replyDueAt' | 'expireAt' | 'endConfirmDueAt',
) =>
  own(context.db)
    .selectFrom('consultationInquiry')
    .select('id')
    .where('serverStatus', 'in', [...status])
    .where(column, '<=', context.now)
    .orderBy(column)
    .limit(BATCH)
    .execute();

/** Past its time without an answer the money goes back; with one it ends. */
async function expire(ctx: Deed, locked: LockedInquiry): Promise<void> {
  const { inquiry } = locked;
  if (!['2', '3'].includes(inquiry.serverStatus)) return;
  const unconfirmed = inquiry.serverStatus === '3' && inquiry.endConfirmDueAt !== null && inquiry.endConfirmDueAt <= ctx.now;
  const over = inquiry.expireAt !== null && inquiry.expireAt <= ctx.now;
  if (!over && !unconfirmed) return;
  if (wasAnswered(inquiry)) await endInquiry(ctx, locked, 'autoEnd', unconfirmed && !over ? 'UNCONFIRMED' : 'TIMEOUT');
  else if (over) await giveUp(ctx, locked, 'replyTimeout');
}

/** Deadlines of inquiries. The jobs only wake up: every writer checks the deadline itself. */
export const deadlinesJob = job({
  name: 'consultation.deadlines',
  label: '问诊到期处理',
  everySeconds: 30,
  async run(_data, job) {
    const context = { ...job, failures: isolateFailures(job) };
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
    await each(context, ids(await idsWhere(context, ['1'], 'acceptDueAt')), async (ctx, locked) => {
      if (locked.inquiry.serverStatus === '1') await giveUp(ctx, locked, 'acceptTimeout');
    });
    await each(context, ids(await idsWhere(context, ['2'], 'replyDueAt')), async (ctx, locked) => {
      if (locked.inquiry.serverStatus === '2' && !wasAnswered(locked.inquiry)) await giveUp(ctx, locked, 'replyTimeout');
    });
    await each(context, ids(await idsWhere(context, ['2', '3'], 'expireAt')), expire);
    await each(context, ids(await idsWhere(context, ['3'], 'endConfirmDueAt')), expire);
    await settle(context);
    await remindSlots(context);
    context.failures.throwIfAny();
  },
});

/** Settles all that is due: what a stop of the product, or a clock that was moved, has left behind is no fault of the books. */
export async function settleDue(job: JobContext): Promise<void> {
  const context = { ...job, failures: isolateFailures(job) };
  await settle(context);
  context.failures.throwIfAny();
}

/** A day after the end, when it can no longer be reopened, the order completes and the income is the doctor's. */
async function settle(context: Working): Promise<void> {
  for (let after = '0'; !context.signal.aborted;) {
    const rows = await own(context.db)
      .selectFrom('consultationInquiry')
      .select('id')
      .where('serverStatus', '=', '4')
      .where('settledAt', 'is', null)
      .where('settleAt', '<=', context.now)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    await each(
      context,
      rows.map(({ id }) => id),
      async (ctx, { inquiry }) => {
        if (inquiry.serverStatus !== '4' || inquiry.settledAt !== null || inquiry.settleAt === null || inquiry.settleAt > ctx.now) return;
        await advanceConsultOrder(ctx, { orderId: inquiry.orderId, step: 'COMPLETE', usedReplies: inquiry.roundUsed });
        await ownTx(ctx.tx).updateTable('consultationInquiry').set({ settledAt: ctx.now }).where('id', '=', inquiry.id).execute();
      },
    );
  }
}

/** Half an hour before a booked call everybody in the group is told. */
async function remindSlots(context: Working): Promise<void> {
  const rows = await own(context.db)
    .selectFrom('consultationInquiry')
    .select('id')
    .where('serverStatus', 'in', ['1', '2'])
    .where('slotAt', 'is not', null)
    .where('slotRemindedAt', 'is', null)
    .where('slotAt', '<=', plusMs(context.now, minutes(REMIND_MIN)))
    .where('slotAt', '>', context.now)
    .limit(BATCH)
    .execute();
  await each(
    context,
    rows.map(({ id }) => id),
    async (ctx, { inquiry }) => {
      if (inquiry.slotRemindedAt !== null || inquiry.groupId === null) return;
      await ownTx(ctx.tx).updateTable('consultationInquiry').set({ slotRemindedAt: ctx.now }).where('id', '=', inquiry.id).execute();
      await ctx.enqueue(sayJob, tip(inquiry.groupId, `slot:${inquiry.id}`, '预约的通话将在30分钟内开始，请提前准备好网络与设备'));
    },
  );
}
