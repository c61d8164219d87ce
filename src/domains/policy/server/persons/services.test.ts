import { afterAll, beforeAll, expect, it } from 'vitest';
import { everyone, type Viewer } from '#kernel/server/auth/viewer.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addPolicy } from '../../contract/calls/policies.ts';
import { getInsuredForEnrol, searchInsured } from '../index.ts';
import { itemOf, keeper, makeProduct, passed, personWish, policyWish } from '../testing/fixtures.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  [maker, checker] = [await keeper(app), await keeper(app)];
});
afterAll(() => app.close());

it('is told to enrolment with numbers as ciphers and the days of the cover without a gap, whatever plans were in it', async () => {
  const { id: policyId, policyNo } = await app.ok(addPolicy, policyWish((await makeProduct(app)).productId), { as: maker });
  const wish = personWish({ name: '周宁', mobile: '13900000077' });
  await passed(app, maker, checker, { policyId, kind: 'ADD', effectiveOn: '2026-01-01', after: { person: wish, planCode: 'P1' } });
  const insuredItemId = await itemOf(app, policyId, '周宁');
  await passed(app, maker, checker, {
    policyId,
    kind: 'PLAN',
    effectiveOn: '2026-07-01',
    after: { insuredItemIds: [insuredItemId], planCode: 'P2' },
  });
  const found = await getInsuredForEnrol(app.db, { insuredItemId, today: '2026-11-21' });
  expect(found).toMatchObject({
    planCode: 'P2',
    coverageStart: '2026-07-01',
    coveredFrom: '2026-01-01',
    coveredTo: '2026-12-31',
    realNameState: 'NONE',
  });
  expect([found?.idNoCipher, found?.mobileCipher].map((kept) => app.kernel.secrets.decrypt(kept ?? ''))).toEqual([wish.idNo, wish.mobile]);

  const search = (seer: Viewer, pageNo = 1, pageSize = 1) =>
    searchInsured(app.db, { policyNo: policyNo.toLowerCase(), today: '2026-11-21', seer, page: { pageNo, pageSize } });
  await expect(search(everyone, 10_001)).rejects.toMatchObject({ code: 'SCM90020' });
  const othersStaff = { ...everyone, scope: { ...everyone.scope, insurer: ['999999999'] } };
  expect(await search(othersStaff)).toEqual({ rows: [], total: 0 });
  await passed(app, maker, checker, {
    policyId,
    kind: 'ADD',
    effectiveOn: '2026-02-01',
    after: { person: personWish({ name: '吴宁' }), planCode: 'P1' },
  });
  const first = await search(everyone);
  const second = await search(everyone, 2);
  expect([first.total, first.rows[0]?.name, second.rows[0]?.name]).toEqual([2, '吴宁', '周宁']);
  expect(second.rows[0]).toMatchObject({ insuredItemId, coveredFrom: '2026-01-01', coveredTo: '2026-12-31', mobileMasked: '139****0077' });
  expect(JSON.stringify([first, second])).not.toContain(wish.idNo);
});
