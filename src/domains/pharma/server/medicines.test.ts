import { readXlsx } from 'hucre';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days } from '#kernel/contract/time.ts';
import { markBound, promotionTagChanged } from '#events/content.ts';
import { medicineChanged } from '#events/pharma.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { Importer } from '#kernel/server/importing/importer.ts';
import type { TestStaff } from '#testing/staff.ts';
import { commitImportTask, downloadImportResult, queryImportResult, queryImportRowList } from '#domains/files/contract/calls/imports.ts';
import { auditMedicineApply, batchAuditMedicineApply, queryMedicineApplyList } from '../contract/calls/applies.ts';
import {
  addMedicine,
  changeMedicineState,
  importMedicine,
  importSkuPrice,
  modifyMedicine,
  moveMedicineCategory,
  queryMedicineDetail,
  queryMedicineList,
  submitMedicine,
} from '../contract/calls/medicines.ts';
import { queryDrugSelectOptions } from '../contract/calls/options.ts';
import {
  addSku,
  addSkuPrice,
  changeSkuState,
  exportSkuPriceList,
  importReimburse,
  modifySku,
  querySkuList,
  querySkuPriceList,
  revokeSkuPrice,
  saveReimburse,
} from '../contract/calls/skus.ts';
import { pharmaPermissions } from '../contract/permissions.ts';
import { daysSupply, priceOf, reimburseOf } from './catalogue.ts';
import { medicineImporter } from './imports/medicineImporter.ts';
import { priceImporter } from './imports/priceImporter.ts';
import { reimburseImporter } from './imports/reimburseImporter.ts';
import {
  approve,
  facts,
  makeCategory,
  makeCompany,
  makeDraft,
  makeMedicine,
  makeOn,
  makePrice,
  makeSku,
  newApprovalNo,
  openApplyOf,
  operator,
} from './testing/fixtures.ts';
import { uploadTable } from '#testing/uploads.ts';
import { tableOf, uploadPicture } from './testing/upload.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const maker = () => operator(app);
const checker = () => operator(app, 'checker');
const draft = (approvalNo: string, medicineKind = 'CHEM') => ({ genericName: '奥希替尼', approvalNo, medicineKind });

describe('approval numbers', () => {
  it('refuses wrong forms and classes that contradict the letters, and two medicines under one number', async () => {
    const as = await maker();
    expect(await app.refused(addMedicine, draft('国药准字H2017016'), { as })).toMatchObject({
      code: 'SCM05021',
      message: '批准文号格式不正确',
      fields: [{ path: 'approvalNo' }],
    });
    expect((await app.refused(addMedicine, draft('国药准字HJ20170167', 'BIO'), { as })).code).toBe('SCM05021');
    const input = draft(' 国药准字hj20170167 ') as Parameters<typeof app.ok<typeof addMedicine>>[1];
    const [one, other] = await Promise.all([app.send(addMedicine, input, { as }), app.send(addMedicine, input, { as: await checker() })]);
    const codes = [one.envelope.code, other.envelope.code].sort();
    expect(codes).toEqual(['0000000', 'SCM05022']);
    const won = (one.envelope.code === '0000000' ? one : other).envelope.data as {
      medicineNo: string;
      approvalKind: string;
      state: string;
    };
    expect(won).toMatchObject({ approvalKind: 'IMPORT', state: 'DRAFT' });
    expect((one.envelope.code === '0000000' ? other : one).envelope.message).toContain(won.medicineNo);
  });
});

