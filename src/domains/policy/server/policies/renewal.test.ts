import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { policyRenewed } from '#events/policy.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  auditInsuredBatch,
  queryInsuredBatchDetail,
  queryInsuredBatchRowList,
  modifyInsuredBatchRow,
  reparseInsuredBatch,
} from '../../contract/calls/batches.ts';
import { auditEndorsement } from '../../contract/calls/endorsements.ts';
import { queryInsuredPersonList } from '../../contract/calls/persons.ts';
import { generateInstalments } from '../../contract/calls/premium.ts';
import { addPolicy, delPolicy, queryPolicyDetail, renewPolicy } from '../../contract/calls/policies.ts';
import { own } from '../database.ts';
import { itemOf, keeper, makeProduct, passed, personWish, policyWish, renewWish, type MadeProduct } from '../testing/fixtures.ts';
import { detailOf, handedIn } from '../testing/lists.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let product: MadeProduct;
beforeAll(async () => {
  app = await startTestApp();
  [maker, checker, product] = [await keeper(app), await keeper(app), await makeProduct(app)];
});
afterAll(() => app.close());

const covered = (policyId: string, more: Parameters<typeof personWish>[0] = {}, planCode = 'P1') =>
  passed(app, maker, checker, {
    policyId,
    kind: 'ADD',
    effectiveOn: '2026-01-01',
    after: { person: personWish({ mobile: null, ...more }), planCode },
  });
const now = (policyId: string) => app.ok(queryPolicyDetail, { policyId }, { as: maker });

/** A policy with a main insured, his child, somebody of 60, and somebody who left. */
async function former(more: Parameters<typeof policyWish>[1] = {}) {
  const { id } = await app.ok(addPolicy, policyWish(product.productId, { declaredCount: 3, ...more }), { as: maker });
  await covered(id, { name: '张建国', employeeNo: 'A01', department: '研发部' });
  await covered(
    id,
    { name: '张小宝', birthDate: '2015-03-02', relation: 'CHILD', mainInsuredItemId: await itemOf(app, id, '张建国') },
    'P2',
  );
  await covered(id, { name: '李秀兰', birthDate: '1965-06-01', gender: 'F' });
  await covered(id, { name: '王志强' });
  await passed(app, maker, checker, {
    policyId: id,
    kind: 'REMOVE',
    effectiveOn: '2026-11-01',
    after: { insuredItemIds: [await itemOf(app, id, '王志强')] },
  });
  return now(id);
}

