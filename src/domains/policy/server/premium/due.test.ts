import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryPolicyDetail, queryPolicyList, queryPolicyTotal } from '../../contract/calls/policies.ts';
import {
  addReceipt,
  allocateReceipt,
  auditPremiumOrder,
  claimNextPremiumOrder,
  queryPremiumOrderList,
  queryPremiumOrderTotal,
  reversePremiumOrder,
  voidPremiumOrder,
} from '../../contract/calls/premium.ts';
import { queryTableData } from '../../contract/calls/query.ts';
import type { queryConfig } from '../../contract/query.ts';
import { queryPermissions } from '../../contract/permissions.ts';
import { itemOf, keeper, passed, personWish } from '../testing/fixtures.ts';
import { aPolicy, addWish, receiptWish } from '../testing/orders.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import type * as z from 'zod/mini';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let asker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  checker = await keeper(app);
  asker = await app.staff({ permissions: [queryPermissions['query.view'].code] });
});
afterAll(() => app.close());

let keys = 0;
const key = () => `policy-due-${(keys += 1)}`;

type Config = z.input<typeof queryConfig>;
const asked = async (dataset: InputOf<typeof queryTableData>['dataset'], config: Config) =>
  (await app.ok(queryTableData, { dataset, config }, { as: asker })).rows[0];

/** What each page says of the premium of a policy, which is one and the same. */
async function premiumOf(policyId: string) {
  const { policyNo, premium, ...facts } = await app.ok(queryPolicyDetail, { policyId }, { as: maker });
  const { overdue: _overdue, ...said } = premium;
  const { premiumFen, waitingFen, receivedFen } = said;
  expect(facts).toMatchObject({ premiumFen, waitingFen, receivedFen });
  expect((await app.ok(queryPolicyList, { policyNo }, { as: maker })).rows).toMatchObject([{ premiumFen, waitingFen, receivedFen }]);
  expect(await app.ok(queryPolicyTotal, { policyNo }, { as: maker })).toMatchObject({ premiumFen, waitingFen, receivedFen });
  const { orders: _orders, ...total } = await app.ok(queryPremiumOrderTotal, { policyId }, { as: maker });
  expect(total).toEqual(said);
  const filters = { op: 'AND' as const, items: [{ variable: 'policyNo', operator: '=' as const, value: policyNo }] };
  const sums = (...columns: string[]) => ({ columns: columns.map((one) => ({ key: one, agg: 'SUM' as const })), filters });
  const plain = { columns: ['premiumFen', 'waitingFen', 'receivedFen'].map((one) => ({ key: one })), filters };
  expect(Object.values((await asked('policy', plain)) ?? {})).toEqual(expect.arrayContaining([premiumFen, waitingFen, receivedFen]));
  expect(Object.values((await asked('premiumOrder', sums('premiumFen', 'waitingFen'))) ?? {})).toEqual([premiumFen, waitingFen]);
  return said;
}

const ordersOf = async (policyId: string) =>
  (await app.ok(queryPremiumOrderList, { policyId }, { as: maker })).rows.toSorted((one, other) => Number(one.id) - Number(other.id));
async function pass(policyId: string, at: number) {
  const { id } = (await ordersOf(policyId))[at]!;
  await app.ok(claimNextPremiumOrder, { id }, { as: checker });
  const { version } = (await ordersOf(policyId))[at]!;
  return app.ok(auditPremiumOrder, { id, version, action: 'approve', opinion: '核对无误' }, { as: checker, idempotencyKey: key() });
}

it('premium is due once its order is passed, waits until then, and is gone with what was given up or reversed: everywhere the same', async () => {
  const { id: policyId } = await aPolicy(app);
  const stranger = await app.staff({ permissions: ['policy.premium.view'], scope: { insurer: ['999999999'] } });
  const outside = await app.staff({ permissions: ['policy.policy.view'] });
  expect(await app.refused(queryPremiumOrderTotal, { policyId }, { as: outside })).toMatchObject({ code: 'SCM90010' });
  const nothing = { collectFen: '0', refundFen: '0', premiumFen: '0', waitingFen: '0', receivedFen: '0' };
  expect(await premiumOf(policyId)).toEqual(nothing);

  await passed(app, maker, checker, addWish(app, policyId));
  expect(await premiumOf(policyId)).toEqual({ ...nothing, waitingFen: '120000' });
  expect(await app.ok(queryPremiumOrderTotal, { policyId }, { as: stranger })).toEqual({ orders: 0, ...nothing });

  await pass(policyId, 0);
  expect(await premiumOf(policyId)).toEqual({ ...nothing, collectFen: '120000', premiumFen: '120000' });

  // somebody else comes and goes; his order is called back and given up
  const second = { ...addWish(app, policyId), after: { person: personWish({ name: '李秀兰', gender: 'F' }), planCode: 'P1' } };
  await passed(app, maker, checker, second);
  const [, late] = await ordersOf(policyId);
  await app.ok(auditPremiumOrder, { id: late!.id, version: late!.version, action: 'recall' }, { as: maker, idempotencyKey: key() });
  expect(await premiumOf(policyId)).toMatchObject({ premiumFen: '120000', waitingFen: '120000' });
  const recalled = (await ordersOf(policyId))[1]!;
  await app.ok(voidPremiumOrder, { id: recalled.id, version: recalled.version, opinion: '线下缴费' }, { as: maker, idempotencyKey: key() });
  expect(await premiumOf(policyId)).toMatchObject({ collectFen: '120000', premiumFen: '120000', waitingFen: '0' });

  // what is returned is taken off what is due, once it is passed
  const insuredItemId = await itemOf(app, policyId, '李秀兰');
  await passed(app, maker, checker, {
    policyId,
    kind: 'REMOVE',
    effectiveOn: app.clock.today(),
    after: { insuredItemIds: [insuredItemId] },
  });
  const [, , back] = await ordersOf(policyId);
  expect(back).toMatchObject({ direction: 'REFUND', state: 'PENDING_AUDIT' });
  expect(await premiumOf(policyId)).toMatchObject({ premiumFen: '120000', waitingFen: `-${back!.amountFen}` });
  await pass(policyId, 2);
  const net = String(120_000 - Number(back!.amountFen));
  expect(await premiumOf(policyId)).toMatchObject({ collectFen: '120000', refundFen: back!.amountFen, premiumFen: net, waitingFen: '0' });

  const [first] = await ordersOf(policyId);
  const receipt = await app.ok(addReceipt, receiptWish(app, 50_000), { as: maker });
  const shares = [{ premiumOrderId: first!.id, amountFen: 50_000 }];
  await app.ok(allocateReceipt, { receiptId: receipt.id, shares }, { as: maker, idempotencyKey: key() });
  expect(await premiumOf(policyId)).toMatchObject({ premiumFen: net, receivedFen: '50000' });

  // a reversed order and its counter order are nothing
  const returned = (await ordersOf(policyId))[2]!;
  const reversing = { id: returned.id, version: returned.version, opinion: '账单有误' };
  await app.ok(reversePremiumOrder, reversing, { as: checker, idempotencyKey: key() });
  expect(await premiumOf(policyId)).toMatchObject({ collectFen: '120000', refundFen: '0', premiumFen: '120000', receivedFen: '50000' });
  const month = await asked('premiumMonth', {
    columns: [{ key: 'writtenFen', agg: 'SUM' }],
    filters: { op: 'AND', items: [{ variable: 'productName', operator: '=', value: first!.productName }] },
  });
  expect(Object.values(month ?? {})).toEqual(['120000']);
});
