import { itemInvoiced, paymentSucceeded } from '#events/invoice.ts';
import type { Consumer, Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { own } from '../database.ts';
import { on } from '../use/events.ts';
import { settleBill } from './payments.ts';

/** How the domain of invoices names our bills. */
const CARD_BILL = 'CARD_BILL';
const INVOICED: Readonly<Record<string, 'NONE' | 'PART' | 'DONE' | 'RED'>> = {
  NONE: 'NONE',
  PART: 'PART',
  PARTIAL: 'PART',
  DONE: 'DONE',
  FULL: 'DONE',
  RED: 'RED',
};

export const settleConsumers = (kernel: Kernel): Consumer[] => [
  on(itemInvoiced, async ({ sourceType, sourceId, state }, ctx) => {
    if (sourceType !== CARD_BILL) return;
    await own(ctx.tx)
      .updateTable('cardSettlementBill')
      .set((eb) => ({ invoiceState: INVOICED[state] ?? ('DONE' as const), version: eb('version', '+', 1) }))
      .where('id', '=', sourceId)
      .execute();
  }),
  on(paymentSucceeded, async ({ sourceType, sourceId, amount, allocationId, ...payment }, ctx) => {
    if (sourceType !== CARD_BILL) return;
    const system = { staffOrNull: null, requirePermission: () => undefined };
    await settleBill({ ...ctx, ...system }, ledgerOf(kernel), {
      ...payment,
      billId: sourceId,
      amount: BigInt(amount),
      allocationId: allocationId ?? null,
      actor: SYSTEM,
    });
  }),
];
