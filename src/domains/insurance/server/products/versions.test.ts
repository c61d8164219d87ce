import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { boxes, claimOf } from '../../contract/testing/specs.ts';
import { trialAdjudicate } from '../../contract/claimRules/trial.ts';
import { auditProductVersion, modifyProductVersion, queryProductDetail } from '../../contract/products/calls.ts';
import { addTestCase, queryTestCaseList, runTestCases } from '../../contract/tests/calls.ts';
import { own } from '../database.ts';
import { pinVersion } from '../services.ts';
import { addDraft, keeper, makeDraft, proveDraft, publish } from '../testing/products.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  checker = await keeper(app);
});
afterAll(() => app.close());

const inDays = (n: number) => plusDays(app.clock.today(), n);
const stateOf = async (productId: string) =>
  Object.fromEntries(
    (await app.ok(queryProductDetail, { productId }, { as: maker })).versions.map(({ versionNo, state, effectiveTo }) => [
      versionNo,
      [state, effectiveTo],
    ]),
  );

describe('a version is handed in', () => {
  it('with rates that leave no gap (acceptance 5)', async () => {
    const draft = await makeDraft(app, maker, inDays(10), (one) => ({
      ...one,
      benefits: one.benefits.map((benefit) => ({
        ...benefit,
        tiers: [
          { ...benefit.tiers[0]!, toFen: 2_000_000 },
          { ...benefit.tiers[0]!, fromFen: 3_000_000 },
        ],
      })),
    }));
    const wish = { id: draft.productVersionId, version: draft.version, action: 'submit' as const, opinion: '新产品' };
    expect(await app.refused(auditProductVersion, wish, { as: maker })).toMatchObject({
      code: 'SCM12009',
      message: '责任“院外特药费用”赔付比例区间有空档：已医保结算、非既往症、20,000.00元至30,000.00元',
    });
    expect(await stateOf(draft.productId)).toEqual({ 1: ['DRAFT', null] });
  });

  it('with three test cases that pass on what it says now (acceptance 6)', async () => {
    const draft = await makeDraft(app, maker, inDays(10));
    await proveDraft(app, maker, draft, 2);
    const wish = { id: draft.productVersionId, version: draft.version, action: 'submit' as const, opinion: '新产品' };
    expect(await app.refused(auditProductVersion, wish, { as: maker })).toMatchObject({
      code: 'SCM12006',
      message: '测试用例未达要求：至少需要3个启用的测试用例，当前2个',
    });
    const nothing = {
      productVersionId: draft.productVersionId,
      caseName: '空',
      active: true,
      input: claimOf([boxes(1, '1', 1, 100)]),
      expected: {},
    };
    expect(await app.refused(addTestCase, nothing, { as: maker })).toMatchObject({ code: 'SCM12041' });
    await app.ok(addTestCase, { ...nothing, caseName: '多赔一分', expected: { payableFen: 81 } }, { as: maker });
    const run = await app.ok(runTestCases, { productVersionId: draft.productVersionId }, { as: maker });
    expect(run).toMatchObject({ passed: 2, failed: 1, fault: '1个用例不通过' });
    const [, , failing] = await app.ok(queryTestCaseList, { productVersionId: draft.productVersionId }, { as: maker });
    expect(failing).toMatchObject({ lastResult: 'FAIL', deviations: ['应赔金额：期望0.81元，实际0.80元'] });
    expect(await app.refused(auditProductVersion, wish, { as: maker })).toMatchObject({ code: 'SCM12006' });
  });
});

