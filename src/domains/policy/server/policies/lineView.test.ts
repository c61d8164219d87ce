import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';

import { addEndorsement, queryEndorsementList } from '../../contract/calls/endorsements.ts';
import { queryInsuredPersonDetail, queryInsuredPersonList } from '../../contract/calls/persons.ts';
import { addPolicy } from '../../contract/calls/policies.ts';
import { addPremiumOrder, modifyPremiumOrder, queryPremiumOrderList, setInsurerInvoice } from '../../contract/calls/premium.ts';
import { itemOf, keeper, makeProduct, passed, personWish, policyWish, type MadeProduct } from '../testing/fixtures.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let product: MadeProduct;
beforeAll(async () => {
  app = await startTestApp();
  [maker, checker, product] = [await keeper(app), await keeper(app), await makeProduct(app)];
});
afterAll(() => app.close());

const OF_INSURER = { insurerEndorsementNo: 'PG-1' };
const added = (policyId: string, name: string) => ({
  policyId,
  kind: 'ADD' as const,
  effectiveOn: '2026-12-01',
  after: { person: personWish({ name, employeeNo: 'E01', department: '研发部' }), planCode: 'P1' },
});
/** A policy with somebody in it, whose line of business is another one from then on. */
async function policyOf(line: 'STANDARD' | 'HMO' | 'DAAS', names: readonly string[] = ['张建国'], more: object = {}) {
  const period = { coverageStart: '2026-12-01', coverageEnd: '2027-11-30' };
  const { id } = await app.ok(addPolicy, policyWish(product.productId, { ...period, ...more }), { as: maker });
  for (const name of names) await passed(app, maker, checker, { ...added(id, name), ...OF_INSURER });
  await sql`update policy_policy set product_line = ${line} where id = ${id}`.execute(app.db);
  await sql`update policy_premium_order set stated_fen = 119000, insurer_invoice_no = 'FP-1' where policy_id = ${id}`.execute(app.db);
  return id;
}
const persons = (input: object) => app.ok(queryInsuredPersonList, input, { as: maker });

describe('what a line of business shows of its policies', () => {
  it('keeps the insurer’s numbers where an insurer has some', async () => {
    const policyId = await policyOf('STANDARD');
    expect((await app.ok(queryEndorsementList, { policyId }, { as: maker })).rows).toMatchObject([OF_INSURER]);
    expect((await app.ok(queryPremiumOrderList, { policyId }, { as: maker })).rows).toMatchObject([
      { statedFen: '119000', differenceFen: '-1000', insurerInvoiceNo: 'FP-1' },
    ]);
    expect((await persons({ policyId })).rows).toMatchObject([{ enterpriseName: null, employeeNo: 'E01', department: '研发部' }]);
  });

  it.each(['HMO', 'DAAS'] as const)(
    'of an enterprise (%s) says whose staff they are, and takes and tells no number of an insurer',
    async (line) => {
      const policyId = await policyOf(line);
      const enterpriseName = '江南科技有限公司';
      expect((await persons({ policyId })).rows).toMatchObject([{ enterpriseName, employeeNo: 'E01', department: '研发部' }]);
      const insuredItemId = await itemOf(app, policyId, '张建国');
      expect(await app.ok(queryInsuredPersonDetail, { insuredItemId }, { as: maker })).toMatchObject({ enterpriseName });
      expect((await app.ok(queryEndorsementList, { policyId }, { as: maker })).rows).toMatchObject([{ insurerEndorsementNo: '' }]);
      const { rows } = await app.ok(queryPremiumOrderList, { policyId }, { as: maker });
      expect(rows).toMatchObject([{ statedFen: null, differenceFen: null, insurerInvoiceNo: null }]);

      const name = line === 'HMO' ? 'HMO健康管理' : 'DaaS药品福利';
      const more = { ...added(policyId, '王志强'), reason: '新员工', ...OF_INSURER };
      expect(await app.refused(addEndorsement, more, { as: maker })).toMatchObject({
        fields: [{ path: 'insurerEndorsementNo', message: `${name}保单没有保司批单号，请留空` }],
      });
      const [order] = rows;
      const { id, version, dueOn } = order!;
      await sql`update policy_premium_order set state = 'REJECTED' where id = ${id}`.execute(app.db);
      expect(await app.refused(modifyPremiumOrder, { id, version, dueOn, statedFen: 119_000 }, { as: maker })).toMatchObject({
        fields: [{ path: 'statedFen', message: `${name}保单没有保司金额，请留空` }],
      });
      await sql`update policy_premium_order set state = 'APPROVED' where id = ${id}`.execute(app.db);
      expect(await app.refused(setInsurerInvoice, { id, version, insurerInvoiceNo: 'FP-2' }, { as: maker })).toMatchObject({
        fields: [{ path: 'insurerInvoiceNo' }],
      });
      const stated = { policyId, kind: 'NEW' as const, dueOn, statedFen: 1 };
      expect(await app.refused(addPremiumOrder, stated, { as: maker })).toMatchObject({ fields: [{ path: 'statedFen' }] });
    },
  );

  it('counts the persons of a city when somebody is looked for, and turns its pages without', async () => {
    const policyId = await policyOf('STANDARD', ['张一', '张二', '李三'], { policyType: 'CITY' });
    const pages = [await persons({ policyId, pageSize: 2 }), await persons({ policyId, pageNo: 2, pageSize: 2 })];
    expect(pages.map(({ rows }) => rows.map(({ name }) => name))).toEqual([['李三', '张二'], ['张一']]);
    // A page tells no more than that there is another one.
    const one = await persons({ policyId, pageSize: 1 });
    expect([one.total, one.rows.length]).toEqual([2, 1]);
    expect((await persons({ policyId, name: '张', pageSize: 1 })).total).toBe(2);
    expect((await persons({ policyId, relation: ['SELF'], pageSize: 1 })).total).toBe(3);
    await sql`update policy_policy set policy_type = 'GROUP' where id = ${policyId}`.execute(app.db);
    expect((await persons({ policyId, pageSize: 1 })).total).toBe(3);
  });
});
