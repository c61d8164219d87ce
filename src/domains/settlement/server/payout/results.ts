import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { dayOf, hours, plusMs } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { bankResultImporter } from '#kernel/server/bank/resultImporter.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { command } from '#kernel/server/handler.ts';
import type { BankAnswer } from '#kernel/server/bank/port.ts';
import type { SentPayout } from '#kernel/server/bank/results.ts';
import type { Tx } from '#kernel/server/context.ts';
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

/**
 * Locks batches, then payments, as everybody does who settles one.
 * @returns ids of those that still have the version which was read: somebody may have said meanwhile what became of the others
 */
async function lockKnown(tx: Tx, read: readonly SentPayout[]): Promise<ReadonlySet<string>> {
  const batchIds = [...new Set(read.map(({ batchId }) => batchId))].toSorted((a, b) => Number(a) - Number(b));
  for (const id of batchIds) await payoutRecords.lock(tx, payoutRecords.everyone, id);
  const rows = await own(tx)
    .selectFrom('settlementPayoutItem')
    .select(['id', 'version'])
    .where(
      'id',
      'in',
      read.map(({ id }) => id),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return new Set(read.filter(({ id, version }) => versions.get(id) === version).map(({ id }) => id));
}

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
      const ctx = asSystem(writing, { now: writing.now, traceId: 'import' });
      const known = await lockKnown(
        ctx.tx,
        results.map(({ payout }) => payout),
      );
      const unchanged = results.filter(({ payout }) => known.has(payout.id));
      const [first] = unchanged;
      if (!first) return known;
      const outcomes = unchanged.flatMap(({ lines, payout }) =>
        lines.flatMap(({ result, serial, day, failReason }): Outcome[] =>
          result === 'PROCESSING' ? [] : [{ itemId: payout.id, result, serial, day, failReason }],
        ),
      );
      await settlePayouts({ ...ctx, actorName: writing.staff.displayName }, ledgerOf(kernel), first.payout.batchId, outcomes, {
        id: writing.staff.userId,
        name: writing.staff.displayName,
      });
      return known;
    },
  });

/** By the bank's paper. @throws Refusal SCM19001 for whoever made the file */
export const mark = (kernel: Kernel) =>
  command(markPayoutItem, async ({ id, version, result, bankSerialNo, bankDay, failReason, fileIds }, ctx) => {
    const known = await payoutItemRecords.get(ctx.tx, ctx.staff, id);
    const batch = await payoutRecords.lock(ctx.tx, ctx.staff, known.batchId);
    const item = await payoutItemRecords.lockVersion(ctx, id, version);
    if (batch.exportedBy === ctx.staff.userId) throw refuse(settlementErrors.OWN_DOCUMENT);
    if (bankDay !== undefined && (bankDay > ctx.today || bankDay < dayOf(batch.exportedAt ?? ctx.now)))
      throw refuseField('bankDay', '交易日期须在出盘日期与今天之间');
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

/** What an answer of the bank settles; of another sum, or without what names a payment, it settles nothing. */
function outcomesOf(item: { id: string; netFen: string }, answer: BankAnswer): Outcome[] {
  const { state, amountFen, serial, day, failReason } = answer;
  const bankAnswer = { itemId: item.id, serial, day, failReason };
  if (state === 'FAILED') return [{ ...bankAnswer, result: 'FAILED' }];
  if (amountFen !== Number(item.netFen) || !serial || !day) return [];
  if (state === 'SUCCESS') return [{ ...bankAnswer, result: 'SUCCESS' }];
  // It was paid, and came back while nobody knew.
  return state === 'RETURNED'
    ? [
        { ...bankAnswer, result: 'SUCCESS' },
        { ...bankAnswer, result: 'RETURNED' },
      ]
    : [];
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
        await payoutRecords.lock(writing.tx, payoutRecords.everyone, item.batchId);
        // Somebody may have learned it by another way meanwhile.
        const { status } = await payoutItemRecords.lock(writing.tx, payoutItemRecords.everyone, item.id);
        if (status !== 'UNKNOWN') return kernel.ports.notices.closeTodo(writing.tx, `settlement:payout:${item.id}`, ctx.now);
        const outcomes = answer === null ? [] : outcomesOf(item, answer);
        if (outcomes.length > 0) {
          await settlePayouts(acting, ledgerOf(kernel), item.batchId, outcomes);
          return kernel.ports.notices.closeTodo(writing.tx, `settlement:payout:${item.id}`, ctx.now);
        }
        const open = stillOpen(item.unknownSince, ctx.now);
        await own(writing.tx).updateTable('settlementPayoutItem').set(open).where('id', '=', item.id).execute();
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
