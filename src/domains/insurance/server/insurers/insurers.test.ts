import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usccOf } from '#kernel/contract/uscc.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addInsurer,
  delInsurer,
  modifyInsurer,
  queryInsurerList,
  revealInsurerMobile,
  setInsurerStatus,
} from '../../contract/insurers/calls.ts';
import {
  copyProduct,
  delProduct,
  delProductVersion,
  diffProductVersion,
  queryProductCounts,
  queryProductList,
} from '../../contract/products/listCalls.ts';
import { modifyProductVersion, queryProductDetail } from '../../contract/products/calls.ts';
import { changeProductStatus } from '../../contract/products/listCalls.ts';
import { modifyReasonText, queryReasonTextList } from '../../contract/reasons/calls.ts';
import { own } from '../database.ts';
import { keeper, makeDraft, makeInsurer, makeProduct, soon } from '../testing/products.ts';

let app: TestApp;
let maker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
});
afterAll(() => app.close());

const facts = {
  insurerCode: 'ZA',
  insurerName: '众安在线财产保险',
  shortName: '众安',
  insurerType: 'PROPERTY' as const,
  uscc: usccOf('91310000MA1K00001'),
  contacts: [{ name: '周敏', role: 'CLAIM' as const, mobile: '13800138000' }],
  auditMode: 'PLATFORM' as const,
  fundMode: 'ADVANCE' as const,
  invoiceVariant: 'ZA' as const,
};

describe('an insurer', () => {
  it.each([
    ['a code in small letters', { insurerCode: 'za' }, '保司编码须为2-12位大写字母或数字'],
    ['a number whose check character is wrong', { uscc: '91310000MA1K000010' }, '统一社会信用代码校验位不正确'],
    ['a second review without its amount', { auditMode: 'PLATFORM_THEN_INSURER' as const }, '请填写保司复审的起点金额'],
  ])('is refused with %s', async (_what, wrong, message) => {
    const refused = await app.refused(addInsurer, { ...facts, ...wrong }, { as: maker });
    expect(refused.fields?.[0]).toMatchObject({ message });
  });

  it('is kept once, keeps the numbers that nobody typed anew, and is put out of use while nothing of it is sold', async () => {
    const { id } = await app.ok(addInsurer, facts, { as: maker });
    expect(await app.refused(addInsurer, { ...facts, uscc: usccOf('91310000MA1K00002') }, { as: maker })).toMatchObject({
      code: 'SCM12001',
      message: '保司编码已存在',
    });
    const read = async () => (await app.ok(queryInsurerList, { insurerCode: 'ZA' }, { as: maker })).rows.find((row) => row.id === id)!;
    const seen = await read();
    expect(seen.contacts).toEqual([{ name: '周敏', role: 'CLAIM', mobile: '138****8000' }]);
    const change = { ...facts, id, version: 1, shortName: '众安在线', contacts: seen.contacts };
    expect(
      await app.refused(modifyInsurer, { ...change, contacts: [{ ...seen.contacts[0]!, mobile: '139****0000' }] }, { as: maker }),
    ).toMatchObject({
      fields: [{ path: 'contacts.0.mobile', message: '请输入完整的手机号' }],
    });
    await app.ok(modifyInsurer, change, { as: maker });
    expect(await app.refused(modifyInsurer, change, { as: maker })).toMatchObject({
      code: 'SCM90030',
      data: { current: { shortName: '众安在线', version: 2 } },
    });
    expect(await app.ok(revealInsurerMobile, { id, index: 0, reason: '联系' }, { as: maker })).toEqual({ value: '13800138000' });

    const product = await makeProduct(app, maker, { insurerId: id });
    await own(app.db).updateTable('insuranceProduct').set({ status: 'ON_SALE' }).where('id', '=', product.id).execute();
    const off = { id, version: 2, action: 'disable' as const, opinion: '暂停合作' };
    expect(await app.refused(setInsurerStatus, off, { as: maker })).toMatchObject({
      code: 'SCM12002',
      message: '该保司下有在售产品，不能停用',
    });
    expect(await app.refused(delInsurer, { id, version: 2 }, { as: maker })).toMatchObject({
      fields: [{ message: '该保司下有产品，不能删除' }],
    });
    await own(app.db).updateTable('insuranceProduct').set({ status: 'SUSPENDED' }).where('id', '=', product.id).execute();
    await app.ok(setInsurerStatus, off, { as: maker });
    const resume = { id: product.id, version: 1, action: 'resume' as const, opinion: '恢复' };
    expect(await app.refused(changeProductStatus, resume, { as: maker })).toMatchObject({ code: 'SCM12019' });
  });
});

