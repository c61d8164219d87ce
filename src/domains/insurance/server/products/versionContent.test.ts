import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { makeHospital, makeStore, openStore } from '#domains/institution/server/testing/fixtures.ts';
import { trialAdjudicate } from '../../contract/claimRules/trial.ts';
import type { BenefitTier, VersionDocument } from '../../contract/model/document.ts';
import {
  addProductVersion,
  auditProductVersion,
  checkProductVersion,
  modifyProduct,
  modifyProductVersion,
  queryProductDetail,
  queryProductVersionDetail,
} from '../../contract/products/calls.ts';
import { copyProduct, diffProductVersion } from '../../contract/products/listCalls.ts';
import { queryProductOptions } from '../../contract/products/options.ts';
import { boxes, claimOf } from '../../contract/testing/specs.ts';
import { keeper, makeDraft, makeInsurer, makeProduct, proveDraft, publish, soon, type Draft } from '../testing/products.ts';

let app: TestApp;
let maker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
});
afterAll(() => app.close());

const save = (draft: Draft, document: VersionDocument) =>
  app.ok(modifyProductVersion, { productVersionId: draft.productVersionId, version: draft.version, document }, { as: maker });
const problems = async ({ productVersionId }: Draft) =>
  (await app.ok(checkProductVersion, { productVersionId }, { as: maker })).problems.map(({ path, level, message }) => [
    path,
    level,
    message,
  ]);
const submit = (draft: Draft, version: number) => ({
  id: draft.productVersionId,
  version,
  action: 'submit' as const,
  opinion: '新产品',
});

