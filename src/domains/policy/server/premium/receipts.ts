import { sql, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import { yuan } from '#kernel/contract/money.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains, from, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { authorColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import {
  addReceipt,
  allocateReceipt,
  exportReceipt,
  queryReceiptList,
  removeAllocation,
  suggestAllocation,
} from '../../contract/calls/premium.ts';
import { policyErrors } from '../../contract/errors.ts';
import { premiumMachine, type PremiumState } from '../../contract/premiumStates.ts';
import { insurerScope, moneySeen, premiumRecords, seesMoney, type PremiumRecord } from '../access.ts';
import { own } from '../database.ts';

const receipts = 'policyPremiumReceipt as r' as const;
export const receiptList = listOf(queryReceiptList)
  .from(({ db, staff }) => own(db).selectFrom(receipts).where(moneySeen(staff)))
  .with({
    where: {
      direction: 'r.direction',
      payerName: contains('r.payerName'),
      bankFlowNo: 'r.bankFlowNo',
      unallocated: (_eb, yes) => (yes ? sql<SqlBool>`r.allocated_fen < r.amount_fen` : undefined),
      paidFrom: from('r.paidOn'),
      paidTo: upTo('r.paidOn'),
    },
    id: 'r.id',
    sorts: { amountFen: 'r.amountFen', paidOn: 'r.paidOn' },
    select: (rows) =>
      rows.select([
        'r.id',
        'r.direction',
        'r.amountFen',
        'r.allocatedFen',
        'r.paidOn',
        'r.payerName',
        'r.bankFlowNo',
        'r.bankAccountMasked as bankAccount',
        'r.source',
        'r.createdAt',
      ]),
    present: (rows) => rows.map((row) => ({ ...row, restFen: String(BigInt(row.amountFen) - BigInt(row.allocatedFen)) })),
  });
export const receiptExport = listExport(receiptList, {
  call: exportReceipt,
  title: '到账记录',
  routeKey: 'insurancePremiumOrderInquiry.receipts',
});

/** @throws Refusal SCM13054 where the flow of that account and day stands already */
export const add = ({ secrets }: Kernel) =>
  command(addReceipt, async ({ bankAccount, amountFen, ...facts }, ctx) => {
    const row = await own(ctx.tx)
      .insertInto('policyPremiumReceipt')
      .values({
        ...facts,
        amountFen: String(amountFen),
        bankAccountCipher: secrets.encrypt(bankAccount),
        bankAccountMasked: mask('bankCard', bankAccount),
        bankAccountHash: secrets.blindIndex('policy.bankAccount', bankAccount),
        source: 'STAFF',
        ...authorColumns(ctx),
      })
      .onConflict((on) => on.columns(['bankAccountHash', 'bankFlowNo', 'paidOn']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!row) throw refuse(policyErrors.FLOW_TAKEN);
    ctx.target({ type: 'policy.premiumReceipt', id: row.id, no: facts.bankFlowNo });
    return row;
  });

async function lockedReceipt(tx: Tx, viewer: Viewer, id: string) {
  if (!seesMoney(viewer)) throw refuse(platformErrors.NOT_FOUND, { message: '到账记录不存在或已删除' });
  const row = await own(tx).selectFrom('policyPremiumReceipt').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND, { message: '到账记录不存在或已删除' });
  return row;
}

const stateOf = (amountFen: bigint, settledFen: bigint): PremiumState =>
  settledFen === 0n ? 'APPROVED' : settledFen < amountFen ? 'PART_SETTLED' : 'SETTLED';

/** An order's money after an allocation, with the entry in its history. */
async function settle(ctx: CommandContext, order: PremiumRecord, delta: bigint, action: 'allocate' | 'unallocate', opinion?: string) {
  const settled = BigInt(order.settledFen) + delta;
  await moveState(ctx, premiumMachine, {
    targetType: 'policy.premiumOrder',
    targetId: order.id,
    targetNo: order.premiumOrderNo,
    action,
    from: order.state,
    opinion,
    differences: [{ path: 'settledFen', label: '已收付', before: yuan(order.settledFen), after: yuan(settled) }],
  });
  const state = stateOf(BigInt(order.amountFen), settled);
  await own(ctx.tx)
    .updateTable('policyPremiumOrder')
    .set((eb) => ({ state, settledFen: String(settled), ...updatedColumns(ctx), version: eb('version', '+', 1) }))
    .where('id', '=', order.id)
    .execute();
  return { id: order.id, state, settledFen: String(settled) };
}

