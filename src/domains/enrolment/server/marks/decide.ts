import { refuse } from '#kernel/contract/errors.ts';
import { dayOf, plusDays, type Day } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { command } from '#kernel/server/handler.ts';
import type { JobContext, JobDeclaration } from '#kernel/server/kernel.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { specialUserChanged } from '#events/enrolment.ts';
import { auditSpecialUser } from '../../contract/calls/marks.ts';
import { enrolmentErrors } from '../../contract/errors.ts';
import { markMachine } from '../../contract/markStates.ts';
import { own } from '../database.ts';
import { markRecords, type MarkRecord } from './access.ts';
import { lockPersons, requireFreeDays } from './overlap.ts';
import { nameOf } from './write.ts';

type Change = Partial<Pick<MarkRecord, 'state' | 'endDate' | 'opinion' | 'checkerId' | 'checkerName'>>;

const writeMark = (ctx: Acting, id: string, change: Change) =>
  own(ctx.tx)
    .updateTable('enrolmentSpecialUser')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .returning(['id', 'state', 'version'])
    .executeTakeFirstOrThrow();

const publishMark = (ctx: Acting, mark: MarkRecord, to: Day) =>
  ctx.publish(specialUserChanged, mark.id, {
    personKey: mark.personKey,
    markType: mark.markType,
    productIds: mark.productIds,
    from: mark.startDate,
    to,
  });

/** The mark in force ends the day before the one that follows it begins; one that has no day left before today is over. */
async function endBefore(ctx: Acting, followed: MarkRecord, startDate: Day): Promise<void> {
  const system: Acting = asSystem(ctx, ctx);
  const lastDay = plusDays(startDate, -1);
  const endDate = lastDay < followed.endDate ? lastDay : followed.endDate;
  const state = await moveState(system, markMachine, {
    targetType: markRecords.type,
    targetId: followed.id,
    targetNo: nameOf(followed),
    action: endDate < dayOf(ctx.now) ? 'expire' : 'shorten',
    from: followed.state,
    differences: [{ path: 'endDate', label: '结束日期', before: followed.endDate, after: endDate }],
  });
  await writeMark(ctx, followed.id, { state, endDate });
  await publishMark(ctx, followed, endDate);
}

/** @throws Refusal SCM14070 where another mark came to hold on these days, SCM14073 where they are over */
async function requirePassable(ctx: Acting, mark: MarkRecord, followed: MarkRecord | null): Promise<void> {
  if (mark.endDate < dayOf(ctx.now)) throw refuse(enrolmentErrors.MARK_ENDED, { message: '标记的有效期已过，不能同意，请驳回' });
  await requireFreeDays(ctx.tx, mark, mark, [mark.id, ...(followed ? [followed.id] : [])]);
}

export type MarkDecision = 'approve' | 'reject' | 'revoke';

/** A decision about a locked mark. @throws Refusal SCM14072 for whoever made or changed it */
export async function decideMark(
  ctx: Acting,
  mark: MarkRecord,
  action: MarkDecision,
  opinion: string,
  by: { userId: string; displayName: string },
) {
  const state = await moveState(ctx, markMachine, {
    targetType: markRecords.type,
    targetId: mark.id,
    targetNo: nameOf(mark),
    action,
    from: mark.state,
    opinion,
    contributors: [mark.makerId],
  });
  if (action === 'approve') {
    // records before keys, as an edit takes them
    const followed = mark.replacesId === null ? null : await markRecords.lock(ctx.tx, markRecords.everyone, mark.replacesId);
    await lockPersons(ctx.tx, [mark]);
    await requirePassable(ctx, mark, followed);
    if (followed?.state === 'EFFECTIVE') await endBefore(ctx, followed, mark.startDate);
  }
  const row = await writeMark(ctx, mark.id, {
    state,
    opinion: opinion === '' ? null : opinion,
    checkerId: by.userId,
    checkerName: by.displayName,
  });
  if (action === 'approve') await publishMark(ctx, mark, mark.endDate);
  if (action === 'revoke') await publishMark(ctx, mark, plusDays(dayOf(ctx.now), -1));
  return row;
}

export const audit = command(auditSpecialUser, async ({ id, version, action, opinion }, ctx) => {
  const mark = await markRecords.lockVersion(ctx, id, version);
  return actionAnswer(ctx, markMachine, await decideMark(ctx, mark, action, opinion, ctx.staff));
});

/** The mark's last day is over. */
export async function expireMark(ctx: Acting, mark: MarkRecord): Promise<void> {
  const state = await moveState(ctx, markMachine, {
    targetType: markRecords.type,
    targetId: mark.id,
    targetNo: nameOf(mark),
    action: 'expire',
    from: mark.state,
  });
  await writeMark(ctx, mark.id, { state });
}

/** Marks whose last day is over, one by one. */
async function expireMarks(ctx: JobContext): Promise<void> {
  const failures = isolateFailures(ctx);
  const over = await own(ctx.db)
    .selectFrom('enrolmentSpecialUser')
    .select(['id', 'name'])
    .where('state', '=', 'EFFECTIVE')
    .where('endDate', '<', dayOf(ctx.now))
    .orderBy('id')
    .execute();
  for (const { id, name } of over)
    await failures.run(name, async () => {
      await ctx.transaction(async (writing) => {
        const acting = asSystem(writing, ctx);
        const mark = await markRecords.lock(writing.tx, markRecords.everyone, id);
        if (mark.state !== 'EFFECTIVE' || mark.endDate >= dayOf(ctx.now)) return;
        await expireMark(acting, mark);
      });
    });
  failures.throwIfAny();
}

export const expireMarksJob: JobDeclaration = {
  name: 'enrolment.expireSpecialUsers',
  label: '特殊用户标记到期',
  cron: '5 0 * * *',
  run: (_data, ctx) => expireMarks(ctx),
};