describe('from draft to sale', () => {
  it('names what is missing, wants a second person, a sku and a price, then publishes once', async () => {
    const as = await maker();
    const bare = await app.ok(addMedicine, { genericName: '二甲双胍', approvalNo: newApprovalNo(), medicineKind: 'CHEM' }, { as });
    const missing = await app.refused(submitMedicine, { id: bare.id, version: bare.version }, { as });
    expect(missing).toMatchObject({ code: 'SCM05020' });
    expect(missing.message).toContain('剂型');

    const medicine = await makeDraft(app);
    await app.ok(submitMedicine, { id: medicine.id, version: medicine.version }, { as });
    const apply = await openApplyOf(app, medicine.id);
    expect(await app.refused(auditMedicineApply, { id: apply.id, version: apply.version, action: 'approve' }, { as })).toMatchObject({
      code: 'SCM05024',
      message: '提交人与审核人不能为同一人',
    });
    await approve(app, medicine.id);
    const off = await facts(app, medicine.id);
    expect(off.state).toBe('OFF');

    const putOn = async () =>
      app.send(changeMedicineState, { id: medicine.id, version: (await facts(app, medicine.id)).version, action: 'putOn' }, { as });
    expect((await putOn()).envelope).toMatchObject({ code: 'SCM05026', message: '请先维护可售商品' });
    const sku = await makeSku(app, medicine.id);
    expect((await putOn()).envelope).toMatchObject({ code: 'SCM05027', message: `商品${sku.goodsCode}缺少零售价` });
    await makePrice(app, sku.id);
    const counted = async () =>
      (
        await app.database.pool.query('select 1 from kernel_outbox where name = $1 and aggregate_id = $2 and payload ->> $3 = $4', [
          medicineChanged.name,
          medicine.id,
          'state',
          'ON',
        ])
      ).rowCount;
    const offered = async () => (await app.ok(queryDrugSelectOptions, { type: 'SKU', keyword: sku.goodsCode }, { as })).length;
    expect((await putOn()).envelope.code).toBe('0000000');
    expect([await counted(), await offered()]).toEqual([0, 0]);
    await approve(app, medicine.id);
    expect(await offered()).toBe(1);
    expect((await facts(app, medicine.id)).state).toBe('ON');
    expect(await counted()).toBe(1);
  });

  it('never sells controlled medicines, nor those whose approval is over', async () => {
    const controlled = await makeMedicine(app, { controlClass: 'PSYCH2' });
    await makePrice(app, (await makeSku(app, controlled.id)).id);
    const refused = await app.refused(
      changeMedicineState,
      { id: controlled.id, version: (await facts(app, controlled.id)).version, action: 'putOn' },
      { as: await maker() },
    );
    expect(refused).toMatchObject({ code: 'SCM05025', message: '该药品属于第二类精神药品，不得在平台销售' });
  });

  it('keeps audited facts until the change is approved; pictures and usage act at once', async () => {
    const as = await maker();
    const { medicine } = await makeOn(app);
    const same = {
      genericName: medicine.genericName,
      approvalNo: medicine.approvalNo,
      medicineKind: medicine.medicineKind,
      rxClass: medicine.rxClass,
      dosageForm: medicine.dosageForm,
      approvalValidTo: medicine.approvalValidTo,
      holderId: medicine.holderId,
      makerId: medicine.makerId,
      categoryId: medicine.categoryId,
      indications: medicine.indications,
      storage: medicine.storage,
      taxCode: medicine.taxCode,
      taxRateBp: medicine.taxRateBp,
      taxScheme: medicine.taxScheme,
    };
    const picture = await uploadPicture(app, as);
    const changed = await app.ok(
      modifyMedicine,
      { id: medicine.id, version: medicine.version, ...same, strength: '40mg', usageText: '遵医嘱', imageFileIds: [picture] },
      { as },
    );
    expect(changed).toMatchObject({ strength: '80mg', usageText: '遵医嘱', imageFileIds: [picture], state: 'ON' });
    expect((await app.ok(queryMedicineList, { keyword: medicine.medicineNo }, { as })).rows).toMatchObject([
      { strength: '80mg', imageFileId: picture, pendingApply: 'MODIFY' },
    ]);
    expect(changed.applyNo).toMatch(/^MA20261121\d{6}$/);
    await approve(app, medicine.id);
    expect(await facts(app, medicine.id)).toMatchObject({ strength: '40mg', state: 'ON' });
    expect((await app.refused(modifyMedicine, { id: medicine.id, version: 1, ...same }, { as })).code).toBe('SCM90030');
  });

  it('refuses tax rates that do not go with the code, and wrong barcodes', async () => {
    const as = await maker();
    expect(
      (
        await app.refused(
          addMedicine,
          { ...draft(newApprovalNo()), taxCode: '1070303010000000000', taxRateBp: 900, taxScheme: 'GENERAL' },
          { as },
        )
      ).code,
    ).toBe('SCM05036');
    const { medicine, sku } = await makeOn(app);
    expect(
      await app.refused(addSku, { medicineId: medicine.id, packSpec: 'x', packUnits: 1, unit: '盒', barcode: '6901234567893' }, { as }),
    ).toMatchObject({ code: 'SCM05030', message: '条形码校验位不正确' });
    expect((await app.refused(addSku, { medicineId: medicine.id, packSpec: sku.packSpec, packUnits: 1, unit: '盒' }, { as })).code).toBe(
      'SCM05031',
    );
    expect(await app.refused(changeSkuState, { id: sku.id, version: sku.version, action: 'off' }, { as })).toMatchObject({
      code: 'SCM05029',
      message: '请先下架药品',
    });
    // Nor is it kept from sale by the other way, or left with goods that nobody may buy.
    const pack = { packSpec: sku.packSpec, packUnits: sku.packUnits, unit: sku.unit };
    expect((await app.refused(modifySku, { id: sku.id, version: sku.version, ...pack, saleable: false }, { as })).code).toBe('SCM05029');
    await makeSku(app, medicine.id, { saleable: false });
    expect((await app.refused(changeSkuState, { id: sku.id, version: sku.version, action: 'off' }, { as })).code).toBe('SCM05029');
    const other = await makeSku(app, medicine.id);
    expect((await app.refused(changeSkuState, { id: sku.id, version: sku.version, action: 'off' }, { as })).code).toBe('SCM05029');
    await makePrice(app, other.id);
    await app.ok(changeSkuState, { id: sku.id, version: sku.version, action: 'off' }, { as });
  });
});

