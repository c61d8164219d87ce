import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { dayOf, hours, plusMs } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { bankResultImporter } from '#kernel/server/bank/resultImporter.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { command } from '#kernel/server/handler.ts';
import type { Importer } from '#kernel/server/importing/importer.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import type { JobContext, JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { addLateTodo, stillOpen } from '#kernel/server/money/inquiry.ts';
import { attach } from '#domains/files/server/index.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { importPayoutResult, markPayoutItem, PAYOUT_RESULT_IMPORTER } from '../../contract/calls/payouts.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { payoutItemMachine } from '../../contract/payoutStates.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { PAYOUT_PROOF } from '../../contract/purposes.ts';
import { payoutItemRecords, payoutRecords } from '../access.ts';
import { own } from '../database.ts';
import { settlePayouts, type Outcome } from './settle.ts';

/** The result file of a batch: each line is found by our own reference and must have its sum. */
export const resultImporter = (kernel: Kernel): Importer =>
  bankResultImporter({
    code: PAYOUT_RESULT_IMPORTER,
    label: '付款回盘',
    call: importPayoutResult,
    permission: may['payout.result'].code,
    maxRows: 20_000,
    async admit(ctx, { batchId }) {
      const batch = await payoutRecords.get(ctx.tx, ctx.staff, typeof batchId === 'string' ? batchId : '0');
      if (batch.exportedAt === null) throw refuse(settlementErrors.NOT_SENT);
    },
    async find(db, refs) {
      if (refs.length === 0) return [];
      const rows = await own(db)
        .selectFrom('settlementPayoutItem as i')
        .innerJoin('settlementPayoutBatch as b', 'b.id', 'i.batchId')
        .select(['i.id', 'i.version', 'i.batchId', 'b.batchNo', 'i.bizRef as ref', 'i.netFen', 'b.exportedAt', 'i.status'])
        .select(['i.bankSerialNo as serial', 'i.bankDay as day'])
        .where('i.bizRef', 'in', [...refs])
        .where('b.exportedAt', 'is not', null)
        .execute();
      return rows.flatMap(({ status, netFen, exportedAt, ...row }) => {
        if (status === 'INIT' || status === 'CANCELLED' || exportedAt === null) return [];
        const state = status === 'PENDING' || status === 'UNKNOWN' ? ('SENT' as const) : status;
        return [{ ...row, state, amountFen: Number(netFen), sentOn: dayOf(exportedAt) }];
      });
    },
    async settle(results, writing) {
      const [first] = results;
      if (!first) return new Set();
      const outcomes = results.flatMap(({ lines, payout }) =>
        lines.flatMap(({ result, serial, day, failReason }): Outcome[] =>
          result === 'PROCESSING' ? [] : [{ itemId: payout.id, result, serial, day, failReason }],
        ),
      );
      const ctx = asSystem(writing, { now: writing.now, traceId: 'import' });
      await settlePayouts({ ...ctx, actorName: writing.staff.displayName }, ledgerOf(kernel), first.payout.batchId, outcomes, {
        id: writing.staff.userId,
        name: writing.staff.displayName,
      });
      return new Set(results.map(({ payout }) => payout.id));
    },
  });

/** By the bank's paper. @throws Refusal SCM19001 for whoever made the file */
export const mark = (kernel: Kernel) =>
  command(markPayoutItem, async ({ id, version, result, bankSerialNo, bankDay, failReason, fileIds }, ctx) => {
    const known = await payoutItemRecords.get(ctx.tx, ctx.staff, id);
    const batch = await payoutRecords.lock(ctx.tx, ctx.staff, known.batchId);
    const item = await payoutItemRecords.lockVersion(ctx, id, version);
    if (batch.exportedBy === ctx.staff.userId) throw refuse(settlementErrors.OWN_DOCUMENT);
    if (result === 'SUCCESS' && (!bankSerialNo || !bankDay))
      throw refuseField(bankSerialNo ? 'bankDay' : 'bankSerialNo', '付款成功须填写银行流水号和交易日期');
    if (bankDay !== undefined && (bankDay > ctx.today || bankDay < dayOf(batch.exportedAt ?? ctx.now)))
      throw refuseField('bankDay', '交易日期须在出盘日期与今天之间');
    if (result !== 'SUCCESS' && !failReason) throw refuseField('failReason', '请填写失败原因');
    await attach(
      ctx.tx,
      { fileIds, purpose: PAYOUT_PROOF, ownerType: payoutItemRecords.type, ownerId: id, field: 'proof', userId: ctx.staff.userId },
      ctx.now,
    );
    const outcome: Outcome = { itemId: id, result, serial: bankSerialNo ?? null, day: bankDay ?? null, failReason: failReason ?? null };
    await settlePayouts(ctx, ledgerOf(kernel), batch.id, [outcome], { id: ctx.staff.userId, name: ctx.staff.displayName });
    const row = await payoutItemRecords.get(ctx.tx, ctx.staff, item.id);
    return { ...actionAnswer(ctx, payoutItemMachine, { ...row, state: row.status }), state: row.status };
  });

