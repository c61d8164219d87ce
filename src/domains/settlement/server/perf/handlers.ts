import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach } from '#domains/files/server/index.ts';
import { addPerfChange, modifyPerfChange, submitPerfChange, withdrawPerfChange } from '../../contract/calls/perfChanges.ts';
import { perfChangeMachine } from '../../contract/perfStates.ts';
import { PERF_PROOF } from '../../contract/purposes.ts';
import { perfChangeRecords, type PerfChangeRecord } from '../access.ts';
import { own } from '../database.ts';
import { lockMonths, requireOpenDay } from './months.ts';
import {
  answerOf,
  closeItems,
  insertItems,
  keepImpact,
  keepNamed,
  moveChange,
  peopleOf,
  readItems,
  requireOwn,
  requireSound,
  wishesOf,
  type Facts,
} from './write.ts';

/** A draft that the system wrote is to be looked at by somebody. */
export const draftTodo = (id: string): string => `settlement:perfDraft:${id}`;

const attachPapers = (ctx: CommandContext, id: string, fileIds: readonly string[]) =>
  attach(
    ctx.tx,
    { fileIds, purpose: PERF_PROOF, ownerType: perfChangeRecords.type, ownerId: id, field: 'proof', userId: ctx.staff.userId },
    ctx.now,
  );
const columnsOf = ({ changeType, effectiveDate, reasonCode, reason, fileIds }: Facts) => ({
  changeType,
  effectiveDate,
  reasonCode,
  reason,
  fileIds,
});

/** A second person has it from here on; of each doctor and product line one request waits at a time. */
async function handIn(kernel: Kernel, ctx: CommandContext, change: PerfChangeRecord): Promise<PerfChangeRecord> {
  const row = await moveChange(ctx, change, 'submit', '', {
    submittedBy: ctx.staff.userId,
    makerId: change.makerId ?? ctx.staff.userId,
    makerName: ctx.staff.displayName,
    checkerId: null,
    checkerName: null,
  });
  await lockMonths(ctx.tx);
  await requireOpenDay(ctx.tx, change.effectiveDate);
  const wishes = await readItems(ctx.tx, change.id);
  await requireSound(ctx, change, wishes);
  await keepImpact(ctx.tx, change.id, wishes, change.effectiveDate);
  await own(ctx.tx).updateTable('settlementPerfItem').set({ isOpen: true }).where('requestId', '=', change.id).execute();
  await kernel.ports.notices.closeTodo(ctx.tx, draftTodo(change.id), ctx.now);
  return row;
}

export const add = (kernel: Kernel) =>
  command(addPerfChange, async (facts, ctx) => {
    const wishes = wishesOf(facts);
    await keepNamed(ctx.tx, wishes, ctx.now);
    const row = await own(ctx.tx)
      .insertInto('settlementPerfChange')
      .values({
        requestNo: await nextNumber(ctx.tx, 'PC', dayOf(ctx.now)),
        ...columnsOf(facts),
        ...peopleOf(wishes),
        makerId: ctx.staff.userId,
        makerName: ctx.staff.displayName,
        ...createdColumns(ctx),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await insertItems(ctx.tx, row.id, wishes);
    await keepImpact(ctx.tx, row.id, wishes, row.effectiveDate);
    await attachPapers(ctx, row.id, facts.fileIds);
    ctx.target({ type: perfChangeRecords.type, id: row.id, no: row.requestNo });
    return answerOf(ctx, facts.submit ? await handIn(kernel, ctx, row) : row);
  });

/** What waits or was decided is not changed any more. */
export const modify = (kernel: Kernel) =>
  command(modifyPerfChange, async ({ id, version, ...facts }, ctx) => {
    const change = await perfChangeRecords.lockVersion(ctx, id, version, async () => ({
      items: (await readItems(ctx.tx, id)).map(({ doctorId, productLineId, toAgentId }) => ({ doctorId, productLineId, toAgentId })),
    }));
    if (!perfChangeMachine.canStart('submit', change.status))
      throw refuse(platformErrors.WRONG_STATE, { state: perfChangeMachine.states[change.status].label });
    const wishes = wishesOf(facts);
    await keepNamed(ctx.tx, wishes, ctx.now);
    await own(ctx.tx).deleteFrom('settlementPerfItem').where('requestId', '=', id).execute();
    await insertItems(ctx.tx, id, wishes);
    await keepImpact(ctx.tx, id, wishes, facts.effectiveDate);
    await attachPapers(ctx, id, facts.fileIds);
    const row = await own(ctx.tx)
      .updateTable('settlementPerfChange')
      .set((eb) => ({
        ...columnsOf(facts),
        ...peopleOf(wishes),
        makerId: change.makerId ?? ctx.staff.userId,
        makerName: ctx.staff.displayName,
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    ctx.target({ type: perfChangeRecords.type, id, no: row.requestNo });
    return answerOf(ctx, facts.submit ? await handIn(kernel, ctx, row) : row);
  });

/** @throws Refusal SCM19061 to SCM19064, SCM19067 to SCM19069, SCM19071 */
export const submit = (kernel: Kernel) =>
  command(submitPerfChange, async ({ id, version }, ctx) =>
    answerOf(ctx, await handIn(kernel, ctx, await perfChangeRecords.lockVersion(ctx, id, version))),
  );

/** @throws Refusal SCM19070 for another person's */
export const withdraw = (kernel: Kernel) =>
  command(withdrawPerfChange, async ({ id, version }, ctx) => {
    const change = await perfChangeRecords.lockVersion(ctx, id, version);
    requireOwn(change, ctx.staff.userId);
    const row = await moveChange(ctx, change, 'withdraw');
    await closeItems(ctx.tx, id);
    await kernel.ports.notices.closeTodo(ctx.tx, draftTodo(id), ctx.now);
    return answerOf(ctx, row);
  });
