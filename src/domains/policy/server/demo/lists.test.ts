import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { batchMachine } from '../../contract/batchDictionaries.ts';
import { addPolicy } from '../../contract/calls/policies.ts';
import { keeper, makeProduct, policyWish } from '../testing/fixtures.ts';
import { applied, crowd, makeTemplate } from '../testing/lists.ts';
import { writeDemoLists } from './lists.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

it('writes nine kinds of errors, every state, and again nothing, over the policies that stand', async () => {
  const [maker, checker, { productId }] = [await keeper(app), await keeper(app), await makeProduct(app)];
  const templateId = await makeTemplate(app, maker);
  for (const holderName of ['江南科技有限公司', '江城制造集团有限公司', '长江造船有限公司']) {
    const { id } = await app.ok(addPolicy, policyWish(productId, { holderName, coverageStart: '2026-06-01', coverageEnd: '2027-05-31' }), {
      as: maker,
    });
    await applied(app, maker, checker, crowd(60, { effectiveOn: '2026-11-01' }), { templateId, policyId: id, mode: 'INITIAL' });
  }
  for (const userName of ['product_a', 'product_r'])
    if (!(await sql`select from identity_staff_user where user_name = ${userName}`.execute(app.db)).rows.length)
      await app.staff({ userName });
  const demo = {
    kernel: app.kernel,
    now: app.clock.now(),
    db: app.db,
    transaction: <T>(work: Parameters<typeof app.kernel.transactions.run<T>>[1]) => app.kernel.transactions.run('demo', work),
  };
  const count = async () => Number((await sql<{ n: string }>`select count(*) as n from policy_insured_batch`.execute(app.db)).rows[0]?.n);
  const before = await count();
  await writeDemoLists(demo);
  await writeDemoLists(demo);
  expect((await count()) - before).toBe(26);
  const { rows: states } = await sql<{ state: string }>`select distinct state from policy_insured_batch order by 1`.execute(app.db);
  expect(states.map(({ state }) => state)).toEqual(Object.keys(batchMachine.states).toSorted());
  const { rows: errors } = await sql<{ code: string; n: number }>`
    select e ->> 'code' as code, count(*)::int as n from policy_insured_batch_row r, jsonb_array_elements(r.errors) e
    where r.batch_id = (select id from policy_insured_batch where error_rows = 37) group by 1 order by 1`.execute(app.db);
  expect(errors).toEqual(
    Object.entries({ E01: 6, E02: 5, E03: 5, E04: 5, E05: 4, E06: 3, E07: 4, E09: 3, E16: 2 }).map(([code, n]) => ({ code, n })),
  );
  const { rows: full } = await sql<{ fault: string }>`select fault from policy_insured_batch where mode = 'FULL'`.execute(app.db);
  expect(full[0]?.fault).toMatch(/^全量清单缺少\d+人（2[4-7]%），请确认文件完整$/);
  // what was left running goes on by itself
  await app.runDue();
  const { rows: running } = await sql`select from policy_insured_batch where state in ('PARSING', 'APPLYING', 'UNDOING')`.execute(app.db);
  expect(running).toEqual([]);
});