describe('prices', () => {
  it('writes a change of exactly 10 % at once and lets a larger one wait', async () => {
    const as = await maker();
    const { medicine, sku } = await makeOn(app);
    const change = { skuId: sku.id, priceType: 'MARKET' as const, effectiveFrom: '2026-11-25', reason: '谈判降价' };
    expect((await app.refused(addSkuPrice, { ...change, effectiveFrom: '2026-11-20', priceFen: 1 }, { as })).code).toBe('SCM05032');
    expect(await app.ok(addSkuPrice, { ...change, priceFen: 495_000 }, { as })).toMatchObject({ applyId: null });
    expect((await app.refused(addSkuPrice, { ...change, priceFen: 495_000 }, { as })).code).toBe('SCM05033');
    expect(await priceOf(app.db, sku.goodsCode, 'MARKET', '2026-11-24')).toBe(550_000n);
    expect(await priceOf(app.db, sku.goodsCode, 'MARKET', '2026-11-25')).toBe(495_000n);

    const other = await makeOn(app);
    const cheaper = await app.ok(addSkuPrice, { ...change, skuId: other.sku.id, priceFen: 494_999 }, { as });
    expect(cheaper).toMatchObject({ priceId: null, applyNo: expect.stringMatching(/^MA/) });
    expect(await priceOf(app.db, other.sku.goodsCode, 'MARKET', '2026-11-25')).toBe(550_000n);
    await approve(app, other.medicine.id);
    expect(await priceOf(app.db, other.sku.goodsCode, 'MARKET', '2026-11-24')).toBe(550_000n);
    expect(await priceOf(app.db, other.sku.goodsCode, 'MARKET', '2026-11-25')).toBe(494_999n);

    const { applyId } = await app.ok(addSkuPrice, { ...change, effectiveFrom: '2026-12-01', priceFen: 445_499 }, { as });
    expect(applyId).not.toBeNull();
    expect(await priceOf(app.db, sku.goodsCode, 'MARKET', '2026-12-02')).toBe(495_000n);
    const outcome = await app.ok(
      batchAuditMedicineApply,
      { applyIds: [applyId!, '999999999'], action: 'reject', opinion: '降幅过大' },
      { as: await checker() },
    );
    expect(outcome).toMatchObject([{ ok: true }, { ok: false, code: 'SCM90040' }]);
    expect((await openApplyOf(app, medicine.id)) ?? null).toBeNull();

    const future = (await app.ok(querySkuPriceList, { skuId: sku.id, period: 'FUTURE' }, { as })).rows[0]!;
    await app.ok(revokeSkuPrice, { id: future.id }, { as });
    expect(await priceOf(app.db, sku.goodsCode, 'MARKET', '2026-12-02')).toBe(550_000n);
  });

  it('keeps supply below market and away from those who may not see it, also in exports', async () => {
    const { medicine, sku } = await makeOn(app);
    const supply = { skuId: sku.id, priceType: 'SUPPLY' as const, effectiveFrom: '2026-11-21', reason: '供货协议' };
    expect(await app.refused(addSkuPrice, { ...supply, priceFen: 550_001 }, { as: await maker() })).toMatchObject({
      code: 'SCM05037',
      message: '供货价不能高于零售价',
    });
    await app.ok(addSkuPrice, { ...supply, priceFen: 400_000 }, { as: await maker() });
    const viewer = await app.staff({
      permissions: [pharmaPermissions['medicine.view'].code, pharmaPermissions['price.view'].code, pharmaPermissions['price.export'].code],
    });
    expect((await app.ok(querySkuPriceList, { skuId: sku.id }, { as: viewer })).rows.map((row) => row.priceType)).toEqual(['MARKET']);
    expect((await app.ok(querySkuList, { medicineId: medicine.id }, { as: viewer }))[0]).toMatchObject({
      marketFen: 550_000,
      supplyFen: null,
    });
    const { body } = await app.file(exportSkuPriceList, { skuId: sku.id, format: 'CSV' }, { as: viewer });
    expect(body.toString()).toContain('零售指导价');
    expect(body.toString()).not.toContain('供货价');
    expect((await app.refused(modifyMedicine, {}, { as: viewer })).code).toBe('SCM90010');
    // Who sees no prices learns none by asking for them, or from what waits for approval.
    const { applyNo } = await app.ok(
      addSkuPrice,
      { ...supply, priceType: 'MARKET', effectiveFrom: '2026-11-25', priceFen: 480_000 },
      { as: await maker() },
    );
    const onlooker = await app.staff({ permissions: [pharmaPermissions['medicine.view'].code] });
    const waiting = async (as: TestStaff) =>
      (await app.ok(queryMedicineApplyList, { medicineId: medicine.id, state: 'PENDING' }, { as })).rows.map((row) => row.applyNo);
    expect([await waiting(viewer), await waiting(onlooker)]).toEqual([[applyNo], []]);
    const found = async (as: TestStaff) =>
      (await app.ok(queryMedicineList, { keyword: medicine.medicineNo, priceFrom: 1, priceTo: 2 }, { as })).rows.map(
        (row) => row.priceMinFen,
      );
    expect([await found(viewer), await found(onlooker)]).toEqual([[], [null]]);
  });

  it('answers reimbursement by province and day, and days of supply', async () => {
    const as = await maker();
    const { medicine, sku } = await makeOn(app);
    const row = {
      medicineId: medicine.id,
      effectiveFrom: '2026-01-01',
      provinceAdcode: '000000',
      reimburseClass: 'NEGOTIATED' as const,
      selfPayBp: 2000,
    };
    await app.ok(saveReimburse, row, { as });
    await app.ok(saveReimburse, { ...row, provinceAdcode: '330000', reimburseClass: 'DUAL', selfPayBp: 1000 }, { as });
    expect((await app.refused(saveReimburse, { ...row, effectiveFrom: '2026-06-01' }, { as })).code).toBe('SCM05034');
    expect(await reimburseOf(app.db, medicine.id, '330000', '2026-11-21')).toMatchObject({ reimburseClass: 'DUAL' });
    expect(await reimburseOf(app.db, medicine.id, '310000', '2026-11-21')).toMatchObject({ reimburseClass: 'NEGOTIATED' });
    const found = await app.ok(
      queryMedicineList,
      { keyword: medicine.medicineNo, provinceAdcode: '330000', reimburseClass: 'DUAL' },
      { as },
    );
    expect(found.rows).toMatchObject([{ reimburseClass: 'DUAL', priceMinFen: 550_000 }]);
    expect(await daysSupply(app.db, sku.goodsCode, 2)).toBe(60);
  });
});

