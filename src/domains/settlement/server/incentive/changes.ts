import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { addIncentiveBudget, auditIncentiveChange, modifyIncentiveIntroduction } from '../../contract/calls/incentive.ts';
import { programChangeKinds, type ProgramChangeKind } from '../../contract/dictionaries.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { programChangeMachine, programMachine } from '../../contract/programStates.ts';
import { programChangeRecords, programRecords, type ProgramChangeRecord, type ProgramRecord } from '../access.ts';
import { own } from '../database.ts';
import { enqueueWork, lockProgram } from './fund.ts';
import { commit } from './postings.ts';

type Answered = Pick<ProgramChangeRecord, 'id' | 'status' | 'version'>;
const answer = (ctx: CommandContext, row: Answered) => ({
  ...actionAnswer(ctx, programChangeMachine, { ...row, state: row.status }),
  state: row.status,
});

/** @throws Refusal SCM90031 for a programme that does not run */
function requireRunning(program: ProgramRecord): void {
  if (program.status !== 'ACTIVE' && program.status !== 'PAUSED')
    throw refuse(platformErrors.WRONG_STATE, { state: programMachine.states[program.status].label });
}

/** Something is asked for, and waits for a second person. @throws Refusal SCM19035 while one of its kind waits */
async function ask(
  ctx: CommandContext,
  { id, version, reason }: { id: string; version: number; reason: string },
  wish: { kind: Exclude<ProgramChangeKind, 'FACTS'>; amountFen?: string; introduction?: string },
) {
  const program = await programRecords.lockVersion(ctx, id, version);
  requireRunning(program);
  const open = await own(ctx.tx)
    .selectFrom('settlementProgramChange')
    .select('id')
    .where('programId', '=', id)
    .where('kind', '=', wish.kind)
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
  if (open) throw refuse(settlementErrors.CHANGE_PENDING, { what: programChangeKinds.label(wish.kind) });
  const row = await own(ctx.tx)
    .insertInto('settlementProgramChange')
    .values({ programId: id, ...wish, reason, makerId: ctx.staff.userId, makerName: ctx.staff.displayName, createdAt: ctx.now })
    .returning(['id', 'status', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: programChangeRecords.type, id: row.id, no: program.programNo });
  return answer(ctx, row);
}

export const addBudget = command(addIncentiveBudget, ({ amountFen, ...on }, ctx) =>
  ask(ctx, on, { kind: 'BUDGET', amountFen: String(amountFen) }),
);
export const changeIntroduction = command(modifyIncentiveIntroduction, ({ introduction, ...on }, ctx) =>
  ask(ctx, on, { kind: 'INTRO', introduction }),
);

/** What an application that was passed does; money moves last. */
async function perform(ctx: CommandContext, kernel: Kernel, program: ProgramRecord, change: ProgramChangeRecord): Promise<void> {
  if (change.kind === 'FACTS') {
    await own(ctx.tx).updateTable('settlementProgramFact').set({ state: 'NEW' }).where('changeId', '=', change.id).execute();
    return enqueueWork(ctx, program);
  }
  const isBudget = change.kind === 'BUDGET';
  await own(ctx.tx)
    .updateTable('settlementProgram')
    .set((eb) => ({
      ...(isBudget
        ? { budgetFen: eb('budgetFen', '+', change.amountFen!) }
        : { introduction: change.introduction!, introVersion: eb('introVersion', '+', 1) }),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', program.id)
    .execute();
  if (!isBudget) return;
  await enqueueWork(ctx, program);
  const { userId: id, displayName: name } = ctx.staff;
  await commit(ctx, kernel, program, { key: `change:${change.id}`, fen: BigInt(change.amountFen!) }, { id, name });
}

/** @throws Refusal SCM19001 for one's own; SCM90031 where the programme is over meanwhile */
export const auditChange = (kernel: Kernel) =>
  command(auditIncentiveChange, async ({ id, version, decision, opinion }, ctx) => {
    const { programId } = await programChangeRecords.get(ctx.tx, ctx.staff, id);
    const program = await lockProgram(ctx.tx, programId);
    const change = await programChangeRecords.lockVersion(ctx, id, version);
    const status = await moveState(ctx, programChangeMachine, {
      targetType: programChangeRecords.type,
      targetId: id,
      targetNo: program.programNo,
      action: decision,
      from: change.status,
      opinion,
      contributors: [change.makerId],
    });
    if (decision === 'approve' && change.kind !== 'FACTS') requireRunning(program);
    const row = await own(ctx.tx)
      .updateTable('settlementProgramChange')
      .set((eb) => ({
        status,
        opinion,
        checkerId: ctx.staff.userId,
        checkerName: ctx.staff.displayName,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .returning(['id', 'status', 'version'])
      .executeTakeFirstOrThrow();
    const answered = answer(ctx, row);
    if (decision === 'approve') await perform(ctx, kernel, program, change);
    else await own(ctx.tx).updateTable('settlementProgramFact').set({ state: 'REFUSED' }).where('changeId', '=', id).execute();
    return answered;
  });
