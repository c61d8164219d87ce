import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach } from '#domains/files/server/index.ts';
import type { AdjustmentReason } from '../../contract/adjustments.ts';
import type { Book } from '../../contract/books.ts';
import { addLedgerAdjustment, modifyLedgerAdjustment, type AdjustmentLeg } from '../../contract/calls/adjustments.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import { adjustmentStates } from '../../contract/adjustments.ts';
import { requireBook } from '../access.ts';
import { ledgerOf } from '../books.ts';
import { isAdjustable, type Chart } from '../chart.ts';
import { own, ownTx } from '../database.ts';
import { ADJUST_FILES, ADJUSTMENT, lockAdjustment, type StoredLeg } from './access.ts';

/** @throws Refusal SCM18053 for an account of which its owner keeps lots or rows */
export function requireAdjustable(chart: Chart, { accountNo, book, accountType }: { accountNo: string; book: Book; accountType: string }) {
  if (!isAdjustable(chart.accountType(book, accountType))) throw refuse(ledgerErrors.KEPT_BY_OWNER, { no: accountNo });
}

/**
 * Lines as they are kept. A draft may still be out of balance.
 * @throws Refusal SCM18004, SCM18007, SCM18053
 */
async function legsOf(kernel: Kernel, ctx: CommandContext, book: Book, legs: readonly AdjustmentLeg[]): Promise<StoredLeg[]> {
  const nos = [...new Set(legs.map(({ accountNo }) => accountNo.toUpperCase()))];
  const accounts = await own(ctx.tx)
    .selectFrom('ledgerAccount')
    .select(['accountNo', 'book', 'accountType'])
    .where('accountNo', 'in', nos)
    .execute();
  if (accounts.length < nos.length) throw refuse(ledgerErrors.NO_ACCOUNT);
  if (accounts.some((account) => account.book !== book)) throw refuse(ledgerErrors.OTHER_BOOK);
  const { chart } = ledgerOf(kernel);
  for (const account of accounts) requireAdjustable(chart, account);
  return legs.map((leg) => ({ ...leg, accountNo: leg.accountNo.toUpperCase(), amountFen: String(leg.amountFen) }));
}

export const sumOf = (legs: readonly StoredLeg[], side: StoredLeg['side']): bigint =>
  legs.filter((leg) => leg.side === side).reduce((sum, { amountFen }) => sum + BigInt(amountFen), 0n);

/** What somebody made he alone changes and takes back. */
export const notMaker = () => refuse(platformErrors.NO_PERMISSION, { permission: '处理他人制作的调账' });

interface Facts {
  book: Book;
  legs: readonly AdjustmentLeg[];
  reasonCode: AdjustmentReason;
  reason: string;
  attachmentIds: readonly string[];
}

async function rowOf(kernel: Kernel, ctx: CommandContext, { book, legs, reasonCode, reason, attachmentIds }: Facts) {
  const stored = await legsOf(kernel, ctx, book, legs);
  return {
    book,
    reasonCode,
    reason,
    legs: JSON.stringify(stored),
    totalFen: String(sumOf(stored, 'D')),
    attachmentIds: [...attachmentIds],
  };
}

const keep = (ctx: CommandContext, id: string, fileIds: readonly string[]) =>
  attach(
    ctx.tx,
    { fileIds, purpose: ADJUST_FILES, ownerType: ADJUSTMENT, ownerId: id, field: 'attachmentIds', userId: ctx.staff.userId },
    ctx.now,
  );

export const add = (kernel: Kernel) =>
  command(addLedgerAdjustment, async (input, ctx) => {
    requireBook(ctx, input.book);
    const adjustNo = await nextNumber(ctx.tx, 'LJ', ctx.today);
    const { id } = await ownTx(ctx.tx)
      .insertInto('ledgerAdjustment')
      .values({
        ...(await rowOf(kernel, ctx, input)),
        adjustNo,
        makerId: ctx.staff.userId,
        makerName: ctx.staff.displayName,
        createdAt: ctx.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await keep(ctx, id, input.attachmentIds);
    ctx.target({ type: ADJUSTMENT, id, no: adjustNo });
    return { id, adjustNo, version: 1 };
  });

export const modify = (kernel: Kernel) =>
  command(modifyLedgerAdjustment, async ({ id, version, ...facts }, ctx) => {
    const row = await lockAdjustment(ctx, id, version);
    if (row.makerId !== ctx.staff.userId) throw notMaker();
    requireBook(ctx, facts.book);
    await moveState(ctx, adjustmentStates, {
      targetType: ADJUSTMENT,
      targetId: id,
      targetNo: row.adjustNo,
      action: 'modify',
      from: row.status,
    });
    await ownTx(ctx.tx)
      .updateTable('ledgerAdjustment')
      .set({ ...(await rowOf(kernel, ctx, facts)), version: version + 1 })
      .where('id', '=', id)
      .execute();
    await keep(ctx, id, facts.attachmentIds);
    return { id, adjustNo: row.adjustNo, version: version + 1 };
  });
