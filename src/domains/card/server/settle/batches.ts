import { refuse } from '#kernel/contract/errors.ts';
import { refuseField } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { JobDeclaration } from '#kernel/server/kernel.ts';
import type { JobKind } from '#kernel/server/jobs/kind.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import {
  addSettlementBatch,
  auditSettlementBatch,
  previewSettlement,
  submitSettlementBatch,
  voidSettlementBatch,
} from '../../contract/calls/settlement.ts';
import { settlementChecks } from '../../contract/useDictionaries.ts';
import { cardErrors } from '../../contract/errors.ts';
import { settlementBatchMachine } from '../../contract/useStates.ts';
import { settlementBatchRecords, type SettlementBatchRecord } from '../access.ts';
import { json, own } from '../database.ts';
import { buildBatch, LINES_TAKEN } from './build.ts';
import { candidatesOf, excludedOf, planBills, totalOf, type SettlementScope } from './candidates.ts';
import { checksOf } from './checks.ts';
import { requireCarriesFree } from './differences.ts';

const numbers = (sums: { gross: bigint; reversal: bigint; fee: bigint; net: bigint }) => ({
  gross: Number(sums.gross),
  reversal: Number(sums.reversal),
  fee: Number(sums.fee),
  net: Number(sums.net),
});

interface Asked extends SettlementScope {
  periodFrom: string;
  periodTo: string;
}
/** @throws Refusal SCM90020 for a period that ends before it begins or a cutoff in the future */
function requirePeriod({ periodFrom, periodTo, cutoffAt }: Asked, now: string): void {
  if (periodTo < periodFrom) throw refuseField('periodTo', '期间止不能早于期间起');
  if (cutoffAt > now) throw refuseField('cutoffAt', '截止时间不能晚于当前时间');
  if (periodTo > dayOf(now)) throw refuseField('periodTo', '期间止不能晚于今天');
}

export const preview = query(previewSettlement, async (scope, ctx) => {
  requirePeriod(scope, ctx.now);
  const bills = planBills(await candidatesOf(ctx.db, scope));
  const total = totalOf(bills);
  return {
    bills: bills.map((bill) => ({
      counterpartyType: bill.counterpartyType,
      counterpartyId: bill.counterpartyId,
      counterpartyName: bill.counterpartyName,
      productCode: bill.productCode,
      lineCount: bill.lines.length + (bill.carry > 0n ? 1 : 0),
      ...numbers(bill.sums),
      adjust: Number(bill.sums.adjust),
    })),
    excluded: await excludedOf(ctx.db, scope),
    ...numbers(total),
    lineCount: total.lineCount,
    billCount: bills.length,
  };
});

const generateJob: JobKind<{ batchId: string }> = {
  name: 'card.generateSettlement',
  label: '生成结算批次',
  retryLimit: 5,
  subject: ({ batchId }) => batchId,
};
export const generateJobDeclaration: JobDeclaration<{ batchId: string }> = {
  ...generateJob,
  run: ({ batchId }, ctx) => ctx.transaction((writing) => buildBatch(writing, batchId, ctx.now)),
};

/** @throws Refusal SCM17052 while another batch of the same scope is not yet with its counterparties */
export const add = command(addSettlementBatch, async (scope, ctx) => {
  requirePeriod(scope, ctx.now);
  const open = await own(ctx.tx)
    .selectFrom('cardSettlementBatch')
    .select('batchNo')
    .where('direction', '=', scope.direction)
    .where('kind', '=', scope.kind)
    .where('bizLine', '=', scope.bizLine)
    .where('status', 'in', ['GENERATING', 'DRAFT', 'PENDING_AUDIT', 'REJECTED'])
    .executeTakeFirst();
  if (open) throw refuse(cardErrors.BATCH_OPEN, { no: open.batchNo });
  const row = await own(ctx.tx)
    .insertInto('cardSettlementBatch')
    .values({
      batchNo: await nextNumber(ctx.tx, 'SB', dayOf(ctx.now)),
      direction: scope.direction,
      kind: scope.kind,
      bizLine: scope.bizLine,
      periodFrom: scope.periodFrom,
      periodTo: scope.periodTo,
      cutoffAt: scope.cutoffAt,
      counterpartyIds: scope.counterpartyIds,
      checks: json([]),
      status: 'GENERATING',
      ...authorColumns(ctx),
      createdByName: ctx.staff.displayName,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'batchNo', 'status', 'version'])
    .executeTakeFirst();
  // Two at once: the unique index lets one through.
  if (!row) throw refuse(cardErrors.BATCH_OPEN, { no: '生成中' });
  await ctx.enqueue(generateJob, { batchId: row.id }, { singletonKey: `settlement:${row.id}` });
  ctx.target({ type: 'card.settlementBatch', id: row.id, no: row.batchNo });
  return { ...actionAnswer(ctx, settlementBatchMachine, { ...row, state: row.status }), state: row.status, batchNo: row.batchNo };
});

