import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { unzipEntry, zipEntries } from '#kernel/server/documents/zipRead.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryClaimRules } from '../contract/claimRules/read.ts';
import { trialAdjudicate } from '../contract/claimRules/trial.ts';
import { addFormulary, queryFormularyDetail, queryFormularyList } from '../contract/formulary/calls.ts';
import { exportInsurerList, queryInsurerList } from '../contract/insurers/calls.ts';
import {
  addAssociatedProduct,
  exportAssociatedProduct,
  queryAppendableProducts,
  queryAppendedProductList,
  queryAssociatedProductList,
  queryProductGraph,
} from '../contract/links/calls.ts';
import { auditProductVersion, queryProductDetail, queryProductVersionDetail } from '../contract/products/calls.ts';
import {
  changeProductStatus,
  copyProduct,
  diffProductVersion,
  exportProductList,
  queryProductList,
  quotePremium,
} from '../contract/products/listCalls.ts';
import { queryProductOptions } from '../contract/products/options.ts';
import { addReplay, queryReplayList } from '../contract/replays/calls.ts';
import { boxes, claimOf } from '../contract/testing/specs.ts';
import { queryTestCaseList } from '../contract/tests/calls.ts';
import { keeper, makeDraft, makeInsurer, makeProduct, soon, type Draft } from './testing/products.ts';

let app: TestApp;
let maker: TestStaff;
let clerk: TestStaff;
let mine: Draft;
let theirs: Draft;
const lists: Record<'mine' | 'theirs' | 'common', string> = { mine: '', theirs: '', common: '' };
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  const [us, them] = [await makeInsurer(app), await makeInsurer(app)];
  mine = await makeDraft(app, maker, soon(app, 5), (one) => one, { insurerId: us });
  theirs = await makeDraft(app, maker, soon(app, 5), (one) => one, { insurerId: them });
  for (const [draft, insurerId] of [
    [mine, us],
    [theirs, them],
  ] as const) {
    const other = await makeProduct(app, maker, { insurerId });
    const link = { mainProductId: draft.productId, otherProductId: other.id, linkType: 'BUNDLE' as const, effectiveFrom: '2026-12-01' };
    await app.ok(addAssociatedProduct, link, { as: maker });
  }
  for (const [key, insurerId] of [
    ['mine', us],
    ['theirs', them],
    ['common', null],
  ] as const) {
    const added = await app.ok(addFormulary, { formularyCode: `SCOPE-${key.toUpperCase()}`, name: `目录${key}`, insurerId }, { as: maker });
    lists[key] = added.id;
  }
  clerk = await app.staff({
    permissions: [
      'insurer.view',
      'product.view',
      'product.edit',
      'product.shelf',
      'product.audit',
      'formulary.view',
      'claimRule.view',
      'claimRule.trial',
      'replay.run',
    ].map((code) => `insurance.${code}`),
    scope: { insurer: [us] },
  });
});
afterAll(() => app.close());

