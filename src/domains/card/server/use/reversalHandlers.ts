import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { addReversal, auditReversal, queryWriteOffDetail } from '../../contract/calls/writeOffs.ts';
import { fillLines } from '../../contract/rules/lots.ts';
import { reversalMachine } from '../../contract/useStates.ts';
import { showHolder } from '../cards/holder.ts';
import { notOfOwn } from '../access.ts';
import { own } from '../database.ts';
import { lotsIn } from './hold.ts';
import { findCard } from './readCard.ts';
import { carryOut, graceUntil, requestReversal } from './reverse.ts';
import { settleStateOf, writeOffBills } from './writeOffList.ts';

export const ask = command(addReversal, async ({ writeOffId, amount, reasonCode, opinion }, ctx) => {
  const asked = await requestReversal(ctx, {
    writeOffId,
    amount: BigInt(amount),
    key: `staff:${ctx.staff.userId}:${ctx.idempotencyKey ?? ctx.traceId}`,
    reasonCode,
    opinion,
    requestedBy: { id: ctx.staff.userId, name: ctx.staff.displayName },
  });
  ctx.target({ type: 'card.reversal', id: asked.reversalId, no: asked.reversalNo });
  return { id: asked.reversalId, reversalNo: asked.reversalNo, status: asked.status, version: asked.version };
});

const reversalRecords = recordOf((db) => own(db).selectFrom('cardReversal as r').selectAll('r')).with({
  noun: '冲正单',
  type: 'card.reversal',
  id: 'r.id',
  scope: unscoped,
});

/** @throws Refusal SCM17003 for one's own request */
export const auditOne = (kernel: Kernel) =>
  command(auditReversal, async ({ reversalId, version, decision, opinion }, ctx) => {
    const row = await reversalRecords.lockVersion(ctx, reversalId, version);
    const status = await moveState(ctx, reversalMachine, {
      targetType: 'card.reversal',
      targetId: row.id,
      targetNo: row.reversalNo,
      action: decision,
      from: row.status,
      opinion,
      contributors: [row.requestedBy],
    });
    const by = { id: ctx.staff.userId, name: ctx.staff.displayName };
    if (decision === 'approve') {
      const done = await carryOut(ctx, ledgerOf(kernel), row.id, by);
      return { id: row.id, reversalNo: row.reversalNo, status, version: done.version };
    }
    const after = await own(ctx.tx)
      .updateTable('cardReversal')
      .set((eb) => ({ status, approvedBy: by.id, approvedByName: by.name, auditOpinion: opinion, version: eb('version', '+', 1) }))
      .where('id', '=', row.id)
      .returning('version')
      .executeTakeFirstOrThrow();
    return { id: row.id, reversalNo: row.reversalNo, status, version: after.version };
  });

/** A write-off with the lots that paid it, and what of it was reversed. */
export const detail = (kernel: Kernel) =>
  query(queryWriteOffDetail, async ({ writeOffId }, ctx) => {
    const row = await own(ctx.db)
      .selectFrom('cardWriteOff as w')
      .innerJoin('cardHold as h', 'h.id', 'w.holdId')
      .selectAll('w')
      .select(['h.holdNo', 'h.lots', 'h.ledgerTransferId'])
      .select(writeOffBills)
      .where('w.id', '=', writeOffId)
      .executeTakeFirst();
    if (!row) throw refuse(platformErrors.NOT_FOUND, { message: '核销记录不存在或已删除' });
    const card = await findCard(ctx.db, { cardId: row.cardId });
    const siblings = await own(ctx.db)
      .selectFrom('cardWriteOff')
      .select(['id', 'amount'])
      .where('holdId', '=', row.holdId)
      .orderBy('id')
      .execute();
    const parts =
      fillLines(
        lotsIn(row.lots),
        siblings.map(({ amount }) => BigInt(amount)),
      )[siblings.findIndex(({ id }) => id === row.id)] ?? [];
    const lots = row.kind === 'STORED_VALUE' ? await ledgerOf(kernel).lotsOf(ctx.db, 'CARD', { type: 'cardAccount', id: row.cardId }) : [];
    const reversals = await own(ctx.db).selectFrom('cardReversal').selectAll().where('writeOffId', '=', row.id).orderBy('id').execute();
    const shown = showHolder(card, ctx);
    const used = row.kind === 'STORED_VALUE' ? parts : [];
    const expired = used.some(({ lotId }) => lots.some((lot) => lot.id === lotId && lot.expiresAt !== null && lot.expiresAt <= ctx.now));
    return {
      id: row.id,
      writeOffNo: row.writeOffNo,
      cardId: row.cardId,
      cardNo: shown.cardNo,
      kind: row.kind,
      cardTypeName: card.cardTypeName,
      holderName: shown.holderName,
      orderNo: row.orderNo,
      orderId: row.orderId,
      merchantName: row.merchantName,
      goods: `${row.goodsName}×${row.quantity}`,
      quantity: row.quantity,
      amount: Number(row.amount),
      times: row.times,
      fee: Number(row.feeAmount),
      net: Number(row.netAmount),
      reversed: Number(row.reversedAmount),
      reversible: row.state === 'REVERSED' ? 0 : Number(row.amount) - Number(row.reversedAmount),
      operatorType: row.operatorType,
      operator: row.operatorName,
      state: row.state,
      receivableState: settleStateOf(row.receivableBill),
      payableState: settleStateOf(row.payableBill),
      doneAt: row.doneAt,
      version: row.version,
      holdNo: row.holdNo,
      benefitName: card.rules.benefits.find(({ benefitId }) => benefitId === row.benefitId)?.benefitName ?? null,
      lots: used.map(({ lotId, amount }) => {
        const lot = lots.find(({ id }) => id === lotId);
        return {
          lotId,
          kind: lot?.accountType === 'CARD_BONUS' ? ('BONUS' as const) : ('PRINCIPAL' as const),
          amount: Number(amount),
          expireAt: lot?.expiresAt ?? null,
        };
      }),
      reversals: reversals.map((one) => ({
        id: one.id,
        reversalNo: one.reversalNo,
        writeOffId: row.id,
        writeOffNo: row.writeOffNo,
        cardNo: shown.cardNo,
        cardId: row.cardId,
        orderNo: row.orderNo,
        merchantName: row.merchantName,
        amount: Number(one.amount),
        fee: Number(one.feeAmount),
        reasonCode: one.reasonCode,
        opinion: one.opinion,
        requestedBy: one.requestedByName,
        createdAt: one.createdAt,
        approvedBy: one.approvedByName,
        status: one.status,
        doneAt: one.doneAt,
        version: one.version,
        allowedActions: notOfOwn(reversalMachine.allowed(one.status, ctx.has), ['approve', 'reject'], [one.requestedBy], ctx),
      })),
      transferNo: null,
      graceUntil: expired ? graceUntil(card, ctx.now) : null,
    };
  });