type Action = keyof typeof settlementBatchMachine.transitions;
async function move(ctx: CommandContext, batch: SettlementBatchRecord, action: Action, opinion: string, more: object = {}) {
  const status = await moveState(ctx, settlementBatchMachine, {
    targetType: 'card.settlementBatch',
    targetId: batch.id,
    targetNo: batch.batchNo,
    action,
    from: batch.status,
    opinion,
    contributors: [batch.createdBy, batch.submittedBy],
  });
  const row = await own(ctx.tx)
    .updateTable('cardSettlementBatch')
    .set((eb) => ({ status, version: eb('version', '+', 1), ...more }))
    .where('id', '=', batch.id)
    .returning(['id', 'batchNo', 'status', 'version'])
    .executeTakeFirstOrThrow();
  return { ...actionAnswer(ctx, settlementBatchMachine, { ...row, state: row.status }), state: row.status, batchNo: row.batchNo };
}

/** @throws Refusal SCM17050 while a check is not green */
export const submit = command(submitSettlementBatch, async ({ batchId, version }, ctx) => {
  const batch = await settlementBatchRecords.lockVersion(ctx, batchId, version);
  const checks = await checksOf(ctx.tx, batchId);
  const failed = checks.filter(({ ok }) => !ok);
  if (failed.length > 0)
    throw refuse(cardErrors.CHECKS_FAILED, { 项: failed.map(({ check }) => settlementChecks.label(check)).join('、') });
  return move(ctx, batch, 'submit', '', { checks: json(checks), submittedBy: ctx.staff.userId, submittedByName: ctx.staff.displayName });
});

/** @throws Refusal SCM17003 for one's own batch */
export const audit = command(auditSettlementBatch, async ({ batchId, version, decision, opinion }, ctx) => {
  const batch = await settlementBatchRecords.lockVersion(ctx, batchId, version);
  const answer = await move(ctx, batch, decision, opinion, { auditedBy: ctx.staff.userId, auditedByName: ctx.staff.displayName });
  if (decision === 'approve') {
    await own(ctx.tx)
      .updateTable('cardSettlementBill')
      .set((eb) => ({ status: 'PENDING_CONFIRM' as const, version: eb('version', '+', 1) }))
      .where('batchId', '=', batchId)
      .where('status', '=', 'DRAFT')
      .where('netAmount', '<>', '0')
      .execute();
    // Nothing is owed: nobody has to say so.
    await own(ctx.tx)
      .updateTable('cardSettlementBill')
      .set((eb) => ({
        status: 'SETTLED' as const,
        confirmedAmount: '0',
        settledAmount: '0',
        confirmedAt: ctx.now,
        version: eb('version', '+', 1),
      }))
      .where('batchId', '=', batchId)
      .where('status', '=', 'DRAFT')
      .where('netAmount', '=', '0')
      .execute();
    await finishBatch(ctx, batchId);
  }
  return answer;
});

/** A batch is over when all of its bills are. */
export async function finishBatch(ctx: Parameters<typeof moveState>[0], batchId: string): Promise<void> {
  const open = await own(ctx.tx)
    .selectFrom('cardSettlementBill')
    .select('id')
    .where('batchId', '=', batchId)
    .where('status', 'not in', ['SETTLED', 'VOIDED'])
    .executeTakeFirst();
  if (open) return;
  await follow(ctx, batchId, 'CONFIRMING', 'finish');
}

/** A batch whose bill was paid, and is not any more, is under way again. */
export const reopenBatch = (ctx: Parameters<typeof moveState>[0], batchId: string): Promise<void> =>
  follow(ctx, batchId, 'FINISHED', 'reopen');

/** A batch follows its bills: it moves where it stands in this state, and stays otherwise. */
async function follow(
  ctx: Parameters<typeof moveState>[0],
  batchId: string,
  from: 'CONFIRMING' | 'FINISHED',
  action: 'finish' | 'reopen',
): Promise<void> {
  const batch = await own(ctx.tx)
    .selectFrom('cardSettlementBatch')
    .selectAll()
    .where('id', '=', batchId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (batch.status !== from) return;
  const status = await moveState(ctx, settlementBatchMachine, {
    targetType: 'card.settlementBatch',
    targetId: batch.id,
    targetNo: batch.batchNo,
    action,
    from: batch.status,
  });
  await own(ctx.tx)
    .updateTable('cardSettlementBatch')
    .set((eb) => ({ status, version: eb('version', '+', 1) }))
    .where('id', '=', batchId)
    .execute();
}

/** Its lines are free again for the next batch. */
export const voidBatch = command(voidSettlementBatch, async ({ batchId, version, opinion }, ctx) => {
  await lockKeys(ctx.tx, LINES_TAKEN);
  const batch = await settlementBatchRecords.lockVersion(ctx, batchId, version);
  const answer = await move(ctx, batch, 'void', opinion);
  const bills = await own(ctx.tx)
    .updateTable('cardSettlementBill')
    .set((eb) => ({ status: 'VOIDED' as const, version: eb('version', '+', 1) }))
    .where('batchId', '=', batchId)
    .returning('id')
    .execute();
  const billIds = bills.map(({ id }) => id);
  await requireCarriesFree(ctx.tx, billIds);
  if (billIds.length > 0) await own(ctx.tx).updateTable('cardSettlementLine').set({ live: false }).where('billId', 'in', billIds).execute();
  return answer;
});