// People of one insurer (acceptance 22); their statistics stand in statistics.test.ts, their claims' hits in controls.test.ts.
describe('somebody of one insurer', () => {
  const foreign: readonly [name: string, call: Call, input: (draft: Draft) => object][] = (
    [
      [queryProductDetail, ({ productId }) => ({ productId })],
      [queryProductVersionDetail, ({ productVersionId }) => ({ productVersionId })],
      [diffProductVersion, ({ productVersionId }) => ({ fromId: productVersionId, toId: mine.productVersionId })],
      [diffProductVersion, ({ productVersionId }) => ({ fromId: mine.productVersionId, toId: productVersionId })],
      [
        quotePremium,
        ({ productVersionId }) => ({
          productVersionId,
          planCode: 'P1',
          birthDate: '1990-01-01',
          gender: 'M',
          social: 'YES',
          from: '2027-01-01',
          to: '2027-12-31',
        }),
      ],
      [queryClaimRules, ({ productVersionId }) => ({ productVersionId })],
      [queryTestCaseList, ({ productVersionId }) => ({ productVersionId })],
      [trialAdjudicate, ({ productVersionId }) => ({ productVersionId, input: claimOf([boxes(1, '1', 1, 100)]) })],
      [queryReplayList, ({ productVersionId }) => ({ ownerType: 'PRODUCT_VERSION', ownerId: productVersionId })],
      [addReplay, ({ productVersionId }) => ({ ownerType: 'PRODUCT_VERSION', ownerId: productVersionId })],
      [queryAppendedProductList, ({ productId }) => ({ mainProductId: productId })],
      [queryAppendableProducts, ({ productId }) => ({ mainProductId: productId })],
      [queryProductGraph, ({ productId }) => ({ productId })],
      [changeProductStatus, ({ productId }) => ({ id: productId, version: 1, action: 'onSale' })],
      [copyProduct, ({ productId }) => ({ id: productId, productCode: 'SCOPE-1', productName: '副本', effectiveFrom: '2027-01-01' })],
      [auditProductVersion, ({ productVersionId, version }) => ({ id: productVersionId, version, action: 'submit', opinion: '提交' })],
    ] satisfies [Call, (draft: Draft) => object][]
  ).map(([call, input]) => [call.operation, call, input]);
  it.each(foreign)('finds nothing of another insurer by %s', async (_name, call, input) => {
    expect(await app.refused(call, input(theirs), { as: clerk })).toMatchObject({ code: 'SCM90040' });
  });
  it('finds no list of another insurer, and neither its rules by the code of its product', async () => {
    expect(await app.refused(queryFormularyDetail, { formularyId: lists.theirs }, { as: clerk })).toMatchObject({ code: 'SCM90040' });
    const { product } = await app.ok(queryProductDetail, { productId: theirs.productId }, { as: maker });
    expect(await app.refused(queryClaimRules, { productCode: product.productCode }, { as: clerk })).toMatchObject({ code: 'SCM90040' });
  });

  it('sees in every list, choice and sheet what is his insurer’s, and what is nobody’s', async () => {
    const products = await app.ok(queryProductList, {}, { as: clerk });
    expect(products.rows.map(({ id }) => id)).toContain(mine.productId);
    const owned = await app.ok(queryProductList, {}, { as: maker });
    expect([products.total, owned.total]).toEqual([2, 4]);
    expect((await app.ok(queryInsurerList, {}, { as: clerk })).total).toBe(1);
    const links = await app.ok(queryAssociatedProductList, {}, { as: clerk });
    expect(links.rows.map(({ mainProductId }) => mainProductId)).toEqual([mine.productId]);
    expect((await app.ok(queryAssociatedProductList, { productId: theirs.productId }, { as: clerk })).rows).toEqual([]);
    const named = (await app.ok(queryFormularyList, { keyword: 'SCOPE' }, { as: clerk })).rows.map(({ id }) => id);
    expect(named.toSorted()).toEqual([lists.mine, lists.common].toSorted());
    for (const [type, not] of [
      ['PRODUCT', theirs.productId],
      ['FORMULARY', lists.theirs],
    ] as const)
      expect((await app.ok(queryProductOptions, { type, ids: [not] }, { as: clerk })).map(({ value }) => value)).toEqual([]);
    expect(await app.ok(queryProductOptions, { type: 'PLAN', productVersionId: theirs.productVersionId }, { as: clerk })).toEqual([]);

    const rowsOf = async (call: typeof exportProductList | typeof exportInsurerList | typeof exportAssociatedProduct, as: TestStaff) => {
      const { body } = await app.file(call, {}, { as });
      const sheet = zipEntries(body).find(({ name }) => name.endsWith('sheet1.xml'));
      return (await unzipEntry(body, sheet!, 1_000_000)).toString().match(/<row /g)!.length;
    };
    for (const [call, total] of [
      [exportProductList, products.total],
      [exportInsurerList, 1],
      [exportAssociatedProduct, 1],
    ] as const) {
      const [his, all] = [await rowsOf(call, clerk), await rowsOf(call, maker)];
      expect(all - his, call.name).toBeGreaterThan(0);
      // Besides its rows a sheet has those of its head.
      expect(all - his).toBe((call === exportProductList ? owned.total : 2) - total);
    }
  });
});
