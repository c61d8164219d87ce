import { platformErrors, Refusal, refuse } from '#kernel/contract/errors.ts';
import { minutes, days, plusMs } from '#kernel/contract/time.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { doneGroup, releaseGroup, snoozeGroup, takeoverGroup, transferGroup } from '../../contract/calls/queue.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { ownTx } from '../database.ts';
import { deedOf } from '../deed.ts';
import { addNote } from '../notes/addNote.ts';
import { lockGroup, type GroupRow } from '../inquiries/rows.ts';
import { meOf, type Me } from '../people/me.ts';
import { servingOf } from '../people/pool.ts';
import { movedOf } from './answer.ts';
import { noteBoard } from './board.ts';
import { giveTo, moveWork } from './owner.ts';
import { takeNext } from './take.ts';

const PASS_MIN = 10;
const SNOOZE_DAYS = 30;

interface Held {
  me: Me;
  group: GroupRow;
  lastSeq: number;
}

/** A group whose owner acts, or a supervisor in his place. @throws Refusal SCM90040 for others, SCM90030 on a stale version. */
async function held(ctx: CommandContext, input: { groupId: string; version: number }, may: 'owner' | 'supervisor'): Promise<Held> {
  const me = await meOf(ctx.tx, ctx);
  const { group, lastSeq } = await lockGroup(ctx.tx, input.groupId);
  const mine = group.ownerAssistantId === me.assistantId;
  if (!mine && !(may === 'supervisor' && me.supervisor)) throw refuse(platformErrors.NOT_FOUND);
  await requireVersion(ctx, 'consultation.medicalGroup', { id: group.groupId, version: group.version }, input.version, () =>
    movedOf(group),
  );
  return { me, group, lastSeq };
}

const transfer = (kernel: Kernel): Handler =>
  command(transferGroup, async (input, asked) => {
    const ctx = deedOf(kernel, asked);
    const { me, group, lastSeq } = await held(ctx, input, 'supervisor');
    const colleague = await ownTx(ctx.tx)
      .selectFrom('consultationAssistantDuty')
      .selectAll()
      .where('assistantId', '=', input.toAssistantId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!colleague) throw refuse(platformErrors.NOT_FOUND);
    if (colleague.state !== 'ON') throw refuse(errors.COLLEAGUE_OFF, { name: colleague.name });
    const forced = input.force && me.supervisor;
    if (!forced && (await servingOf(ctx.tx, colleague.assistantId)) >= colleague.maxConcurrent)
      throw refuse(errors.LOAD_FULL, { n: colleague.maxConcurrent });
    await noteBoard(ctx, group, 'TRANSFERRED', { from: group.ownerAssistantId, to: colleague.assistantId, reason: input.reason });
    const after = await giveTo(ctx, group, 'transfer', colleague.assistantId, { keepFormer: input.keepAsHelper, opinion: input.reason });
    await addNote(ctx, {
      groupId: group.groupId,
      afterSeq: lastSeq,
      content: `转接给${colleague.name}：${input.reason}`.slice(0, 1000),
      mentions: [colleague.assistantId],
      authorName: me.name,
    });
    return movedOf(after);
  });

const takeover = (kernel: Kernel): Handler =>
  command(takeoverGroup, async (input, asked) => {
    const ctx = deedOf(kernel, asked);
    const { me, group, lastSeq } = await held(ctx, input, 'supervisor');
    await noteBoard(ctx, group, 'TAKEN_OVER', { from: group.ownerAssistantId, to: me.assistantId, reason: input.reason });
    const after = await giveTo(ctx, group, 'takeover', me.assistantId, { opinion: input.reason });
    await addNote(ctx, {
      groupId: group.groupId,
      afterSeq: lastSeq,
      content: `接管会话：${input.reason}`.slice(0, 1000),
      mentions: [],
      authorName: me.name,
    });
    return movedOf(after);
  });

const release = (kernel: Kernel): Handler =>
  command(releaseGroup, async (input, asked) => {
    const ctx = deedOf(kernel, asked);
    const { me, group } = await held(ctx, input, 'owner');
    await noteBoard(ctx, group, 'RELEASED', { from: me.assistantId, reason: input.reason });
    const pass = { groupId: group.groupId, assistantId: me.assistantId, until: plusMs(ctx.now, minutes(PASS_MIN)) };
    await ownTx(ctx.tx)
      .insertInto('consultationQueuePass')
      .values(pass)
      .onConflict((conflict) => conflict.columns(['groupId', 'assistantId']).doUpdateSet({ until: pass.until }))
      .execute();
    return movedOf(await moveWork(ctx, group, 'release', {}, input.reason));
  });

const snooze = (kernel: Kernel): Handler =>
  command(snoozeGroup, async (input, asked) => {
    const ctx = deedOf(kernel, asked);
    const { group } = await held(ctx, input, 'owner');
    const until = new Date(input.until).toISOString();
    if (until <= ctx.now || until > plusMs(ctx.now, days(SNOOZE_DAYS))) throw refuse(errors.SNOOZE_RANGE);
    await noteBoard(ctx, group, 'SNOOZED', { from: group.ownerAssistantId });
    return movedOf(await moveWork(ctx, group, 'snooze', { snoozeUntil: until }));
  });

const done = (kernel: Kernel): Handler =>
  command(doneGroup, async (input, asked) => {
    const ctx = deedOf(kernel, asked);
    const { me, group } = await held(ctx, input, 'owner');
    if (group.unanswered > 0 && !input.reason) throw refuse(errors.UNANSWERED, { n: group.unanswered });
    await noteBoard(ctx, group, 'DONE', { from: me.assistantId, reason: input.reason });
    const after = await moveWork(ctx, group, 'done', { waitingSince: null, slaDueAt: null, unanswered: 0 }, input.reason);
    // Nothing more in the queue is no failure of what was done.
    const next = input.takeNext ? await takeNext(ctx, me).catch(noNext) : null;
    return movedOf(after, next?.groupId ?? null);
  });

const NO_NEXT: readonly string[] = [errors.QUEUE_EMPTY.code, errors.LOAD_FULL.code, errors.NOT_ON_DUTY.code];
const noNext = (error: unknown): null => {
  if (error instanceof Refusal && NO_NEXT.includes(error.code)) return null;
  throw error;
};

export const handOnHandlers = (kernel: Kernel): readonly Handler[] =>
  [transfer, takeover, release, snooze, done].map((make) => make(kernel));