it('shows a promotion tag that content bound, and drops it when it expires', async () => {
  const { medicine } = await makeOn(app);
  const tag = { tagId: '77', name: '特药', colour: '#f60', validFrom: '2026-01-01', validTo: '2026-12-31', state: 'ENABLED' };
  await app.kernel.transactions.run('test', async (writing) => {
    await writing.publish(promotionTagChanged, '77', tag);
    await writing.publish(markBound, '77', {
      markId: '77',
      markCode: 'TY',
      objectType: 'MEDICINE',
      objectId: medicine.id,
      source: 'MANUAL',
      at: app.clock.now(),
    });
  });
  await app.runDue();
  const as = await maker();
  expect((await app.ok(queryMedicineList, { tagId: '77' }, { as })).rows).toMatchObject([{ id: medicine.id, tags: [{ name: '特药' }] }]);
  await app.kernel.transactions.run('test', (writing) => writing.publish(promotionTagChanged, '77', { ...tag, state: 'EXPIRED' }));
  await app.runDue();
  expect((await app.ok(queryMedicineList, { tagId: '77' }, { as })).rows).toEqual([]);
  expect((await app.ok(queryMedicineList, { keyword: medicine.medicineNo }, { as })).rows).toMatchObject([{ tags: [] }]);
  expect((await app.ok(queryMedicineDetail, { medicineId: medicine.id }, { as })).tags).toEqual([]);
});

