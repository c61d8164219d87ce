import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import { commitImportTask, queryImportResult, queryImportRowList, undoImportTask } from '#domains/files/contract/calls/imports.ts';
import { makeMedicine } from '#domains/pharma/server/testing/fixtures.ts';
import {
  addFormulary,
  addFormularyVersion,
  auditFormularyVersion,
  diffFormularyVersion,
  queryFormularyDetail,
} from '../../contract/formulary/calls.ts';
import { addFormularyLine, importFormularyLine, modifyFormularyLine, queryFormularyLineList } from '../../contract/formulary/lineCalls.ts';
import { trialAdjudicate } from '../../contract/claimRules/trial.ts';
import { boxes, claimOf } from '../../contract/testing/specs.ts';
import { own } from '../database.ts';
import { addDraft, documentFrom, keeper, makeProduct, soon } from '../testing/products.ts';
import { lineImporter } from './importer.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let medicine: { id: string; medicineNo: string };
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  checker = await keeper(app);
  medicine = await makeMedicine(app);
});
afterAll(() => app.close());

let serial = 0;
const list = async () => (await app.ok(addFormulary, { formularyCode: `TY-${(serial += 1)}`, name: '特药目录' }, { as: maker })).id;
const version = async (formularyId: string, effectiveFrom: string, copyFrom?: string) =>
  (await app.ok(addFormularyVersion, { formularyId, effectiveFrom, ...(copyFrom && { copyFrom }) }, { as: maker })).formularyVersionId;
const line = (more: object = {}) => ({
  medicineId: medicine.id,
  indicationCode: 'NSCLC',
  indicationText: '非小细胞肺癌',
  socialCategory: 'INSIDE' as const,
  ...more,
});
const step = (id: string, seen: number, action: 'submit' | 'approve', as: TestStaff) =>
  app.ok(auditFormularyVersion, { id, version: seen, action, opinion: '年度调整' }, { as });
const publish = async (id: string) => {
  const { version: seen } = await step(id, 1, 'submit', maker);
  return step(id, seen, 'approve', checker);
};

describe('a drug list', () => {
  it('has one version that is written, lines that are there once, and is fixed with its publication', async () => {
    const formularyId = await list();
    const first = await version(formularyId, soon(app, 1));
    expect(await app.refused(addFormularyVersion, { formularyId, effectiveFrom: soon(app, 9) }, { as: maker })).toMatchObject({
      code: 'SCM12010',
    });
    expect(
      await app.refused(auditFormularyVersion, { id: first, version: 1, action: 'submit', opinion: '新目录' }, { as: maker }),
    ).toMatchObject({
      fields: [{ message: '目录版本没有药品，请先添加或导入' }],
    });
    const add = { formularyVersionId: first, ...line({ maxUnitPriceFen: 550_000 }) };
    expect(await app.refused(addFormularyLine, { ...add, maxQtyDays: 30 }, { as: maker })).toMatchObject({
      fields: [{ path: 'maxQtyDays', message: '周期最大数量与周期天数须同时填写' }],
    });
    const agreed = { chainId: '*', priceFen: 500_000, from: soon(app, 1), to: null };
    expect(await app.refused(addFormularyLine, { ...add, agreementPrices: [agreed, agreed] }, { as: maker })).toMatchObject({
      fields: [{ path: 'agreementPrices', message: '同一连锁的协议价日期重叠' }],
    });
    const made = await app.ok(addFormularyLine, add, { as: maker });
    expect(await app.refused(addFormularyLine, add, { as: maker })).toMatchObject({ code: 'SCM12012', message: '同一药品同一适应症重复' });
    expect(
      await app.refused(auditFormularyVersion, { id: first, version: 1, action: 'approve', opinion: '同意' }, { as: checker }),
    ).toMatchObject({
      code: 'SCM90031',
    });
    const submitted = await step(first, 1, 'submit', maker);
    const approve = { id: first, version: submitted.version, action: 'approve' as const, opinion: '同意' };
    expect(await app.refused(auditFormularyVersion, approve, { as: maker })).toMatchObject({ code: 'SCM12007' });
    await app.ok(auditFormularyVersion, approve, { as: checker });
    expect(await app.refused(modifyFormularyLine, { ...line(), ...made }, { as: maker })).toMatchObject({ code: 'SCM90031' });

    const second = await version(formularyId, soon(app, 40), first);
    const {
      rows: [copied],
    } = await app.ok(queryFormularyLineList, { formularyVersionId: second }, { as: maker });
    await app.ok(modifyFormularyLine, { ...line({ maxUnitPriceFen: 530_000 }), lineId: copied!.id, version: 1 }, { as: maker });
    const diff = await app.ok(diffFormularyVersion, { fromId: first, toId: second }, { as: maker });
    expect(diff.differences).toMatchObject([
      { change: 'CHANGED', before: '目录内；限价5,500.00元；可直付', after: '目录内；限价5,300.00元；可直付' },
    ]);
    await publish(second);
    const { versions } = await app.ok(queryFormularyDetail, { formularyId }, { as: maker });
    expect(versions.map(({ versionNo, state, effectiveTo }) => [versionNo, state, effectiveTo])).toEqual([
      [2, 'PUBLISHED', null],
      [1, 'PUBLISHED', soon(app, 39)],
    ]);
  });

  it('that changes in the middle of a term counts by the day of purchase, a pinned one stays (acceptance 11)', async () => {
    const formularyId = await list();
    const first = await version(formularyId, soon(app, 0));
    await app.ok(addFormularyLine, { formularyVersionId: first, ...line({ maxUnitPriceFen: 10_000 }) }, { as: maker });
    await publish(first);
    const second = await version(formularyId, soon(app, 40), first);
    const {
      rows: [copied],
    } = await app.ok(queryFormularyLineList, { formularyVersionId: second }, { as: maker });
    await app.ok(modifyFormularyLine, { ...line({ maxUnitPriceFen: 5_000 }), lineId: copied!.id, version: 1 }, { as: maker });
    await publish(second);
    const base = documentFrom(soon(app, 0), { formularyId, formularyVersionId: first });
    const byDate = {
      ...base,
      benefits: base.benefits.map((one) => ({ ...one, formularyMode: 'BY_SERVICE_DATE' as const, formularyVersionId: null })),
    };
    const paid = async (document: typeof base) => {
      const { productVersionId } = await addDraft(app, maker, (await makeProduct(app, maker)).id, document);
      const on = (days: number) => boxes(1, medicine.id, 1, 12_000, { serviceDate: soon(app, days) });
      const amounts: number[] = [];
      for (const days of [39, 40]) {
        const input = claimOf([on(days)], {
          claim: { submittedOn: soon(app, days), firstDiagnosedOn: soon(app, 20) },
          cover: { coverageStart: soon(app, 0), coverageEnd: plusDays(soon(app, 0), 364), continuousFrom: soon(app, 0) },
        });
        amounts.push((await app.ok(trialAdjudicate, { productVersionId, input }, { as: maker })).payableFen);
      }
      return amounts;
    };
    expect(await paid(byDate)).toEqual([8_000, 4_000]);
    expect(await paid(base)).toEqual([8_000, 8_000]);
  });
});

