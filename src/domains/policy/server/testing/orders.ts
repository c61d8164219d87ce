import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addPolicy } from '../../contract/calls/policies.ts';
import {
  addReceipt,
  allocateReceipt,
  auditPremiumOrder,
  claimNextPremiumOrder,
  queryPremiumOrderDetail,
} from '../../contract/calls/premium.ts';
import { own } from '../database.ts';
import { asked, itemOf, keeper, makeProduct, passed, personWish, policyWish, serial } from './fixtures.ts';

const key = () => `policy-fixture-${serial()}`;

/** A policy that runs for a year from today. */
export async function aPolicy(app: TestApp, more: Parameters<typeof policyWish>[1] = {}) {
  const { productId } = await makeProduct(app);
  const today = app.clock.today();
  const wish = policyWish(productId, { coverageStart: today, coverageEnd: plusDays(today, 364), ...more });
  const { id, version } = await app.ok(addPolicy, wish, { as: await keeper(app) });
  return { id, version };
}

/** The wish to take somebody in. */
export const addWish = (app: TestApp, policyId: string) => ({
  policyId,
  kind: 'ADD' as const,
  effectiveOn: app.clock.today(),
  after: { person: personWish(), planCode: 'P1' },
});

/** An endorsement that waits for its check. */
export async function anEndorsement(app: TestApp) {
  const { id } = await aPolicy(app);
  const made = await asked(app, await keeper(app), addWish(app, id));
  return { id: made.id, version: made.version, policyId: id };
}

/** A covered person with the order of his premium, which waits for its check. */
export async function coveredPerson(app: TestApp, more: Parameters<typeof policyWish>[1] = {}) {
  const { id: policyId } = await aPolicy(app, more);
  const { id: endorsementId } = await passed(app, await keeper(app), await keeper(app), addWish(app, policyId));
  const { id, version } = await own(app.db)
    .selectFrom('policyPremiumOrder')
    .select(['id', 'version'])
    .where('policyId', '=', policyId)
    .executeTakeFirstOrThrow();
  return { policyId, endorsementId, orderId: id, version, insuredItemId: await itemOf(app, policyId, '张建国') };
}

/** An order that one person holds. */
export async function heldOrder(app: TestApp, as: TestStaff) {
  const { orderId, version } = await coveredPerson(app);
  await app.ok(claimNextPremiumOrder, { id: orderId }, { as });
  return { id: orderId, version };
}

const after = async (app: TestApp, made: { id: string }, as: TestStaff) => {
  const { version } = await app.ok(queryPremiumOrderDetail, { premiumOrderId: made.id }, { as });
  return { id: made.id, version };
};

/** An order that its maker called back; one of the system's anybody goes on with who makes orders. */
export async function draftOrder(app: TestApp, { bySystem = false } = {}) {
  const { orderId, version } = await coveredPerson(app);
  const { makerId } = await own(app.db)
    .selectFrom('policyPremiumOrder')
    .select('makerId')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  const as = await keeper(app);
  // Whoever made the endorsement made the order; here somebody else calls it back.
  await own(app.db)
    .updateTable('policyPremiumOrder')
    .set({ makerId: makerId === null ? null : as.userId })
    .where('id', '=', orderId)
    .execute();
  await app.ok(auditPremiumOrder, { id: orderId, version, action: 'recall' }, { as, idempotencyKey: key() });
  if (bySystem) await own(app.db).updateTable('policyPremiumOrder').set({ makerId: null }).where('id', '=', orderId).execute();
  return after(app, { id: orderId }, as);
}
/** An order that was passed. */
export async function approvedOrder(app: TestApp) {
  const as = await keeper(app);
  const order = await heldOrder(app, as);
  await app.ok(auditPremiumOrder, { ...order, action: 'approve', opinion: '核对无误' }, { as, idempotencyKey: key() });
  return after(app, order, as);
}

export const receiptWish = (app: TestApp, amountFen = 120_000) => ({
  direction: 'COLLECT' as const,
  amountFen,
  paidOn: app.clock.today(),
  payerName: '江南科技有限公司',
  bankFlowNo: `FLOW-F${serial()}`,
  bankAccount: '6222020200112233',
});
export const aReceipt = async (app: TestApp) => (await app.ok(addReceipt, receiptWish(app), { as: await keeper(app) })).id;

/** An allocation that somebody made. */
export async function anAllocation(app: TestApp) {
  const order = await approvedOrder(app);
  const as = await keeper(app);
  const receiptId = (await app.ok(addReceipt, receiptWish(app), { as })).id;
  await app.ok(allocateReceipt, { receiptId, shares: [{ premiumOrderId: order.id, amountFen: 120_000 }] }, { as, idempotencyKey: key() });
  const { allocations } = await app.ok(queryPremiumOrderDetail, { premiumOrderId: order.id }, { as });
  return allocations[0]!.id;
}