describe('imports', () => {
  /** Uploads and checks; answers the task. */
  const check = async (call: typeof importMedicine, importer: Importer, rows: string[][], as: TestStaff) => {
    const { importTaskId } = await app.ok(call, { fileId: await uploadTable(app, as, tableOf(importer, ...rows)) }, { as });
    await app.runDue();
    return app.ok(queryImportResult, { importTaskId }, { as });
  };
  const commit = async (task: { importTaskId: string; version: number }, as: TestStaff) => {
    await app.ok(
      commitImportTask,
      { importTaskId: task.importTaskId, version: task.version },
      { as, idempotencyKey: `commit-of-task-${task.importTaskId}` },
    );
    await app.runDue();
  };
  const reasons = async (importTaskId: string, as: TestStaff) =>
    (await app.ok(queryImportRowList, { importTaskId, hasError: true }, { as })).rows.flatMap(({ errors }) =>
      errors.map(({ columnLabel, message }) => [columnLabel, message]),
    );

  it('takes medicines all or nothing, and the same rows once', async () => {
    const as = await maker();
    const company = await makeCompany(app);
    const category = await makeCategory(app);
    const row = (index: number) => [
      newApprovalNo(),
      `导入药品${index}`,
      '',
      '化学药',
      '处方药',
      '片剂',
      '10mg',
      '2029-12-31',
      company.name,
      company.name,
      category.code,
      '常温 10–30℃',
      '',
    ];
    const rows = Array.from({ length: 200 }, (_, index) => row(index));
    const written = async () => (await app.ok(queryMedicineList, { companyId: company.id }, { as })).total;
    const bad = await check(
      importMedicine,
      medicineImporter,
      rows.map((cells, index) => (index === 2 || index === 90 || index === 199 ? cells.with(5, '不存在的剂型') : cells)),
      as,
    );
    expect(bad).toMatchObject({ state: 'INVALID', errorRows: 3, errorCells: 3, hasResult: true });
    expect(await written()).toBe(0);
    const annotated = (await readXlsx((await app.file(downloadImportResult, { importTaskId: bad.importTaskId }, { as })).body)).sheets[0]!
      .rows;
    const said = annotated.flatMap((cells, index) =>
      index > 0 && cells[medicineImporter.columns.length] ? [[index + 1, cells[medicineImporter.columns.length]]] : [],
    );
    expect(said).toEqual([4, 92, 201].map((rowNo) => [rowNo, expect.stringContaining('剂型')]));
    const fixed = await check(importMedicine, medicineImporter, rows, as);
    expect(fixed).toMatchObject({ state: 'READY', newRows: 200 });
    await commit(fixed, as);
    expect(await written()).toBe(200);
    // The very same table is refused; its rows in another order write nothing.
    const again = await uploadTable(app, as, tableOf(medicineImporter, ...rows));
    expect((await app.refused(importMedicine, { fileId: again }, { as })).code).toBe('SCM02038');
    const shuffled = await check(importMedicine, medicineImporter, rows.toReversed(), as);
    expect(shuffled).toMatchObject({ newRows: 0, changedRows: 0, sameRows: 200 });
    await commit(shuffled, as);
    expect(await written()).toBe(200);
    expect(
      (await app.database.pool.query('select 1 from pharma_medicine where holder_id = $1 and version > 1', [company.id])).rowCount,
    ).toBe(0);
  });

  it('says what the page would refuse of prices and classes, before anything is written', async () => {
    const as = await maker();
    const { medicine, sku } = await makeOn(app);
    await makePrice(app, sku.id, { priceType: 'SUPPLY', priceFen: 500_000 });
    const price = (type: string, yuan: string, from: string) => [sku.goodsCode, type, yuan, from, '年度调价'];
    const prices = await check(
      importSkuPrice,
      priceImporter,
      [
        price('零售指导价', '4990.00', '2026-12-01'),
        price('零售指导价', '4400.00', '2026-12-02'),
        price('零售指导价', '5600.00', '2026-11-21'),
      ],
      as,
    );
    expect(await reasons(prices.importTaskId, as)).toEqual([
      ['价格（元）', '供货价不能高于零售价'],
      ['价格（元）', '调价超过10%或当日生效，请在页面提交调价申请'],
      ['价格（元）', '调价超过10%或当日生效，请在页面提交调价申请'],
    ]);
    const empty = await check(importSkuPrice, priceImporter, [price('零售指导价', '很贵', '2026-12-01')], as);
    expect(empty).toMatchObject({ state: 'INVALID', errorRows: 1, errorCells: 1 });

    const covered = (from: string, to: string, province = '浙江省') => [medicine.approvalNo, province, '乙类', '10%', '', from, to];
    const overlapping = await check(
      importReimburse,
      reimburseImporter,
      [covered('2026-01-01', '2026-12-31'), covered('2026-06-01', ''), covered('2026-06-01', '', '江苏省')],
      as,
    );
    expect(await reasons(overlapping.importTaskId, as)).toEqual([['生效日期', '有效期与第2行重叠']]);
  });
});