describe('a renewal', () => {
  it('is refused before the former term ends, with a number that stands, twice, and of a policy that is over', async () => {
    const policy = await former();
    const wish = renewWish(policy, '2027-01-01');
    const refused = (more: object) => app.refused(renewPolicy, { ...wish, ...more }, { as: maker });
    const viewer = await app.staff({ permissions: ['policy.policy.view', 'policy.endorse.make'] });
    expect(await app.refused(renewPolicy, wish, { as: viewer })).toMatchObject({ code: 'SCM90010' });
    expect(await refused({ version: 1 })).toMatchObject({ code: 'SCM90030' });
    expect(await refused({ coverageStart: '2026-12-31' })).toMatchObject({
      fields: [{ path: 'coverageStart', message: '新起保日期须晚于原保单终保日期2026-12-31' }],
    });
    expect(await refused({ coverageEnd: '2026-12-31' })).toMatchObject({ fields: [{ path: 'coverageEnd' }] });
    expect(await refused({ policyNo: policy.policyNo.toLowerCase() })).toMatchObject({ code: 'SCM13001' });
    const made = await app.ok(renewPolicy, wish, { as: maker });
    const { version } = await now(policy.id);
    expect(await app.refused(renewPolicy, { ...renewWish(policy, '2027-01-01'), version }, { as: maker })).toMatchObject({
      fields: [{ path: 'policyId', message: `该保单已由保单${made.policyNo}续保` }],
    });
    // the list of its persons hangs on it
    expect(await app.refused(delPolicy, { id: made.id, version: made.version }, { as: maker })).toMatchObject({
      code: 'SCM13007',
      message: `保单有清单批次${made.batchNo}，请先作废该批次`,
    });
    const suspended = await app.ok(addPolicy, policyWish(product.productId), { as: maker });
    await passed(app, maker, checker, { policyId: suspended.id, kind: 'SUSPEND', effectiveOn: app.clock.today() });
    expect(await app.refused(renewPolicy, renewWish(await now(suspended.id), '2027-01-01'), { as: maker })).toMatchObject({
      code: 'SCM13012',
      message: '保单中止，不能续保，请先复效',
    });
    const given = await app.ok(addPolicy, policyWish(product.productId), { as: maker });
    await passed(app, maker, checker, { policyId: given.id, kind: 'SURRENDER', effectiveOn: app.clock.today() });
    expect(await app.refused(renewPolicy, renewWish(await now(given.id), '2027-01-01'), { as: maker })).toMatchObject({
      code: 'SCM13012',
      message: '保单已退保，不能续保',
    });
  });

  it('takes plan and persons of the last day over as a list, which is corrected, and charges them as a renewal in parts', async () => {
    const policy = await former({ payMode: 'QUARTER' });
    const made = await app.ok(renewPolicy, renewWish(policy, '2027-01-01'), { as: maker });
    const { rows: told } = await sql<{ payload: object }>`
      select payload from kernel_outbox where name = ${policyRenewed.name} and aggregate_id = ${made.id}`.execute(app.db);
    expect(told).toMatchObject([{ payload: { policyId: made.id, renewalOfPolicyId: policy.id, coverageStart: '2027-01-01' } }]);
    expect(await now(made.id)).toMatchObject({
      state: 'PENDING',
      declaredCount: 3,
      holderName: '江南科技有限公司',
      holderIdNo: policy.holderIdNo,
      payMode: 'QUARTER',
      renewalOf: { policyId: policy.id },
    });
    expect(await now(policy.id)).toMatchObject({ renewedBy: { policyId: made.id } });
    await app.runDue();
    const batch = await app.ok(queryInsuredBatchDetail, { batchId: made.batchId }, { as: maker });
    expect(batch).toMatchObject({
      state: 'HAS_ERROR',
      templateName: null,
      renewsPolicyNo: policy.policyNo,
      totalRows: 3,
      addRows: 2,
      errorCodes: [{ code: 'E08', sample: '年龄61岁不在计划承保范围0-60岁', rows: 1 }],
    });
    const rows = async () => (await app.ok(queryInsuredBatchRowList, { batchId: batch.id }, { as: maker })).rows;
    const old = (await rows()).find(({ name }) => name === '李秀兰')!;
    expect(old).toMatchObject({ result: 'ERROR', effectiveOn: '2027-01-01', planCode: 'P1' });
    expect(await app.refused(reparseInsuredBatch, { batchId: batch.id, version: batch.version, fileId: '1' }, { as: maker })).toMatchObject(
      {
        fields: [{ path: 'fileId', message: '续保名单没有文件，不能更换' }],
      },
    );
    const corrected = await app.ok(
      modifyInsuredBatchRow,
      { batchId: batch.id, version: batch.version, rowId: old.id, values: { planCode: 'P2' } },
      { as: maker },
    );
    expect(corrected).toMatchObject({ state: 'PREVIEW', row: { result: 'ADD', planCode: 'P2' } });
    // 1,200 and twice 2,400 yuan: nobody else has to look at it
    expect(await handedIn(app, maker, batch)).toMatchObject({ state: 'APPLYING' });
    await app.runDue();
    expect(await detailOf(app, maker, batch)).toMatchObject({ state: 'APPLIED', premiumDeltaFen: '600000' });
    expect(await now(made.id)).toMatchObject({ insuredCount: 0, endorsementCount: 1 });
    const persons = await app.ok(queryInsuredPersonList, { policyId: made.id, asOfDay: '2027-06-01' }, { as: maker });
    expect(
      persons.rows.map(({ name, planCode, mainName, employeeNo, coverageStart, coverageEnd }) => [
        name,
        planCode,
        mainName,
        employeeNo,
        coverageStart,
        coverageEnd,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['张建国', 'P1', null, 'A01', '2027-01-01', '2027-12-31'],
        ['张小宝', 'P2', '张建国', null, '2027-01-01', '2027-12-31'],
        ['李秀兰', 'P2', null, null, '2027-01-01', '2027-12-31'],
      ]),
    );
    expect(persons.total).toBe(3);
    const orders = () =>
      own(app.db)
        .selectFrom('policyPremiumOrder')
        .select(['kind', 'direction', 'amountFen', 'partNo', 'partOf', 'periodFrom', 'periodTo', 'state'])
        .where('policyId', '=', made.id)
        .orderBy('id')
        .execute();
    expect(await orders()).toEqual([
      {
        kind: 'RENEWAL',
        direction: 'COLLECT',
        amountFen: '150000',
        partNo: 1,
        partOf: 4,
        periodFrom: '2027-01-01',
        periodTo: '2027-03-31',
        state: 'PENDING_AUDIT',
      },
    ]);
    await app.ok(generateInstalments, { policyId: made.id, until: '2027-12-31' }, { as: maker });
    expect((await orders()).map(({ kind, amountFen }) => [kind, amountFen])).toEqual([
      ['RENEWAL', '150000'],
      ...Array.from({ length: 3 }, () => ['INSTALMENT', '150000']),
    ]);
  });

  it('may be made anew when the first one never held, and is then no longer brought back', async () => {
    const policy = await former();
    const first = await app.ok(renewPolicy, renewWish(policy, '2027-01-01'), { as: maker });
    await app.runDue();
    const { version: listVersion } = await detailOf(app, maker, { id: first.batchId });
    await app.ok(
      auditInsuredBatch,
      { batchId: first.batchId, version: listVersion, action: 'discard', opinion: '单号有误' },
      { as: maker },
    );
    const cancelled = await passed(app, maker, checker, { policyId: first.id, kind: 'CANCEL', effectiveOn: '2027-01-01' });
    const { version } = await now(policy.id);
    const second = await app.ok(renewPolicy, renewWish({ id: policy.id, version }, '2027-01-01'), { as: maker });
    expect(
      await app.refused(
        auditEndorsement,
        { id: cancelled.id, version: cancelled.version, action: 'undo', opinion: '误注销' },
        { as: checker },
      ),
    ).toMatchObject({ fields: [{ message: `该保单已由保单${second.policyNo}续保` }] });
  });

  it('is one at a time', async () => {
    const policy = await former();
    const both = await Promise.all([1, 2].map(() => app.send(renewPolicy, renewWish(policy, '2027-01-01'), { as: maker })));
    expect(both.filter(({ envelope }) => envelope.code === '0000000')).toHaveLength(1);
  });
});