/** Of a payment of which the bank says nothing for so long nobody knows. */
const LOST_AFTER = hours(48);
const CHUNK = 100;

/** A payment without an answer is one whose outcome is open. */
async function lose(ctx: JobContext): Promise<void> {
  const rows = await own(ctx.db)
    .selectFrom('settlementPayoutItem as i')
    .innerJoin('settlementPayoutBatch as b', 'b.id', 'i.batchId')
    .select(['i.id'])
    .where('i.status', '=', 'PENDING')
    .where('b.exportedAt', '<=', plusMs(ctx.now, -LOST_AFTER))
    .execute();
  for (const { id } of rows)
    await ctx.transaction(async (writing) => {
      const acting = asSystem(writing, ctx);
      const item = await payoutItemRecords.lock(writing.tx, payoutItemRecords.everyone, id);
      if (item.status !== 'PENDING') return;
      const status = await moveState(acting, payoutItemMachine, {
        targetType: payoutItemRecords.type,
        targetId: id,
        targetNo: item.bizRef,
        action: 'lose',
        from: item.status,
      });
      await own(writing.tx)
        .updateTable('settlementPayoutItem')
        .set((eb) => ({ status, ...stillOpen(null, ctx.now), version: eb('version', '+', 1), updatedAt: ctx.now }))
        .where('id', '=', id)
        .execute();
    });
}

/** Payments whose outcome is open are asked for; nothing is guessed, and nothing is paid again meanwhile. */
async function ask(kernel: Kernel, ctx: JobContext): Promise<void> {
  const failures = isolateFailures(ctx);
  const due = await own(ctx.db)
    .selectFrom('settlementPayoutItem')
    .selectAll()
    .where('status', '=', 'UNKNOWN')
    .where('askDueAt', '<=', ctx.now)
    .orderBy('askDueAt')
    .limit(CHUNK)
    .execute();
  for (const item of due)
    await failures.run(item.bizRef, async () => {
      const answer = kernel.bank.available ? await kernel.bank.query(item.bizRef) : null;
      await ctx.transaction(async (writing) => {
        const acting = asSystem(writing, ctx);
        const isSum = answer !== null && answer.amountFen === Number(item.netFen);
        if (answer && (answer.state === 'FAILED' || (answer.state === 'SUCCESS' && isSum && answer.serial && answer.day))) {
          const { state: result, serial, day, failReason } = answer;
          await settlePayouts(acting, ledgerOf(kernel), item.batchId, [{ itemId: item.id, result, serial, day, failReason }]);
          return kernel.ports.notices.closeTodo(writing.tx, `settlement:payout:${item.id}`, ctx.now);
        }
        const open = stillOpen(item.unknownSince, ctx.now);
        await own(writing.tx)
          .updateTable('settlementPayoutItem')
          .set(open)
          .where('id', '=', item.id)
          .where('status', '=', 'UNKNOWN')
          .execute();
        return addLateTodo(
          kernel,
          writing.tx,
          open,
          {
            businessKey: `settlement:payout:${item.id}`,
            name: `医生付款${item.bizRef}`,
            link: '/incomeSettle?tab=items',
            permission: may['payout.result'],
          },
          ctx.now,
        );
      });
    });
  failures.throwIfAny();
}

export const resultJobs = (kernel: Kernel): JobDeclaration<never>[] => {
  const inquiry: JobDeclaration = {
    name: 'settlement.askPayouts',
    label: '查询待查证的医生付款',
    everySeconds: 60,
    run: async (_data, ctx) => {
      await lose(ctx);
      await ask(kernel, ctx);
    },
  };
  return [inquiry as JobDeclaration<never>];
};
