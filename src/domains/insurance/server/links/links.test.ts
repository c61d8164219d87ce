import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { LimitGroup, VersionDocument } from '../../contract/model/document.ts';
import { queryClaimRules } from '../../contract/claimRules/read.ts';
import { addClaimRule } from '../../contract/claimRules/calls.ts';
import { queryTrialRiders, trialAdjudicate } from '../../contract/claimRules/trial.ts';
import {
  addAppendedProduct,
  addAssociatedProduct,
  modifyAppendedProduct,
  queryAppendableProducts,
  queryAppendedProductList,
  queryAssociatedProductList,
  queryProductGraph,
  removeAssociatedProduct,
} from '../../contract/links/calls.ts';
import { renewalCycle } from '../../contract/links/renewals.ts';
import { boxes, claimOf } from '../../contract/testing/specs.ts';
import { keeper, makeDraft, makeInsurer, makeProduct, release, soon } from '../testing/products.ts';

let app: TestApp;
let maker: TestStaff;
let insurerId: string;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  insurerId = await makeInsurer(app);
});
afterAll(() => app.close());

const product = async (more: object = {}) => (await makeProduct(app, maker, { insurerId, ...more })).id;
/** A product that is sold. */
async function sold(): Promise<string> {
  const { productId, productVersionId } = await makeDraft(app, maker, '2026-01-01', undefined, { insurerId });
  await release(app, productVersionId);
  return productId;
}
const purse = (groupCode: string, amountFen: number, other: Partial<LimitGroup> = {}): LimitGroup => ({
  groupCode,
  groupName: groupCode,
  kind: 'CEILING',
  period: 'YEAR',
  subject: 'PERSON',
  amountFen,
  otherPayOffsets: false,
  ...other,
});
const rider = (mainProductId: string, otherProductId: string, more: object = {}) => ({
  mainProductId,
  otherProductId,
  attachMode: 'OPTIONAL' as const,
  effectiveFrom: '2026-01-01',
  ...more,
});
const renewal = (mainProductId: string, otherProductId: string) => ({
  mainProductId,
  otherProductId,
  linkType: 'RENEWAL_OF' as const,
  effectiveFrom: '2026-01-01',
  maxGapDays: 30,
  waiveWaiting: true,
});

