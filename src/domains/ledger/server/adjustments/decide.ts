import { refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { adjustmentStates, type AdjustmentAction } from '../../contract/adjustments.ts';
import { auditLedgerAdjustment, cancelLedgerAdjustment, submitLedgerAdjustment } from '../../contract/calls/adjustments.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import { ledgerPermissions as may } from '../../contract/permissions.ts';
import { requireAccount, refOfAccount } from '../access.ts';
import { ledgerOf } from '../books.ts';
import { ADJUST } from '../chart.ts';
import type { Leg } from '../commands.ts';
import { ownTx } from '../database.ts';
import { ADJUSTMENT, lockAdjustment, needsSecond, type Adjustment } from './access.ts';
import { notMaker, requireAdjustable, sumOf } from './save.ts';
import { closeTodos, notifyChecker, notifyMaker } from './notify.ts';

const move = (ctx: CommandContext, row: Adjustment, action: AdjustmentAction, opinion?: string) =>
  moveState(ctx, adjustmentStates, {
    targetType: ADJUSTMENT,
    targetId: row.id,
    targetNo: row.adjustNo,
    action,
    from: row.status,
    opinion,
    contributors: [row.makerId, ...(row.status === 'PENDING_SECOND' ? [row.checkerId] : [])],
  });

const answer = ({ id, adjustNo, version }: Adjustment) => ({ id, adjustNo, version: version + 1 });

export const submit = (kernel: Kernel) =>
  command(submitLedgerAdjustment, async ({ id, version }, ctx) => {
    const row = await lockAdjustment(ctx, id, version);
    if (row.makerId !== ctx.staff.userId) throw notMaker();
    const [debit, credit] = [sumOf(row.legs, 'D'), sumOf(row.legs, 'C')];
    const to = await move(ctx, row, 'submit');
    if (debit !== credit) throw refuse(ledgerErrors.UNBALANCED, { d: yuan(debit), c: yuan(credit) });
    if (row.attachmentIds.length === 0) throw refuse(ledgerErrors.NO_ATTACHMENT);
    await ownTx(ctx.tx)
      .updateTable('ledgerAdjustment')
      .set({
        status: to,
        submittedAt: ctx.now,
        checkerId: null,
        checkerName: null,
        secondCheckerId: null,
        secondCheckerName: null,
        version: version + 1,
      })
      .where('id', '=', id)
      .execute();
    await notifyChecker(kernel, ctx, row, may['adjust.check'].code);
    return answer(row);
  });

export const cancel = (kernel: Kernel) =>
  command(cancelLedgerAdjustment, async ({ id, version }, ctx) => {
    const row = await lockAdjustment(ctx, id, version);
    if (row.makerId !== ctx.staff.userId) throw notMaker();
    const to = await move(ctx, row, 'cancel');
    await ownTx(ctx.tx)
      .updateTable('ledgerAdjustment')
      .set({ status: to, closedAt: ctx.now, version: version + 1 })
      .where('id', '=', id)
      .execute();
    await closeTodos(kernel, ctx, row);
    return answer(row);
  });

/** Posts what was confirmed, in today's period; under the name of the one who made it. */
async function post(kernel: Kernel, ctx: CommandContext, row: Adjustment): Promise<string> {
  const ledger = ledgerOf(kernel);
  const legs: { side: 'D' | 'C'; leg: Leg }[] = [];
  for (const { accountNo, side, amountFen } of row.legs) {
    const account = refOfAccount(await requireAccount(ctx.tx, ctx, accountNo));
    requireAdjustable(ledger.chart, { accountNo, book: account.book, accountType: account.type });
    legs.push({ side, leg: { account, amount: BigInt(amountFen) } });
  }
  const { transferId } = await ledger.post(ctx, {
    businessKey: `ledger:adjustment:${row.id}:post`,
    book: row.book,
    type: ADJUST,
    debit: legs.flatMap(({ side, leg }) => (side === 'D' ? [leg] : [])),
    credit: legs.flatMap(({ side, leg }) => (side === 'C' ? [leg] : [])),
    ref: { type: ADJUSTMENT, id: row.id, no: row.adjustNo },
    memo: row.reason,
    actor: { id: row.makerId, name: row.makerName },
  });
  return transferId;
}

function actionOf(row: Adjustment, decision: 'PASS' | 'REJECT'): AdjustmentAction {
  const second = row.status === 'PENDING_SECOND';
  if (decision === 'REJECT') return second ? 'rejectSecond' : 'reject';
  return second ? 'approveSecond' : needsSecond(row) ? 'forward' : 'approve';
}

/** 复核: somebody else than the maker, above a sum somebody else again. A refusal of the posting leaves all as it was. */
export const audit = (kernel: Kernel) =>
  command(auditLedgerAdjustment, async ({ id, version, decision, opinion }, ctx) => {
    const row = await lockAdjustment(ctx, id, version);
    const action = actionOf(row, decision);
    const me = { id: ctx.staff.userId, name: ctx.staff.displayName };
    const to = await move(ctx, row, action, opinion);
    await closeTodos(kernel, ctx, row);
    const checked =
      row.status === 'PENDING_SECOND' ? { secondCheckerId: me.id, secondCheckerName: me.name } : { checkerId: me.id, checkerName: me.name };
    const transferId = to === 'POSTED' ? await post(kernel, ctx, row) : null;
    await ownTx(ctx.tx)
      .updateTable('ledgerAdjustment')
      .set({ status: to, ...checked, version: version + 1, ...(transferId !== null && { transferId, closedAt: ctx.now }) })
      .where('id', '=', id)
      .execute();
    if (to === 'PENDING_SECOND') await notifyChecker(kernel, ctx, row, may['adjust.check2'].code);
    else await notifyMaker(kernel, ctx, row, { posted: to === 'POSTED', opinion });
    return answer(row);
  });
