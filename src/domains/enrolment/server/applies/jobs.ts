import { sql } from 'kysely';
import { applySupplementRequested } from '#events/enrolment.ts';
import { scanFinished } from '#events/files.ts';
import { userDisabled, userLeft, workCalendarChanged } from '#events/identity.ts';
import { days, plusMs } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { own } from '../database.ts';
import { ENROL_APPLY, enrolReview } from '../review.ts';
import { advance } from './advance.ts';
import { dueAgain, stopped } from './clock.ts';
import { publishApply } from './events.ts';
import { applyRecords, ownerOf } from './records.ts';

const LATE = '补件期限已过，系统关闭';

/** Ends an application whose supplement did not come in time; one that was answered meanwhile goes on. */
export async function closeUnanswered({ secrets }: Pick<Kernel, 'secrets'>, acting: Acting, applyId: string): Promise<void> {
  const apply = await applyRecords.lock(acting.tx, applyRecords.everyone, applyId);
  const review = enrolReview(secrets);
  const open = (await review.supplements.of(acting.tx, ownerOf(apply))).find(({ state }) => state === 'OPEN');
  if (apply.state !== 'SUPPLEMENT' || !open || open.dueAt >= acting.now) return;
  await review.supplements.lapse(acting, ownerOf(apply));
  const row = await advance(acting, apply, 'timeoutClose', LATE, { applicantWording: LATE, preferUserId: null, ...stopped });
  await publishApply(acting, row, 'closed');
}

/** Hourly: what was asked for and not handed in within its days ends the application. */
export const closeUnansweredJob = job({
  name: 'enrolment.closeUnanswered',
  label: '关闭逾期未补件的入组申请',
  cron: '10 * * * *',
  async run(_data, ctx) {
    const late = await own(ctx.db)
      .selectFrom('enrolmentSupplement as s')
      .innerJoin('enrolmentApply as a', 'a.id', 's.ownerId')
      .select(['a.id', 'a.applyNo'])
      .where('s.ownerType', '=', ENROL_APPLY)
      .where('s.state', '=', 'OPEN')
      .where('s.dueAt', '<', ctx.now)
      .orderBy('a.id')
      .execute();
    const failures = isolateFailures(ctx);
    for (const { id, applyNo } of late)
      await failures.run(applyNo, () =>
        ctx.transaction(async (writing) => {
          await closeUnanswered(ctx.kernel, asSystem(writing, ctx), id);
        }),
      );
    failures.throwIfAny();
  },
});

const REMIND_BEFORE = [3, 1] as const;
/** Daily: who was asked for something is reminded three days and one day before the end, once each. */
export const remindSupplementJob = job({
  name: 'enrolment.remindSupplement',
  label: '提醒补件期限',
  cron: '0 9 * * *',
  async run(_data, ctx) {
    for (const before of REMIND_BEFORE) {
      const open = await own(ctx.db)
        .selectFrom('enrolmentSupplement as s')
        .innerJoin('enrolmentApply as a', 'a.id', 's.ownerId')
        .select(['s.id', 's.dueAt', 'a.id as applyId', 'a.applyNo', 'a.patientId', 'a.applicantWording'])
        .where('s.ownerType', '=', ENROL_APPLY)
        .where('s.state', '=', 'OPEN')
        .where('s.dueAt', '>', ctx.now)
        .where('s.dueAt', '<=', plusMs(ctx.now, days(before)))
        .where(sql<boolean>`not exists (
          select from enrolment_supplement_reminder r where r.supplement_id = s.id and r.days_before <= ${before})`)
        .orderBy('s.id')
        .execute();
      for (const { id, dueAt, applyId, applyNo, patientId, applicantWording } of open)
        await ctx.transaction(async ({ tx, publish }) => {
          const sent = await own(tx)
            .insertInto('enrolmentSupplementReminder')
            .values({ supplementId: id, daysBefore: before, sentAt: ctx.now })
            .onConflict((conflict) => conflict.columns(['supplementId', 'daysBefore']).doNothing())
            .returning('supplementId')
            .executeTakeFirst();
          if (sent && patientId !== null)
            await publish(applySupplementRequested, applyId, { applyId, applyNo, patientId, applicantWording, dueAt });
        });
    }
  },
});

/** Cases wait for nobody who does not come any more; a lease ends by its clock. */
const freeFor = (tx: Tx, userId: string) =>
  own(tx).updateTable('enrolmentApply').set({ preferUserId: null }).where('preferUserId', '=', userId).execute();

export const applyConsumers = [
  consumer('enrolment', userDisabled, async ({ payload }, { tx }) => void (await freeFor(tx, payload.userId))),
  consumer('enrolment', userLeft, async ({ payload }, { tx }) => void (await freeFor(tx, payload.userId))),
  consumer('enrolment', scanFinished, async ({ payload }, ctx) => enrolReview(ctx.kernel.secrets).duplicates.noteFile(ctx, payload)),
  /** Deadlines are reckoned anew when a day became one of rest, or of work. */
  consumer('enrolment', workCalendarChanged, async (_event, ctx) => {
    const waiting = await own(ctx.tx)
      .selectFrom('enrolmentApply')
      .selectAll()
      .where('state', 'in', ['PENDING', 'REVIEWING', 'RECHECK'])
      .where('slaStartedAt', 'is not', null)
      .orderBy('id')
      .forUpdate()
      .execute();
    for (const apply of waiting) {
      const slaDueAt = await dueAgain(ctx.tx, apply, ctx.now);
      if (slaDueAt !== apply.slaDueAt)
        await own(ctx.tx).updateTable('enrolmentApply').set({ slaDueAt, updatedAt: ctx.now }).where('id', '=', apply.id).execute();
    }
  }),
];