describe('riders', () => {
  it('hang one layer deep, on products of the same payer, once (acceptance 19)', async () => {
    const [main, first, second, elsewhere] = [await sold(), await sold(), await sold(), (await makeProduct(app, maker)).id];
    expect(await app.refused(addAppendedProduct, rider(main, main), { as: maker })).toMatchObject({
      code: 'SCM12031',
      message: '产品不能关联自身',
    });
    expect(await app.refused(addAppendedProduct, rider(main, elsewhere), { as: maker })).toMatchObject({
      fields: [{ path: 'otherProductId' }],
    });
    const added = await app.ok(addAppendedProduct, rider(main, first), { as: maker });
    expect(await app.refused(addAppendedProduct, rider(main, first), { as: maker })).toMatchObject({
      code: 'SCM12032',
      message: '关联关系已存在',
    });
    for (const wrong of [rider(first, second), rider(second, main)])
      expect(await app.refused(addAppendedProduct, wrong, { as: maker })).toMatchObject({
        code: 'SCM12030',
        message: '附加产品只支持一层',
      });
    const { mainProductId: _, ...facts } = rider(main, first, { payOrder: 2 });
    await app.ok(modifyAppendedProduct, { ...facts, ...added }, { as: maker });
    expect(await app.refused(modifyAppendedProduct, { ...facts, ...added }, { as: maker })).toMatchObject({ code: 'SCM90030' });
    const { links } = await app.ok(queryAppendedProductList, { mainProductId: main }, { as: maker });
    expect(links).toMatchObject([{ otherProductId: first, payOrder: 2 }]);
    const offered = await app.ok(queryAppendableProducts, { mainProductId: second }, { as: maker });
    expect(offered.map(({ id }) => id)).not.toContain(main);
  });

  it('are sold themselves, and pay one after another', async () => {
    const [main, first, second] = [await sold(), await sold(), await sold()];
    const unsold = await makeDraft(app, maker, '2026-01-01', undefined, { insurerId });
    expect(await app.refused(addAppendedProduct, rider(main, unsold.productId), { as: maker })).toMatchObject({
      code: 'SCM12035',
      message: '附加产品“特药险”在2026-01-01起没有已发布的版本，请先发布版本再附加',
    });
    const offered = async () => (await app.ok(queryAppendableProducts, { mainProductId: main }, { as: maker })).map(({ id }) => id);
    expect(await offered()).not.toContain(unsold.productId);
    await release(app, unsold.productVersionId);
    expect(await offered()).toContain(unsold.productId);

    await app.ok(addAppendedProduct, rider(main, first, { effectiveTo: '2026-06-30' }), { as: maker });
    const taken = { code: 'SCM12036', message: '赔付顺序1已由附加产品“特药险”使用，请改用其他顺序' };
    expect(await app.refused(addAppendedProduct, rider(main, second), { as: maker })).toMatchObject(taken);
    const later = await app.ok(addAppendedProduct, rider(main, second, { effectiveFrom: '2026-07-01' }), { as: maker });
    const { mainProductId: _, ...facts } = rider(main, second);
    expect(await app.refused(modifyAppendedProduct, { ...facts, ...later }, { as: maker })).toMatchObject(taken);
    await app.ok(modifyAppendedProduct, { ...facts, ...later, payOrder: 2 }, { as: maker });
    const both = await Promise.all(
      [unsold.productId, await sold()].map((other) => app.send(addAppendedProduct, rider(main, other, { payOrder: 3 }), { as: maker })),
    );
    expect(both.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM12036']);
  });

  it('whose codes are those of the main product, as a copy has them, pay on accounts of their own', async () => {
    // A limit of the claim is a running value, which a rider is handed too.
    const perClaim = (one: VersionDocument) => ({ ...one, benefits: one.benefits.map((each) => ({ ...each, perClaimFen: 25_000_000 })) });
    const copied = async () => makeDraft(app, maker, '2026-01-01', perClaim, { insurerId });
    const [main, copy] = [await copied(), await copied()];
    await release(app, copy.productVersionId);
    await app.ok(addAppendedProduct, rider(main.productId, copy.productId, { overflow: true }), { as: maker });
    const input = claimOf([boxes(1, '1', 1, 30_000_000)]);
    const both = { productVersionId: main.productVersionId, input, rider: { productVersionId: copy.productVersionId, planCode: 'P1' } };
    const result = await app.ok(trialAdjudicate, both, { as: maker });
    // 80% of 300,000.00, at most 200,000.00 a year; then 80% of what is left.
    expect([result.payableFen, result.rider?.result.payableFen]).toEqual([20_000_000, 8_000_000]);
    const used = result.rider!.result.moves.map(({ key }) => key.split(':')[1]);
    expect(new Set(used)).toEqual(new Set([copy.productId]));
  });

  it('take over what the main product leaves, of one purse where they share it, to the fen', async () => {
    const half = (one: Parameters<NonNullable<Parameters<typeof makeDraft>[3]>>[0], groups: LimitGroup[], rateBp: number) => ({
      ...one,
      limitGroups: groups,
      benefits: one.benefits.map((benefit) => ({
        ...benefit,
        perYearFen: null,
        ceilingGroups: groups.map(({ groupCode }) => groupCode),
        tiers: benefit.tiers.map((tier) => ({ ...tier, rateBp })),
      })),
    });
    const main = await makeDraft(app, maker, '2026-01-01', (one) => half(one, [purse('C1', 500_000)], 6000), { insurerId });
    const other = await makeDraft(app, maker, '2026-01-01', (one) => half(one, [purse('X1', 9_000_000)], 10_000), { insurerId });
    const wrongKind = await makeDraft(app, maker, '2026-01-01', (one) => half(one, [purse('X1', 1, { period: 'LIFE' })], 10_000), {
      insurerId,
    });
    for (const { productVersionId } of [other, wrongKind]) await release(app, productVersionId);
    const shared = { overflow: true, shareGroups: [{ mainGroup: 'C1', otherGroup: 'X1' }] };
    expect(await app.refused(addAppendedProduct, rider(main.productId, wrongKind.productId, shared), { as: maker })).toMatchObject({
      code: 'SCM12034',
      message: '两产品的共享组种类、周期或对象不一致',
    });
    const link = await app.ok(addAppendedProduct, rider(main.productId, other.productId, { overflow: true }), { as: maker });
    const input = claimOf([boxes(1, '1', 1, 1_000_000)]);
    const wish = { productVersionId: main.productVersionId, input, rider: { productVersionId: other.productVersionId, planCode: 'P1' } };
    // 600,000 by the rate, 500,000 by the ceiling; the rider pays the other half.
    const apart = await app.ok(trialAdjudicate, wish, { as: maker });
    expect([apart.payableFen, apart.rider?.result.payableFen]).toEqual([500_000, 500_000]);
    expect(apart.rider?.result.lines[0]!.steps.find(({ code }) => code === 'W06')).toMatchObject({
      before: 1_000_000,
      cut: 500_000,
      after: 500_000,
    });
    expect(await app.ok(queryTrialRiders, { productVersionId: main.productVersionId }, { as: maker })).toMatchObject([
      { productVersionId: other.productVersionId, overflow: true, plans: [{ planCode: 'P1' }] },
    ]);
    const { mainProductId: _, ...facts } = rider(main.productId, other.productId, shared);
    await app.ok(modifyAppendedProduct, { ...facts, ...link }, { as: maker });
    // One purse of 500,000, which the main product has emptied.
    const together = await app.ok(trialAdjudicate, wish, { as: maker });
    expect([together.payableFen, together.rider?.result.payableFen]).toEqual([500_000, 0]);
    const small = await app.ok(trialAdjudicate, { ...wish, input: claimOf([boxes(1, '1', 1, 400_000)]) }, { as: maker });
    expect([small.payableFen, small.rider?.result.payableFen]).toEqual([240_000, 160_000]);
    expect(small.rider?.result.moves.find(({ key }) => key.startsWith('GRP:'))).toMatchObject({
      key: `GRP:${main.productId}:C1@2026-01-01`,
      delta: 160_000,
    });
    const foreign = { ...wish, rider: { productVersionId: wrongKind.productVersionId, planCode: 'P1' } };
    expect(await app.refused(trialAdjudicate, foreign, { as: maker })).toMatchObject({ code: 'SCM12040' });
  });
});

describe('other relations', () => {
  it('of renewals never come back to where they began (acceptance 19)', async () => {
    const [a, b, c] = [
      await product({ productCode: 'RN-A001' }),
      await product({ productCode: 'RN-B001' }),
      await product({ productCode: 'RN-C001' }),
    ];
    await app.ok(addAssociatedProduct, renewal(a, b), { as: maker });
    const last = await app.ok(addAssociatedProduct, renewal(b, c), { as: maker });
    expect(await app.refused(addAssociatedProduct, renewal(c, a), { as: maker })).toMatchObject({
      code: 'SCM12033',
      message: '续保关系形成循环：RN-C001→RN-A001→RN-B001→RN-C001',
    });
    const both = await Promise.all(
      [renewal(c, b), renewal(c, b)].map((wish) => app.send(addAssociatedProduct, { ...wish, linkType: 'BUNDLE' }, { as: maker })),
    );
    expect(both.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM12032']);
    await app.ok(removeAssociatedProduct, last, { as: maker });
    await app.ok(addAssociatedProduct, renewal(c, a), { as: maker });
    const { rows } = await app.ok(queryAssociatedProductList, { productId: a, linkType: 'RENEWAL_OF', status: 'ENABLED' }, { as: maker });
    expect(rows.map(({ summary }) => summary)).toEqual(['豁免等待期，间隔不超过30天', '豁免等待期，间隔不超过30天']);
    const graph = await app.ok(queryProductGraph, { productId: a }, { as: maker });
    expect(graph.nodes.map(({ productCode }) => productCode)).toEqual(['RN-A001', 'RN-B001', 'RN-C001']);
  });

  it.each([
    ['none', [['A', 'B']], ['B', 'C'], null],
    ['two', [['A', 'B']], ['B', 'A'], ['B', 'A', 'B']],
    [
      'three',
      [
        ['A', 'B'],
        ['B', 'C'],
      ],
      ['C', 'A'],
      ['C', 'A', 'B', 'C'],
    ],
  ] as const)('a circle of %s', (_what, known, [mainProductId, otherProductId], path) => {
    const links = known.map(([main, other]) => ({ mainProductId: main, otherProductId: other }));
    expect(renewalCycle(links, { mainProductId, otherProductId })).toEqual(path);
  });
});

it('an auditor reads the rules of a version and changes none of them (acceptance 23)', async () => {
  const draft = await makeDraft(app, maker, soon(app, 5));
  const auditor = await app.staff({ permissions: ['insurance.claimRule.view'] });
  const read = await app.ok(queryClaimRules, { productVersionId: draft.productVersionId }, { as: auditor });
  expect(read).toMatchObject({ editable: false, version: { versionNo: 1, phase: 'DRAFT' }, rules: [] });
  expect(read.readable[0]!.sentences).toContain('赔80%。');
  const rule = {
    productVersionId: draft.productVersionId,
    ruleCode: 'R1',
    ruleName: '规则',
    ruleType: 'AMOUNT' as const,
    benefitCodes: [],
    claimTypes: [],
    expression: { op: 'AND' as const, items: [{ variable: 'line.qty', operator: '>' as const, value: '2' }] },
    outcome: 'WARN' as const,
    materialTypes: [],
    reasonCode: null,
    priority: 1,
    enabled: true,
  };
  expect(await app.refused(addClaimRule, rule, { as: auditor })).toMatchObject({ code: 'SCM90010' });
  await app.ok(addClaimRule, rule, { as: maker });
  const seen = await app.ok(queryClaimRules, { productVersionId: draft.productVersionId }, { as: maker });
  expect(seen).toMatchObject({ editable: true, rules: [{ sentence: '当 数量 > 2个单位 时，提示' }] });
});