describe('a version is passed', () => {
  it('by another person, ends the one before it, and stays as it is (acceptance 7, 9)', async () => {
    const first = await makeDraft(app, maker, inDays(1));
    await proveDraft(app, maker, first);
    const waiting = await app.ok(
      auditProductVersion,
      { id: first.productVersionId, version: first.version, action: 'submit', opinion: '新产品' },
      { as: maker },
    );
    const approve = { id: first.productVersionId, version: waiting.version, action: 'approve' as const, opinion: '同意' };
    expect(await app.refused(auditProductVersion, approve, { as: maker })).toMatchObject({
      code: 'SCM12007',
      message: '不能审核自己提交的版本',
    });
    await app.ok(auditProductVersion, approve, { as: checker });
    const second = await addDraft(app, maker, first.productId, { ...first.document, effectiveFrom: inDays(40) });
    await proveDraft(app, maker, second);
    const published = await publish(app, maker, checker, second);
    expect(await stateOf(first.productId)).toEqual({ 1: ['PUBLISHED', inDays(39)], 2: ['PUBLISHED', null] });

    const change = { productVersionId: second.productVersionId, version: published.version, document: second.document };
    expect(await app.refused(modifyProductVersion, change, { as: maker })).toMatchObject({ code: 'SCM90031' });
    await expect(
      sql`update insurance_benefit set waiting_days = 90 where product_version_id = ${second.productVersionId}`.execute(app.db),
    ).rejects.toThrow();
  });

  it('once, however many pass it at once, and never beside another of the same days (acceptance 8)', async () => {
    const first = await makeDraft(app, maker, inDays(5));
    await proveDraft(app, maker, first);
    const submit = (draft: typeof first) =>
      app.ok(
        auditProductVersion,
        { id: draft.productVersionId, version: draft.version, action: 'submit', opinion: '新产品' },
        { as: maker },
      );
    const approve = async (draft: typeof first) => {
      const { version } = await submit(draft);
      return { id: draft.productVersionId, version, action: 'approve' as const, opinion: '同意' };
    };
    const wish = await approve(first);
    const both = await Promise.all([1, 2].map(() => app.send(auditProductVersion, wish, { as: checker })));
    expect(both.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM90030']);
    const same = await addDraft(app, maker, first.productId, first.document);
    await proveDraft(app, maker, same);
    expect(await app.refused(auditProductVersion, await approve(same), { as: checker })).toMatchObject({
      code: 'SCM12004',
      message: '生效期与已发布版本V1重叠，请调整生效日期',
    });
  });

  it('and withdrawn while nothing hangs on it; the one before it goes on (acceptance 10)', async () => {
    const first = await makeDraft(app, maker, inDays(1));
    await proveDraft(app, maker, first);
    await publish(app, maker, checker, first);
    const second = await addDraft(app, maker, first.productId, { ...first.document, effectiveFrom: inDays(40) });
    await proveDraft(app, maker, second);
    const published = await publish(app, maker, checker, second);
    await own(app.db).updateTable('insuranceProduct').set({ status: 'ON_SALE' }).where('id', '=', first.productId).execute();
    const pin = { productVersionId: second.productVersionId, refType: 'policy', refId: '1', endsOn: inDays(400), now: app.clock.now() };
    await app.kernel.transactions.run('test', ({ tx }) => pinVersion(tx, pin));
    const withdraw = { id: second.productVersionId, version: published.version, action: 'withdraw' as const, opinion: '条款有误' };
    expect(await app.refused(auditProductVersion, withdraw, { as: checker })).toMatchObject({
      code: 'SCM12008',
      message: '已有1张保单或发卡批次使用该版本，不能撤回，请新建版本',
    });
    await own(app.db).deleteFrom('insuranceVersionPin').where('productVersionId', '=', second.productVersionId).execute();
    await app.ok(auditProductVersion, withdraw, { as: checker });
    expect(await stateOf(first.productId)).toEqual({ 1: ['PUBLISHED', null], 2: ['WITHDRAWN', null] });
  });
});

describe('a dry run', () => {
  it('pays what the version says, names what is missing, and writes nothing', async () => {
    const draft = await makeDraft(app, maker, inDays(3));
    const trial = (input = claimOf([boxes(1, '1', 2, 558_000, { socialPaidFen: 781_200 })])) => ({
      productVersionId: draft.productVersionId,
      input,
    });
    expect(
      await app.refused(trialAdjudicate, trial(claimOf([boxes(1, '1', 1, 100)], { cover: { planCode: 'P9' } })), { as: maker }),
    ).toMatchObject({
      code: 'SCM12040',
      message: '理算输入不完整：保障计划“P9”不在该产品版本中',
    });
    const one = [boxes(1, '1', 1, 100)];
    const by = { kind: 'AMOUNT' as const, reasonCode: 'L23', by: '李审核' };
    for (const [input, fault] of [
      [claimOf(one, { overrides: [{ ...by, lineNo: 1, value: null }] }), '人工核减第1条未填写核减值'],
      [claimOf(one, { overrides: [{ ...by, lineNo: 2, value: 1 }] }), '人工核减第1条指向第2行，明细中没有这一行'],
      [claimOf([boxes(1, '1', 1, 0)]), '第1行的金额、数量×单价须大于0，未收费的药品请从明细中移除'],
      [claimOf(one, { balances: { 'PAY:OUT_DRUG@2026-01-01': 1 } }), '已用额度“PAY:OUT_DRUG@2026-01-01”不是额度账户'],
    ] as const)
      expect(await app.refused(trialAdjudicate, trial(input), { as: maker })).toMatchObject({
        code: 'SCM12040',
        message: `理算输入不完整：${fault}`,
      });
    const outsider = await keeper(app, ['insurance.claimRule.trial']);
    expect(await app.refused(trialAdjudicate, trial(), { as: outsider })).toMatchObject({ code: 'SCM90010' });
    const result = await app.ok(trialAdjudicate, trial(), { as: maker });
    expect(result).toMatchObject({ payableFen: 267_840, outcome: 'PARTIAL', versionNo: 1 });
    expect(result.lines[0]!.steps.map(({ after }) => after).slice(3, 8)).toEqual([1_116_000, 334_800, 334_800, 334_800, 267_840]);
    expect(await app.ok(trialAdjudicate, trial(), { as: maker })).toEqual(result);
  });
});
