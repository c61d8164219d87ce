import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { premiumOrderReversed } from '#events/policy.ts';
import { refuse } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { policyErrors } from '../../contract/errors.ts';
import { isPassed } from '../../contract/premiumStates.ts';
import { own } from '../database.ts';
import { sql } from 'kysely';

/**
 * Takes back the premium orders of an endorsement that is undone: what nobody passed is void, what was passed is reversed by a counter
 * order. @throws Refusal SCM13028: money may have come to one of them after it was looked for, until it was locked here.
 */
export async function withdrawOrders(acting: Acting, endorsementId: string): Promise<void> {
  const orders = await own(acting.tx)
    .selectFrom('policyPremiumOrder as o')
    .innerJoin('policyPolicy as p', 'p.id', 'o.policyId')
    .select([
      'o.id',
      'o.state',
      'o.policyId',
      'o.productId',
      'o.insurerId',
      'o.direction',
      'o.amountFen',
      'o.settledFen',
      'o.periodFrom',
      'o.periodTo',
      'p.adcode',
    ])
    .where('o.sourceEndorsementId', '=', endorsementId)
    .where('o.state', 'not in', ['VOIDED', 'REVERSED'])
    .orderBy('o.id')
    .forUpdate('o')
    .execute();
  if (orders.some(({ settledFen }) => BigInt(settledFen) > 0n)) throw refuse(policyErrors.MONEY_ALLOCATED);
  for (const order of orders) {
    if (isPassed(order.state)) await reverseOrder(acting, order.id, '撤销批单');
    else
      await own(acting.tx)
        .updateTable('policyPremiumOrder')
        .set((eb) => ({ state: 'VOIDED', opinion: '随批单撤销', ...updatedColumns(acting), version: eb('version', '+', 1) }))
        .where('id', '=', order.id)
        .execute();
  }
}

/** The counter order of a passed order: its items negated; both stand as a pair that sums to nothing. */
export async function reverseOrder(acting: Acting, orderId: string, opinion: string): Promise<{ id: string; premiumOrderNo: string }> {
  const order = await own(acting.tx).selectFrom('policyPremiumOrder').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow();
  const staff = acting.staffOrNull;
  const made = await own(acting.tx)
    .insertInto('policyPremiumOrder')
    .values({
      premiumOrderNo: await nextNumber(acting.tx, 'BF', acting.today),
      kind: order.kind,
      direction: order.direction === 'COLLECT' ? 'REFUND' : 'COLLECT',
      periodFrom: order.periodFrom,
      periodTo: order.periodTo,
      policyId: order.policyId,
      insurerId: order.insurerId,
      productId: order.productId,
      sourceEndorsementId: order.sourceEndorsementId,
      reversesOrderId: order.id,
      partNo: order.partNo,
      partOf: order.partOf,
      amountFen: order.amountFen,
      personCount: order.personCount,
      dueOn: order.dueOn,
      payerName: order.payerName,
      state: 'REVERSED',
      makerId: staff?.userId ?? null,
      makerName: staff?.displayName ?? '系统',
      opinion,
      ...createdColumns(acting),
    })
    .returning(['id', 'premiumOrderNo'])
    .executeTakeFirstOrThrow();
  if (staff) await noteWritten(acting, staff.userId, 'policy.premiumOrder', [made.id]);
  await sql`
    insert into policy_premium_order_item (
      premium_order_id, generation, line_no, insured_item_id, slice_id, plan_code, annual_premium_fen, date_from, date_to, days, basis,
      fee_fen, amount_fen, calc
    )
      select ${made.id}::bigint, 1, line_no, insured_item_id, slice_id, plan_code, annual_premium_fen, date_from, date_to, days, basis,
          fee_fen, -amount_fen, '冲正：' || calc
        from policy_premium_order_item
        where premium_order_id = ${order.id} and generation = ${order.generation}`.execute(acting.tx);
  await own(acting.tx)
    .updateTable('policyPremiumOrder')
    .set((eb) => ({ state: 'REVERSED', ...updatedColumns(acting), version: eb('version', '+', 1) }))
    .where('id', '=', order.id)
    .execute();
  const policy = await own(acting.tx)
    .selectFrom('policyPolicy')
    .select('adcode')
    .where('id', '=', order.policyId)
    .executeTakeFirstOrThrow();
  const signed = (order.direction === 'COLLECT' ? 1 : -1) * Number(order.amountFen);
  await acting.publish(premiumOrderReversed, order.id, {
    premiumOrderId: order.id,
    policyId: order.policyId,
    productId: order.productId,
    insurerId: order.insurerId,
    adcode: policy.adcode,
    direction: order.direction,
    amountFen: signed,
    coverageStart: order.periodFrom,
    coverageEnd: order.periodTo,
  });
  return made;
}