describe('lines that are imported', () => {
  const row = (indicationCode: string, more: Record<string, string> = {}) => ({
    medicineNo: medicine.medicineNo,
    indicationCode,
    indicationText: '适应症',
    socialCategory: '国谈',
    ...more,
  });
  const checked = async (formularyVersionId: string, rows: readonly Record<string, string>[]) => {
    const fileId = await uploadRows(app, maker, lineImporter, rows);
    const { importTaskId } = await app.ok(importFormularyLine, { fileId, formularyVersionId }, { as: maker });
    await app.runDue();
    return app.ok(queryImportResult, { importTaskId }, { as: maker });
  };
  const count = async (formularyVersionId: string) =>
    (await own(app.db).selectFrom('insuranceFormularyLine').select('id').where('formularyVersionId', '=', formularyVersionId).execute())
      .length;

  it('are written all or none: of 20,000 the last one is wrong', async () => {
    const target = await version(await list(), soon(app, 3));
    const rows = Array.from({ length: 20_000 }, (_none, index) =>
      row(`I${index}`, index === 19_999 ? { maxUnitPrice: '0' } : { maxUnitPrice: '100.00' }),
    );
    const task = await checked(target, rows);
    expect(task).toMatchObject({ state: 'INVALID', okRows: 19_999, errorRows: 1, mayCommit: false });
    const { rows: faults } = await app.ok(queryImportRowList, { importTaskId: task.importTaskId, action: ['ERROR'] }, { as: maker });
    expect(faults.map(({ rowNo, errors }) => [rowNo, errors.map(({ columnLabel, message }) => [columnLabel, message])])).toEqual([
      [20_001, [['限价', '限价须大于0']]],
    ]);
    expect(await count(target)).toBe(0);
  });

  it('are told by their cells, written, written anew where they differ, and taken back', async () => {
    const target = await version(await list(), soon(app, 3));
    const wrong = await checked(target, [
      row('A'),
      row('A'),
      row('B', { medicineNo: 'YP-NONE' }),
      row('C', { maxQtyPerClaim: '1.2345' }),
      row('D', { icd10: '肺癌' }),
    ]);
    expect(wrong).toMatchObject({ state: 'INVALID', mayCommit: false });
    const good = await checked(target, [row('A', { maxUnitPrice: '5500.00', maxQtyPerClaim: '1.5', icd10: 'C34,C78' }), row('B')]);
    await app.ok(
      commitImportTask,
      { importTaskId: good.importTaskId, version: good.version },
      { as: maker, idempotencyKey: `formulary-import-${good.importTaskId}` },
    );
    await app.runDue();
    const { rows } = await app.ok(queryFormularyLineList, { formularyVersionId: target }, { as: maker });
    expect(
      rows.map(({ indicationCode, maxUnitPriceFen, maxQtyPerClaimMilli, icd10Prefixes }) => [
        indicationCode,
        maxUnitPriceFen,
        maxQtyPerClaimMilli,
        icd10Prefixes,
      ]),
    ).toEqual([
      ['A', 550_000, 1_500, ['C34', 'C78']],
      ['B', null, null, []],
    ]);
    const task = await app.ok(queryImportResult, { importTaskId: good.importTaskId }, { as: maker });
    await app.ok(undoImportTask, { importTaskId: task.importTaskId, version: task.version, opinion: '导错版本' }, { as: maker });
    await app.runDue();
    expect(await count(target)).toBe(0);
  });
});