describe('places where a version may be used', () => {
  it('are there when they are chosen, are called by name, and are compared one by one', async () => {
    const stores = [await openStore(app, { name: '康民大药房观前街店' }), await openStore(app, { name: '康民大药房石路店' })];
    const closed = await makeStore(app, { name: '康民大药房未开业店' });
    const hospital = await makeHospital(app);
    const draft = await makeDraft(app, maker, soon(app, 10), (one) => ({ ...one, hospitalScope: 'LIST' }));
    expect(await problems(draft)).toContainEqual(['hospitalIds', 'ERROR', '医疗机构为“指定机构”时请选择医院或药店']);

    const wish = (document: VersionDocument) => ({ productVersionId: draft.productVersionId, version: draft.version, document });
    const unknown = { ...draft.document, drugstoreIds: [stores[0]!.id, '999999'] };
    expect(await app.refused(modifyProductVersion, wish(unknown), { as: maker })).toMatchObject({
      fields: [{ path: 'document.drugstoreIds', message: '指定药店中有1家不存在或已删除，请重新选择' }],
    });
    expect(await app.refused(modifyProductVersion, wish({ ...draft.document, hospitalIds: ['999999'] }), { as: maker })).toMatchObject({
      fields: [{ path: 'document.hospitalIds', message: '指定医院中有1家不存在或已删除，请重新选择' }],
    });

    // Found by name among those that are open; one that is chosen is named whatever became of it.
    const found = await app.ok(queryProductOptions, { type: 'DRUGSTORE', keyword: '康民大药房' }, { as: maker });
    expect(found.map(({ value }) => value)).toEqual(stores.map(({ id }) => id));
    expect(await app.ok(queryProductOptions, { type: 'DRUGSTORE', ids: [closed.id] }, { as: maker })).toMatchObject([
      { label: closed.name },
    ]);

    const twice = { ...draft.document, drugstoreIds: [stores[0]!.id, stores[0]!.id] };
    const doubled = await save(draft, twice);
    expect(await problems(draft)).toContainEqual(['drugstoreIds', 'ERROR', '指定药店有重复']);
    expect(await app.refused(auditProductVersion, submit(draft, doubled.version), { as: maker })).toMatchObject({
      fields: [{ path: 'drugstoreIds', message: '指定药店有重复' }],
    });

    const first = { ...draft.document, hospitalIds: [hospital.id], drugstoreIds: [stores[0]!.id] };
    const written = await save({ ...draft, version: doubled.version }, first);
    expect(await problems(draft)).toEqual([]);
    const seen = await app.ok(queryProductVersionDetail, { productVersionId: draft.productVersionId }, { as: maker });
    expect(seen.document).toMatchObject({ hospitalIds: [hospital.id], drugstoreIds: [stores[0]!.id] });
    expect(seen.named.drugstores).toEqual([{ id: stores[0]!.id, name: stores[0]!.name }]);

    const checker = await keeper(app);
    await proveDraft(app, maker, { ...draft, ...written });
    await publish(app, maker, checker, { ...draft, ...written });
    const next = await app.ok(
      addProductVersion,
      { productId: draft.productId, copyFrom: draft.productVersionId, effectiveFrom: soon(app, 60) },
      { as: maker },
    );
    const moved = { ...first, effectiveFrom: soon(app, 60), drugstoreIds: [stores[1]!.id] };
    await save({ ...draft, ...next }, moved);
    const swapped = { label: '指定药店', before: stores[0]!.name, after: stores[1]!.name };
    const { differences } = await app.ok(
      diffProductVersion,
      { fromId: draft.productVersionId, toId: next.productVersionId },
      { as: maker },
    );
    expect(differences.filter(({ label }) => label.startsWith('指定'))).toEqual([{ section: 'BASIC', ...swapped }]);
    const { timeline } = await app.ok(queryProductVersionDetail, { productVersionId: next.productVersionId }, { as: maker });
    expect(timeline.at(-1)?.diff).toContainEqual({ ...swapped, path: 'BASIC', label: '基本信息·指定药店' });
  });

  it('that count for nothing, or leave nobody who may bill, are pointed out', async () => {
    const store = await makeStore(app);
    const draft = await makeDraft(app, maker, soon(app, 10), (one) => ({ ...one, drugstoreIds: [store.id] }));
    expect(await problems(draft)).toEqual([['hospitalScope', 'WARN', '医疗机构不是“指定机构”，已选的1家指定药店不起作用']]);
    const hospital = await makeHospital(app);
    const direct = { claimType: 'DIRECT' as const, label: '直付', materials: [], slaWorkdays: 2 };
    await save(draft, {
      ...draft.document,
      hospitalScope: 'LIST',
      hospitalIds: [hospital.id],
      drugstoreIds: [],
      claimTypes: [...draft.document.claimTypes, direct],
    });
    expect(await problems(draft)).toContainEqual(['drugstoreIds', 'WARN', '理赔类型含“直付”，但未指定药店：任何药店都不能直付']);
  });
});

