import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayOf } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryOverview } from '#domains/insurance/contract/statistics/calls.ts';
import { addPolicy, queryPolicyDetail, queryPolicyTotal } from '../../contract/calls/policies.ts';
import { countInsuredInForce } from '../index.ts';
import { itemOf, keeper, makeProduct, passed, personWish, policyWish, type MadeProduct } from '../testing/fixtures.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let reader: TestStaff;
let product: MadeProduct;
beforeAll(async () => {
  app = await startTestApp();
  [maker, checker, product] = [await keeper(app), await keeper(app), await makeProduct(app)];
  reader = await app.staff({ permissions: ['insurance.stat.view', 'policy.policy.view'] });
});
afterAll(() => app.close());

it('在保人数 is one number on 数据统计, 保单查询, the policy and for other domains, today and at the end of a month', async () => {
  const { id: policyId } = await app.ok(addPolicy, policyWish(product.productId, { declaredCount: 3, adcode: '320100' }), { as: maker });
  for (const name of ['张建国', '李秀兰', '王志强'])
    await passed(app, maker, checker, {
      policyId,
      kind: 'ADD',
      effectiveOn: '2026-01-01',
      after: { person: personWish({ name, mobile: null }), planCode: 'P1' },
    });
  await passed(app, maker, checker, {
    policyId,
    kind: 'REMOVE',
    effectiveOn: '2026-11-01',
    after: { insuredItemIds: [await itemOf(app, policyId, '王志强')] },
  });
  const onStatistics = async (month: string, more: object = {}) =>
    (await app.ok(queryOverview, { from: month, to: month, productIds: [product.productId], ...more }, { as: reader })).now.insured;
  const [total, policy] = [
    await app.ok(queryPolicyTotal, { productId: product.productId }, { as: reader }),
    await app.ok(queryPolicyDetail, { policyId }, { as: reader }),
  ];
  const today = dayOf(app.clock.now());
  expect([
    total.insured,
    policy.insuredCount,
    await onStatistics('2026-11'),
    await countInsuredInForce(app.db, product.productId, today),
  ]).toEqual([2, 2, 2, 2]);
  expect([await onStatistics('2026-10'), await countInsuredInForce(app.db, product.productId, '2026-10-31')]).toEqual([3, 3]);
  // Whose policy is suspended is insured still, but nothing is due for him on that day.
  await passed(app, maker, checker, { policyId, kind: 'SUSPEND', effectiveOn: today });
  expect([await onStatistics('2026-11'), await countInsuredInForce(app.db, product.productId, today)]).toEqual([2, 0]);
  expect(await countInsuredInForce(app.db, product.productId, '2026-10-31')).toBe(3);
  // Persons live where they are said to live, else where their policy is.
  expect([
    await onStatistics('2026-11', { adcodes: ['320000', '110000'] }),
    await onStatistics('2026-11', { adcodes: ['440000'] }),
  ]).toEqual([2, 0]);
});