describe('products', () => {
  it('of an insurer are seen by its people alone (acceptance 22)', async () => {
    const [own1, other] = [await makeInsurer(app), await makeInsurer(app)];
    const mine = await makeDraft(app, maker, soon(app, 5), (one) => one, { insurerId: own1 });
    const theirs = await makeProduct(app, maker, { insurerId: other });
    const clerk = await app.staff({ permissions: ['insurance.product.view', 'insurance.insurer.view'], scope: { insurer: [own1] } });
    const { rows } = await app.ok(queryProductList, {}, { as: clerk });
    expect(rows.map(({ id }) => id)).toEqual([mine.productId]);
    expect(rows[0]).toMatchObject({ current: null, next: { versionNo: 1, text: `V1 草稿 ${soon(app, 5)}起` }, payerName: '众安' });
    expect((await app.ok(queryProductCounts, {}, { as: clerk })).reduce((sum, { count }) => sum + count, 0)).toBe(1);
    expect((await app.ok(queryInsurerList, {}, { as: clerk })).rows.map(({ id }) => id)).toEqual([own1]);
    expect(await app.refused(queryProductDetail, { productId: theirs.id }, { as: clerk })).toMatchObject({ code: 'SCM90040' });
  });

  it('are copied with what they say, deleted while nothing hangs on them, and compared in sentences', async () => {
    const draft = await makeDraft(app, maker, soon(app, 5));
    const remove = { id: draft.productId, version: 1 };
    expect(await app.refused(delProduct, remove, { as: maker })).toMatchObject({ fields: [{ message: '该产品已有版本，请先删除版本' }] });
    const copy = await app.ok(
      copyProduct,
      { id: draft.productId, productCode: 'COPY-1', productName: '副本', effectiveFrom: soon(app, 20) },
      { as: maker },
    );
    const { versions } = await app.ok(queryProductDetail, { productId: copy.id }, { as: maker });
    expect(versions).toMatchObject([{ versionNo: 1, state: 'DRAFT', effectiveFrom: soon(app, 20) }]);
    const [made] = versions;
    const { document } = draft;
    const change = {
      ...document,
      effectiveFrom: soon(app, 20),
      clauseFileId: null,
      benefits: document.benefits.map((one) => ({ ...one, waitingDays: 30 })),
    };
    await app.ok(modifyProductVersion, { productVersionId: made!.id, version: made!.version, document: change }, { as: maker });
    const diff = await app.ok(diffProductVersion, { fromId: draft.productVersionId, toId: made!.id }, { as: maker });
    expect(diff.differences.find(({ section }) => section === 'BENEFIT')).toMatchObject({
      label: '院外特药费用（OUT_DRUG）',
      before: expect.stringContaining('无等待期'),
      after: expect.stringContaining('等待期30天（等待期内费用不赔）'),
    });
    await app.ok(delProductVersion, { productVersionId: made!.id, version: made!.version + 1 }, { as: maker });
    await app.ok(delProduct, { id: copy.id, version: 1 }, { as: maker });
  });

  it('that a colleague has changed meanwhile come back as they are (acceptance 24)', async () => {
    const draft = await makeDraft(app, maker, soon(app, 5));
    const colleague = await keeper(app);
    const theirs = { ...draft.document, claimWindowDays: 90 };
    await app.ok(
      modifyProductVersion,
      { productVersionId: draft.productVersionId, version: draft.version, document: theirs },
      { as: colleague },
    );
    const mine = { productVersionId: draft.productVersionId, version: draft.version, document: { ...draft.document, filingNo: '备案2' } };
    expect(await app.refused(modifyProductVersion, mine, { as: maker })).toMatchObject({
      code: 'SCM90030',
      data: { current: { version: draft.version + 1, document: { claimWindowDays: 90 } } },
    });
  });
});

it('the wording of a reason is changed on the version that was seen', async () => {
  const {
    rows: [row],
  } = await app.ok(queryReasonTextList, { keyword: 'L10' }, { as: maker });
  const change = { id: row!.id, version: row!.version, label: row!.label, applicantText: '计入免赔额', internalText: '' };
  const outsider = await keeper(app, ['insurance.reason.edit']);
  expect(await app.refused(modifyReasonText, change, { as: outsider })).toMatchObject({ code: 'SCM90010' });
  await app.ok(modifyReasonText, change, { as: maker });
  expect(await app.refused(modifyReasonText, change, { as: maker })).toMatchObject({ code: 'SCM90030' });
});