describe('rates of a plan itself', () => {
  const tier = (rateBp: number, other: Partial<BenefitTier> = {}): BenefitTier => ({
    social: 'ANY',
    preExisting: 'ANY',
    monthFrom: 0,
    monthTo: 999,
    fromFen: 0,
    toFen: null,
    rateBp,
    ...other,
  });
  const withRates = (one: VersionDocument, benefits: VersionDocument['plans'][number]['overrides']['benefits']): VersionDocument => ({
    ...one,
    plans: [
      { ...one.plans[0]!, overrides: { groups: {}, benefits } },
      { ...one.plans[0]!, planCode: 'P2', planName: '升级版', overrides: { groups: {}, benefits: {} } },
    ],
  });

  it('leave no gap, are of a benefit that is there, and pay instead of the benefit’s own', async () => {
    const draft = await makeDraft(app, maker, soon(app, 10), (one) =>
      withRates(one, { OUT_DRUG: { tiers: [tier(9000, { toFen: 2_000_000 }), tier(9500, { fromFen: 3_000_000 })] } }),
    );
    expect(await app.refused(auditProductVersion, submit(draft, draft.version), { as: maker })).toMatchObject({
      code: 'SCM12009',
      message: '责任“院外特药费用（基础版）”赔付比例区间有空档：已医保结算、非既往症、20,000.00元至30,000.00元',
    });
    const gone = await save(draft, withRates(draft.document, { IN_DRUG: { tiers: [tier(9000)] } }));
    expect(await app.refused(auditProductVersion, submit(draft, gone.version), { as: maker })).toMatchObject({
      fields: [{ path: 'plans.0.overrides.benefits.IN_DRUG', message: '计划“基础版”另设的责任IN_DRUG不存在' }],
    });

    await save({ ...draft, version: gone.version }, withRates(draft.document, { OUT_DRUG: { tiers: [tier(9000)], perYearFen: 500_000 } }));
    expect(await problems(draft)).toEqual([]);
    const paid = async (planCode: string, quantity: number) => {
      const input = claimOf([boxes(1, '1', quantity, 100_000)], { cover: { planCode } });
      return (await app.ok(trialAdjudicate, { productVersionId: draft.productVersionId, input }, { as: maker })).payableFen;
    };
    expect([await paid('P1', 1), await paid('P2', 1), await paid('P1', 6)]).toEqual([90_000, 80_000, 500_000]);
    const { timeline } = await app.ok(queryProductVersionDetail, { productVersionId: draft.productVersionId }, { as: maker });
    expect(timeline.at(-1)?.diff).toContainEqual({
      path: 'PLAN',
      label: '计划与费率·基础版另设',
      before: null,
      after: '院外特药费用：赔90%；年限额5,000.00元',
    });
  });
});

describe('the trail of a product', () => {
  it('begins with what it is, or what it was copied from, and says in words what was changed', async () => {
    const insurerId = await makeInsurer(app);
    const draft = await makeDraft(app, maker, soon(app, 10), (one) => one, { insurerId });
    const source = await app.ok(queryProductDetail, { productId: draft.productId }, { as: maker });
    expect(source.timeline).toMatchObject([{ action: 'add', label: '新增' }]);
    const { productCode, productName } = source.product;
    const wish = { id: draft.productId, productCode, productName: '特药险二代', effectiveFrom: soon(app, 30) };
    expect(await app.refused(copyProduct, wish, { as: maker })).toMatchObject({ code: 'SCM12003' });
    const copied = await app.ok(copyProduct, { ...wish, productCode: `${productCode}-B` }, { as: maker });
    const { timeline, product } = await app.ok(queryProductDetail, { productId: copied.id }, { as: maker });
    expect(timeline).toMatchObject([{ action: 'copy', label: '复制为新产品' }]);
    expect(timeline[0]!.diff[0]).toEqual({
      path: 'copiedFrom',
      label: '复制自',
      before: null,
      after: `${productName}（${productCode}） V1`,
    });

    const other = await app.ok(queryProductDetail, { productId: (await makeProduct(app, maker)).id }, { as: maker });
    const { shortName, sponsorName, pharmaCompanyId, adcodes } = product;
    await app.ok(
      modifyProduct,
      {
        id: product.id,
        version: product.version,
        productCode: product.productCode,
        productName: product.productName,
        shortName,
        productLine: 'SAAS',
        productType: 'CITY_INCLUSIVE',
        insurerId: other.product.insurerId,
        sponsorName,
        pharmaCompanyId,
        adcodes,
        ownerUserId: maker.userId,
      },
      { as: maker },
    );
    const changed = (await app.ok(queryProductDetail, { productId: copied.id }, { as: maker })).timeline.at(-1)!;
    const said = Object.fromEntries(changed.diff.map(({ label, before, after }) => [label, [before, after]]));
    expect(said['保司']).toEqual([product.insurerName, other.product.insurerName]);
    expect(said['产品类型']).toEqual(['特药险', '惠民保']);
    expect(said['产品经理']?.[1]).not.toBe(maker.userId);
  });
});
