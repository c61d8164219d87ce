import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { abortDoctorPeriodClose, closeDoctorPeriod, startDoctorPeriodClose } from '../../contract/calls/taxes.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { periodMachine } from '../../contract/taxStates.ts';
import { periodRecords, type PeriodRecord } from '../access.ts';
import { own } from '../database.ts';

type Change = Partial<Omit<PeriodRecord, 'id' | 'version' | 'status' | 'period'>>;

async function movePeriod(
  ctx: CommandContext,
  row: PeriodRecord,
  action: keyof typeof periodMachine.transitions,
  opinion: string,
  change: Change,
) {
  const status = await moveState(ctx, periodMachine, {
    targetType: periodRecords.type,
    targetId: row.id,
    targetNo: row.period,
    action,
    from: row.status,
    opinion,
    contributors: [row.startedBy],
  });
  const moved = await own(ctx.tx)
    .updateTable('settlementPeriod')
    .set((eb) => ({ ...change, status, opinion: opinion || null, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...actionAnswer(ctx, periodMachine, { ...moved, state: moved.status }), state: moved.status };
}

/** @throws Refusal SCM19017 for a month that is not over, SCM19057 where a company has not declared what it withheld in it */
async function requireDeclared(ctx: CommandContext, period: string): Promise<void> {
  if (ctx.today.slice(0, 7) <= period) throw refuse(settlementErrors.MONTH_RUNNING, { month: period });
  const open = await own(ctx.tx)
    .selectFrom('settlementTaxMonth as m')
    .innerJoin('settlementPayer as p', 'p.id', 'm.payerEntityId')
    .select('p.entityName')
    .where('m.taxMonth', '=', period)
    .where('m.status', '<>', 'DECLARED')
    .orderBy('m.id')
    .executeTakeFirst();
  if (open) throw refuse(settlementErrors.TAX_UNDECLARED, { name: open.entityName, month: period });
}

export const start = (kernel: Kernel) =>
  command(startDoctorPeriodClose, async ({ period }, ctx) => {
    await requireDeclared(ctx, period);
    await own(ctx.tx)
      .insertInto('settlementPeriod')
      .values({ period, createdAt: ctx.now, updatedAt: ctx.now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = await own(ctx.tx)
      .selectFrom('settlementPeriod')
      .selectAll()
      .where('period', '=', period)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (!periodMachine.canStart('start', row.status))
      throw refuseField('period', `账期${period}${periodMachine.states[row.status].label}，不能再次开始结账`);
    const starter = { startedBy: ctx.staff.userId, startedByName: ctx.staff.displayName, startedAt: ctx.now };
    const answer = await movePeriod(ctx, row, 'start', '', starter);
    await ledgerOf(kernel).startClose(ctx, 'DOCTOR', period);
    return answer;
  });

/** @throws Refusal SCM19001 for whoever began it; SCM18032 where the book does not prove itself: what was found is kept */
export const close = (kernel: Kernel) =>
  command(closeDoctorPeriod, async ({ id, version, opinion }, ctx) => {
    const row = await periodRecords.lockVersion(ctx, id, version);
    if (row.startedBy === ctx.staff.userId) throw refuse(settlementErrors.OWN_DOCUMENT);
    await requireDeclared(ctx, row.period);
    const closer = { id: ctx.staff.userId, name: ctx.staff.displayName };
    // Findings of the proof stay although it is refused: nothing of the period is written before.
    if (periodMachine.canStart('close', row.status)) await ledgerOf(kernel).finishClose(ctx, 'DOCTOR', row.period, closer);
    return movePeriod(ctx, row, 'close', opinion, { closedBy: closer.id, closedByName: closer.name, closedAt: ctx.now });
  });

export const abort = (kernel: Kernel) =>
  command(abortDoctorPeriodClose, async ({ id, version, opinion }, ctx) => {
    const row = await periodRecords.lockVersion(ctx, id, version);
    const answer = await movePeriod(ctx, row, 'abort', opinion, { startedBy: null, startedByName: null, startedAt: null });
    await ledgerOf(kernel).abortClose(ctx, 'DOCTOR', row.period);
    return answer;
  });
