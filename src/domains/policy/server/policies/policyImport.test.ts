import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import { commitImportTask, queryImportResult, queryImportRowList, undoImportTask } from '#domains/files/contract/calls/imports.ts';
import { addPolicy, delPolicy, importPolicy, queryPolicyDetail, queryPolicyList } from '../../contract/calls/policies.ts';
import { policyPermissions } from '../../contract/permissions.ts';
import { asked, importRow, keeper, makeProduct, personWish, policyWish, serial, type MadeProduct } from '../testing/fixtures.ts';
import { policyImporter } from './policyImporter.ts';

let app: TestApp;
let maker: TestStaff;
let product: MadeProduct;
beforeAll(async () => {
  app = await startTestApp();
  [maker, product] = [await keeper(app), await makeProduct(app)];
});
afterAll(() => app.close());

type Rows = readonly Readonly<Record<string, string>>[];
const checked = async (rows: Rows, as = maker) => {
  const { importTaskId } = await app.ok(importPolicy, { fileId: await uploadRows(app, as, policyImporter(app.kernel), rows) }, { as });
  await app.runDue();
  return app.ok(queryImportResult, { importTaskId }, { as });
};
const committed = async (rows: Rows) => {
  const { importTaskId, version } = await checked(rows);
  await app.ok(commitImportTask, { importTaskId, version }, { as: maker, idempotencyKey: `policy-import-key-${serial()}` });
  await app.runDue();
  return app.ok(queryImportResult, { importTaskId }, { as: maker });
};
const faultsOf = async (task: { importTaskId: string }, as = maker) =>
  (await app.ok(queryImportRowList, { importTaskId: task.importTaskId, hasError: true }, { as })).rows.map(({ rowNo, errors }) => [
    rowNo,
    ...errors.map(({ message }) => message),
  ]);
const found = async (policyNo: string) => (await app.ok(queryPolicyList, { policyNo }, { as: maker })).rows;
const undone = (task: { importTaskId: string; version: number }) => ({
  importTaskId: task.importTaskId,
  version: task.version,
  opinion: '导错文件',
});

describe('importing policies', () => {
  it('is for who may enter them, names every cell that is wrong, and writes nothing then', async () => {
    const reader = await app.staff({ permissions: [policyPermissions['policy.view'].code] });
    const fileId = await uploadRows(app, maker, policyImporter(app.kernel), [importRow(product)]);
    expect(await app.refused(importPolicy, { fileId }, { as: reader })).toMatchObject({ code: 'SCM90010' });

    const stands = await app.ok(addPolicy, policyWish(product.productId, { coverageStart: '2026-12-01', coverageEnd: '2027-11-30' }), {
      as: maker,
    });
    const right = importRow(product);
    const task = await checked([
      right,
      importRow(product, { policyNo: `ｄｒ${right.policyNo.slice(2)}` }),
      importRow(product, { productCode: 'KEINE-1' }),
      importRow(product, { coverageEnd: '2026-11-30' }),
      importRow(product, { coverageEnd: '2032-01-01' }),
      importRow(product, { coverageStart: '2023-01-01', coverageEnd: '2023-12-31' }),
      importRow(product, { policyNo: stands.policyNo, holderName: '另一家公司' }),
      importRow(product, { payMode: '周交', refundIfClaimed: '也许', adcode: '32', holderName: '' }),
    ]);
    expect(task).toMatchObject({ state: 'INVALID', mayCommit: false });
    expect(await faultsOf(task)).toEqual([
      [3, '保单号与第2行重复'],
      [4, '产品编码“KEINE-1”不存在'],
      [5, '终保日期不能早于起保日期'],
      [6, '保险期间最长5年'],
      [7, '产品在2023-01-01没有已发布版本'],
      [8, expect.stringMatching(/^该保司下保单号已存在，且投保人名称、.*不同，请在保单页面修改或批改$/)],
      [9, ...Array.from({ length: 4 }, () => expect.any(String))],
    ]);
    expect(await found(right.policyNo)).toEqual([]);
  });

  it('keeps to the insurers that somebody sees', async () => {
    const other = await makeProduct(app);
    const as = await app.staff({
      permissions: [policyPermissions['policy.edit'].code, policyPermissions['policy.view'].code],
      scope: { own: false, region: null, insurer: [other.insurerId], channel: null },
    });
    const task = await checked([importRow(product), importRow(other)], as);
    expect(await faultsOf(task, as)).toEqual([[2, `产品编码“${product.productCode}”不存在`]]);
  });

  it('writes all rows at once, leaves what stands so, and is taken back as a whole while nothing hangs on it', async () => {
    const [one, other] = [
      importRow(product, {
        holderIdNo: '91320000MA1MABCD1X',
        holderContact: '13800138000',
        refundIfClaimed: '否',
        refundFeeBp: '2500',
        declaredCount: '420',
        adcode: '320100',
        channelName: '经代',
      }),
      importRow(product),
    ];
    const first = await committed([one]);
    expect(first).toMatchObject({ state: 'DONE', newRows: 1 });
    const task = await committed([one, other]);
    expect(task).toMatchObject({ state: 'DONE', newRows: 1, sameRows: 1 });
    const [row] = await found(one.policyNo);
    expect(await app.ok(queryPolicyDetail, { policyId: row!.id }, { as: maker })).toMatchObject({
      state: 'PENDING',
      productCode: product.productCode,
      refundIfClaimed: false,
      refundFeeBp: 2500,
      declaredCount: 420,
      graceDays: 30,
      prorate: 'DAY',
      adcode: '320100',
      channelName: '经代',
    });
    await app.ok(undoImportTask, undone(task), { as: maker });
    await app.runDue();
    expect([(await found(one.policyNo)).length, (await found(other.policyNo)).length]).toEqual([1, 0]);

    await asked(app, maker, {
      policyId: row!.id,
      kind: 'ADD',
      effectiveOn: '2026-12-01',
      after: { person: personWish(), planCode: 'P1' },
    });
    expect(await app.refused(undoImportTask, undone(first), { as: maker })).toMatchObject({
      code: 'SCM02042',
      message: expect.stringContaining(one.policyNo),
    });
    expect(await app.refused(delPolicy, { id: row!.id, version: row!.version }, { as: maker })).toMatchObject({ code: 'SCM13007' });
  });
});
