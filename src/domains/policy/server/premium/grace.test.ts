import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOfDay } from '#kernel/contract/time.ts';
import { jobContext } from '#testing/jobContext.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addPolicy } from '../../contract/calls/policies.ts';
import { generateInstalments } from '../../contract/calls/premium.ts';
import { own } from '../database.ts';
import { keeper, makeProduct, passed, personWish, policyWish } from '../testing/fixtures.ts';
import { graceJob } from './instalments.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  [maker, checker] = [await keeper(app), await keeper(app)];
});
afterAll(() => app.close());

const run = () => graceJob(app.kernel).run({}, jobContext(app, { now: startOfDay('2026-11-21', '00:30') }));
const partsOf = async (policyId: string) =>
  (
    await own(app.db)
      .selectFrom('policyPremiumOrder')
      .select('periodFrom')
      .where('policyId', '=', policyId)
      .where('kind', '=', 'INSTALMENT')
      .orderBy('periodFrom')
      .execute()
  ).map(({ periodFrom }) => periodFrom);

it('a policy whose instalments cannot be made holds up no other one, and is named where the job failed', async () => {
  const { productId } = await makeProduct(app);
  const monthly = async () => {
    const wish = policyWish(productId, { coverageStart: '2026-10-01', coverageEnd: '2027-09-30', payMode: 'MONTH' });
    const { id } = await app.ok(addPolicy, wish, { as: maker });
    const person = { person: personWish(), planCode: 'P1' };
    await passed(app, maker, checker, { policyId: id, kind: 'ADD', effectiveOn: '2026-10-01', after: person });
    await sql`update policy_premium_order set kind = 'NEW', part_no = 1, part_of = 12 where policy_id = ${id}`.execute(app.db);
    return { id, policyNo: wish.policyNo };
  };
  const [before, poisoned, behind] = [await monthly(), await monthly(), await monthly()];
  // What was asked for of November says that it is another part: the job makes it once more, which the database refuses.
  await app.ok(generateInstalments, { policyId: poisoned.id, until: '2026-11-30' }, { as: maker });
  const say = (part: number) =>
    sql`update policy_premium_order set part_no = ${part} where policy_id = ${poisoned.id} and kind = 'INSTALMENT'`.execute(app.db);
  await say(9);
  await expect(run()).rejects.toThrow(`1项处理失败，其余已处理：${poisoned.policyNo}。`);
  const both = ['2026-11-01', '2026-12-01'];
  expect([await partsOf(before.id), await partsOf(poisoned.id), await partsOf(behind.id)]).toEqual([both, ['2026-11-01'], both]);
  await say(2);
  await run();
  expect(await partsOf(poisoned.id)).toEqual(both);
  expect(await partsOf(behind.id)).toEqual(both);
});