it('moves several medicines to a category, with an answer for each', async () => {
  const as = await maker();
  const category = await makeCategory(app);
  const [draft, waiting] = [await makeDraft(app), await makeDraft(app)];
  await app.ok(submitMedicine, { id: waiting.id, version: waiting.version }, { as });
  expect(await app.ok(moveMedicineCategory, { medicineIds: [draft.id, waiting.id, '999999999'], categoryId: category.id }, { as })).toEqual(
    [
      { id: draft.id, name: draft.genericName, ok: true, message: '成功' },
      { id: waiting.id, name: waiting.genericName, ok: false, message: '药品待审核，不能调整分类' },
      { id: '999999999', name: '999999999', ok: false, message: '药品不存在或已删除' },
    ],
  );
  const { medicine, timeline } = await app.ok(queryMedicineDetail, { medicineId: draft.id }, { as });
  expect(medicine.categoryId).toBe(category.id);
  expect(timeline.at(-1)).toMatchObject({ label: '编辑', diff: [{ label: '药品分类', after: category.name }] });
});

it('takes off what is on when its approval ends, by the clock', async () => {
  const { medicine } = await makeOn(app, { approvalValidTo: '2026-11-25' });
  await app.advance(days(6), ['pharma']);
  const ended = await facts(app, medicine.id);
  expect(ended.state).toBe('OFF');
  const { timeline } = await app.ok(queryMedicineDetail, { medicineId: medicine.id }, { as: await maker() });
  expect(timeline.at(-1)).toMatchObject({ displayName: '系统', opinion: '批准文号已于2026-11-25到期，系统自动下架' });
  expect(
    (await app.refused(changeMedicineState, { id: medicine.id, version: ended.version, action: 'putOn' }, { as: await maker() })).code,
  ).toBe('SCM05023');
});