/** Receipt, then orders in the order of their ids. @throws Refusal SCM13048–50 */
export const allocate = command(allocateReceipt, async ({ receiptId, shares }, ctx) => {
  const receipt = await lockedReceipt(ctx.tx, ctx.staff, receiptId);
  let rest = BigInt(receipt.amountFen) - BigInt(receipt.allocatedFen);
  const orders: { id: string; state: PremiumState; settledFen: string }[] = [];
  const sorted = shares.toSorted((one, other) => (BigInt(one.premiumOrderId) < BigInt(other.premiumOrderId) ? -1 : 1));
  for (const { premiumOrderId, amountFen } of sorted) {
    const order = await premiumRecords.lock(ctx.tx, ctx.staff, premiumOrderId);
    if (order.direction !== receipt.direction) throw refuse(policyErrors.OTHER_DIRECTION);
    const amount = BigInt(amountFen);
    const open = BigInt(order.amountFen) - BigInt(order.settledFen);
    if (amount > open) throw refuse(policyErrors.ABOVE_OPEN, { yuan: yuan(open) });
    if (amount > rest) throw refuse(policyErrors.ABOVE_REST, { yuan: yuan(rest) });
    orders.push(await settle(ctx, order, amount, 'allocate'));
    rest -= amount;
    await own(ctx.tx)
      .insertInto('policyPremiumAllocation')
      .values({
        businessKey: `${receipt.id}:${order.id}:${order.version}`,
        receiptId: receipt.id,
        premiumOrderId: order.id,
        amountFen: String(amount),
        madeBy: ctx.staff.userId,
        madeByName: ctx.staff.displayName,
        at: ctx.now,
      })
      .execute();
  }
  await own(ctx.tx)
    .updateTable('policyPremiumReceipt')
    .set((eb) => ({ allocatedFen: String(BigInt(receipt.amountFen) - rest), version: eb('version', '+', 1) }))
    .where('id', '=', receipt.id)
    .execute();
  ctx.target({ type: 'policy.premiumReceipt', id: receipt.id, no: receipt.bankFlowNo });
  return { restFen: String(rest), orders };
});

/** Another person than who allocated takes an allocation back, by a counter row. @throws Refusal SCM13044, SCM13051, SCM90031 */
export const unallocate = command(removeAllocation, async ({ allocationId, opinion }, ctx) => {
  const known = await own(ctx.tx).selectFrom('policyPremiumAllocation').selectAll().where('id', '=', allocationId).executeTakeFirst();
  if (!known) throw refuse(platformErrors.NOT_FOUND, { message: '分配不存在或已删除' });
  const receipt = await lockedReceipt(ctx.tx, ctx.staff, known.receiptId);
  const order = await premiumRecords.lock(ctx.tx, ctx.staff, known.premiumOrderId);
  if (known.madeBy === ctx.staff.userId) throw refuse(policyErrors.OWN_ORDER, { message: '登记人不能撤销自己的分配' });
  if (order.insurerInvoiceNo !== null) throw refuse(policyErrors.INVOICE_RECORDED);
  const amount = BigInt(known.amountFen);
  const taken =
    amount < 0n
      ? undefined
      : await own(ctx.tx)
          .insertInto('policyPremiumAllocation')
          .values({
            businessKey: `reverse:${known.id}`,
            receiptId: receipt.id,
            premiumOrderId: order.id,
            amountFen: String(-amount),
            reversesAllocationId: known.id,
            madeBy: ctx.staff.userId,
            madeByName: ctx.staff.displayName,
            at: ctx.now,
          })
          .onConflict((on) => on.column('businessKey').doNothing())
          .returning('id')
          .executeTakeFirst();
  if (!taken) throw refuse(platformErrors.WRONG_STATE, { state: '已撤销' });
  const { state, settledFen } = await settle(ctx, order, -amount, 'unallocate', opinion);
  await own(ctx.tx)
    .updateTable('policyPremiumReceipt')
    .set((eb) => ({ allocatedFen: String(BigInt(receipt.allocatedFen) - amount), version: eb('version', '+', 1) }))
    .where('id', '=', receipt.id)
    .execute();
  return { orderState: state, settledFen };
});

/** Open orders that a receipt may pay: those of its payer first, then what is due first, each as far as the money reaches. */
export const suggest = query(suggestAllocation, async ({ receiptId }, { db, staff }) => {
  const receipt = await own(db).selectFrom('policyPremiumReceipt').selectAll().where('id', '=', receiptId).executeTakeFirst();
  if (!receipt || !seesMoney(staff)) throw refuse(platformErrors.NOT_FOUND, { message: '到账记录不存在或已删除' });
  let rest = BigInt(receipt.amountFen) - BigInt(receipt.allocatedFen);
  const rows = await own(db)
    .selectFrom('policyPremiumOrder as o')
    .innerJoin('policyPolicy as p', 'p.id', 'o.policyId')
    .where(scopeFilter(insurerScope('p.insurerId'), staff))
    .select(['o.id as premiumOrderId', 'o.premiumOrderNo', 'p.policyNo', 'o.amountFen', 'o.settledFen', 'o.dueOn'])
    .where('o.direction', '=', receipt.direction)
    .where('o.state', 'in', ['APPROVED', 'PART_SETTLED'])
    .where((eb) => eb.or([eb('o.payerName', '=', receipt.payerName), eb('p.holderName', '=', receipt.payerName)]))
    .orderBy(sql`o.amount_fen - o.settled_fen = ${String(rest)}::bigint`, 'desc')
    .orderBy('o.dueOn')
    .orderBy('o.id')
    .limit(50)
    .execute();
  return rows.flatMap(({ amountFen, settledFen, ...row }) => {
    const open = BigInt(amountFen) - BigInt(settledFen);
    const share = open < rest ? open : rest;
    if (share <= 0n) return [];
    rest -= share;
    return [{ ...row, openFen: String(open), amountFen: String(share) }];
  });
});
