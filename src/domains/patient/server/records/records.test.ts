import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { signedHeaders } from '#testing/signing.ts';
import { getFileUrl } from '#domains/files/contract/calls/objects.ts';
import { conversationClosed, visitRecordCompleted } from '#events/consultation.ts';
import { orderCancelled, orderPaid } from '#events/order.ts';
import {
  addDiagnosis,
  addInspection,
  addTreatment,
  checkInspection,
  exportPatientRecord,
  modifyDiagnosis,
  queryIndicatorTrend,
  queryPatientHistory,
  queryPatientModule,
  queryPatientOverview,
  voidInspection,
} from '../../contract/calls/ehr.ts';
import { submitInspection } from '../../contract/calls/intranet.ts';
import { findEhrMedicineSuggested, queryHistoryDiagnosis } from '../../contract/calls/panel.ts';
import { modules, type ModuleCode } from '../../contract/modules.ts';
import { factsFor } from '../facts.ts';
import { convertDecimal, measure } from '../inspections/convert.ts';
import { addSuggestion, confirmSuggestion, withdrawSuggestion } from '../suggestions/suggestions.ts';
import {
  acting,
  assistant,
  clientUpload,
  fresh,
  keeper,
  makeAccount,
  makeDiagnosis,
  makeInspection,
  makePatient,
  makeVerified,
  makeWithId,
  medicine,
  next,
  openGroup,
  picture,
  reportInput,
  requestNo,
  suggestion,
  publishAndDeliver,
  upload,
} from '../testing/fixtures.ts';
import { daysLeft, stackSupplies } from './supplies.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const orderOf = (patientId: string, more: object = {}) => ({
  orderId: String(900_000 + next()),
  orderNo: fresh('DD'),
  bizLine: 'OWN',
  orderType: 'B2C',
  patientId,
  contractId: null,
  claimOrderId: null,
  drugstoreId: null,
  drugstoreName: null,
  suggestNo: null,
  payFen: 100,
  orderTime: '2026-11-20T02:00:00.000Z',
  statusCode: 'PAID',
  statusName: '已支付',
  at: '2026-11-20T02:00:00.000Z',
  selfPayAmount: 100,
  cardAmount: 0,
  lines: [
    {
      orderLineId: '1',
      lineNo: 1,
      medicineId: '71',
      goodsCode: 'G1',
      goodsName: '奥希替尼片',
      spec: '80mg',
      quantity: 1,
      daysSupply: 28,
      amount: 100,
      benefitShare: 0,
      cardShare: 0,
      couponShare: 0,
      selfPayShare: 100,
      freightShare: 0,
      taxCode: null,
      taxRateBp: null,
      taxScheme: null,
      traceCodes: [],
    },
  ],
  ...more,
});
const paid = (patientId: string, more: object = {}) => {
  const order = orderOf(patientId, more);
  return publishAndDeliver(app, orderPaid, order.orderId, order).then(() => order);
};
const cancelledOf = ({ selfPayAmount: _self, cardAmount: _card, ...order }: ReturnType<typeof orderOf>, more: object) => ({
  ...order,
  reasonCode: 'USER',
  paid: true,
  statusCode: 'CANCELLED',
  statusName: '已取消',
  ...more,
});
const suggest = (patientId: string, more: object = {}) =>
  acting(app, (writing) => addSuggestion(writing, suggestion(patientId, more) as never));

describe('modules of the record', () => {
  it('refuse an unknown section and another order', async () => {
    const { id } = await makePatient(app);
    const as = await keeper(app);
    expect(await app.refused(queryPatientModule, { patientId: id, moduleCode: 'modular009' }, { as })).toMatchObject({ code: 'SCM09002' });
    for (const orderBy of ['create_time asc', 'order_time desc', 'id'])
      expect(await app.refused(queryPatientModule, { patientId: id, moduleCode: 'modular002', orderBy }, { as }), orderBy).toMatchObject({
        code: 'SCM09003',
      });
    const outsider = await assistant(app);
    expect(await app.refused(queryPatientModule, { patientId: id, moduleCode: 'modular002' }, { as: outsider })).toMatchObject({
      code: 'SCM09001',
    });
  });

  it('answer ten a page, the newest first, the same to the panel', async () => {
    const { id } = await makePatient(app);
    const operatorId = await makeAccount(app, id);
    const as = await keeper(app);
    for (let n = 0; n < 12; n += 1) {
      await makeInspection(app, id, {
        inspectionTime: `2026-11-${String(1 + n).padStart(2, '0')}T01:00:00.000Z`,
        indicators: [],
        conclusion: '正常',
      });
      await suggest(id, { medicines: [medicine({ medicineId: String(100 + n) })], groupId: n < 4 ? 'G-4' : null });
      await paid(id, { orderTime: `2026-10-${String(1 + n).padStart(2, '0')}T01:00:00.000Z` });
    }
    await sql`
      insert into patient_record_text (patient_id, paragraph_code, text, source, created_at, updated_at)
        select ${id}, 'P0' || (1 + n % 4), '内容' || n, 'ASSISTANT', '2026-11-01T00:00:00Z'::timestamptz + n * interval '1 hour',
            '2026-11-01T00:00:00Z'
          from generate_series(1, 12) n`.execute(app.db);
    const times: Record<ModuleCode, string> = {
      modular001: 'createdAt',
      modular002: 'prescriptionTime',
      modular003: 'orderTime',
      modular004: 'inspectionTime',
    };
    for (const [moduleCode, { orderBy }] of Object.entries(modules)) {
      const first = await app.ok(queryPatientModule, { patientId: id, moduleCode, orderBy }, { as });
      const second = await app.ok(queryPatientModule, { patientId: id, moduleCode, pageNo: 2 }, { as });
      expect([first.rows.length, second.rows.length, first.total, second.total], moduleCode).toEqual([10, 2, 12, 12]);
      const shown = [...first.rows, ...second.rows].map((row) =>
        String(Object.entries(row).find(([key]) => key === times[moduleCode as ModuleCode])?.[1]),
      );
      expect(shown).toEqual(shown.toSorted().toReversed());
      const panel = await app.ok(
        findEhrMedicineSuggested,
        {
          pageNo: 1,
          pageSize: 10,
          orderBy,
          moduleCode,
          paragraphCode: '',
          associatedId: operatorId,
          pageCode: 'IM_PANEL',
          preciseKeyValue: { status: '' },
        },
        { as },
      );
      expect(panel.rows).toEqual(first.rows);
    }
    expect((await app.ok(queryPatientModule, { patientId: id, moduleCode: 'modular002', groupId: 'G-4' }, { as })).total).toBe(4);
    expect(
      (
        await app.ok(findEhrMedicineSuggested, { moduleCode: 'modular001', paragraphCode: 'P02', associatedId: operatorId }, { as })
      ).rows.every((row) => row.moduleCode === 'modular001' && row.paragraphCode === 'P02'),
    ).toBe(true);
    expect(await app.ok(queryPatientModule, { patientId: id, moduleCode: 'modular003', pageNo: 3 }, { as })).toEqual({
      rows: [],
      total: 12,
    });
  });

  it('of a state hold only that state', async () => {
    const { id } = await makePatient(app);
    await suggest(id, { byDoctor: false });
    await suggest(id, { medicines: [medicine({ medicineId: '72' })] });
    const { rows } = await app.ok(queryPatientModule, { patientId: id, moduleCode: 'modular002', status: '1' }, { as: await keeper(app) });
    expect(rows).toMatchObject([{ status: '1' }]);
  });

  it('are about the person of the newest open group, else the default one', async () => {
    const [mother, child] = [await makePatient(app), await makePatient(app)];
    const operatorId = await makeAccount(app, mother.id);
    await makeAccount(app, child.id, { operatorId, relation: 'CHILD' });
    await makeDiagnosis(app, mother.id);
    await makeDiagnosis(app, child.id, { icd10: 'L20' });
    const as = await keeper(app);
    const shown = async () =>
      (await app.ok(queryHistoryDiagnosis, { suffererOperatorId: operatorId, orderBy: 'diagnosis_time desc' }, { as })).map(
        ({ icd10 }) => icd10,
      );
    expect(await shown()).toEqual(['E11.9']);
    const group = await openGroup(app, { patientId: child.id, operatorId });
    expect(await shown()).toEqual(['L20']);
    await publishAndDeliver(app, conversationClosed, group.conversationId, group);
    expect(await shown()).toEqual(['E11.9']);
    expect(await app.refused(queryHistoryDiagnosis, { suffererOperatorId: operatorId, orderBy: 'id desc' }, { as })).toMatchObject({
      code: 'SCM09003',
    });
  });
});

describe('diagnoses', () => {
  it('are not of tomorrow, end after they begin, one of them is the main one', async () => {
    const { id } = await makePatient(app);
    const as = await keeper(app);
    const input = { patientId: id, icd10: 'I10', diagnosedAt: '2025-01-01' };
    expect(await app.refused(addDiagnosis, { ...input, diagnosedAt: '2026-11-22' }, { as })).toMatchObject({ code: 'SCM09040' });
    expect(await app.refused(addDiagnosis, { ...input, icd10: 'ZZZ99' }, { as })).toMatchObject({ fields: [{ path: 'icd10' }] });
    const first = await app.ok(addDiagnosis, { ...input, isPrimary: true }, { as });
    expect(
      await app.refused(
        addTreatment,
        { diagnosisId: first.id, kind: 'DRUG', regimen: '氨氯地平', startOn: '2025-02-01', endOn: '2025-01-31' },
        { as },
      ),
    ).toMatchObject({ code: 'SCM09041' });
    expect(await app.refused(addDiagnosis, { ...input, icd10: 'E11.9', isPrimary: true }, { as })).toMatchObject({ code: 'SCM09042' });
    const second = await app.ok(addDiagnosis, { ...input, icd10: 'E11.9', isPrimary: true, switchPrimary: true }, { as });
    const history = await app.ok(queryPatientHistory, { patientId: id }, { as });
    expect(history.map((one) => [one.id, one.isPrimary])).toEqual(
      expect.arrayContaining([
        [first.id, false],
        [second.id, true],
      ]),
    );
    expect(await app.refused(modifyDiagnosis, { id: first.id, version: 1, icd10: 'I10', diagnosedAt: '2025-01-01' }, { as })).toMatchObject(
      { code: 'SCM90030' },
    );
  });

  it('of a visit come once, however often they are told', async () => {
    const { id } = await makePatient(app);
    const visit = {
      visitRecordId: String(next()),
      recordVersion: 1,
      serverId: '1',
      serviceType: 'TEXT',
      doctorId: '1',
      patientId: id,
      diagnoses: [{ icd10: 'C34.901', name: '肺恶性肿瘤', main: true }],
      revisitOn: null,
      at: app.clock.now(),
    };
    await publishAndDeliver(app, visitRecordCompleted, visit.visitRecordId, visit);
    await publishAndDeliver(app, visitRecordCompleted, visit.visitRecordId, { ...visit, recordVersion: 2 });
    expect(await app.ok(queryPatientHistory, { patientId: id }, { as: await keeper(app) })).toMatchObject([
      { icd10: 'C34.901', source: 'DOCTOR', isPrimary: true },
    ]);
  });
});

describe('suggestions of medicines', () => {
  it('wait for their doctor, follow the order and come back from a cancelled one', async () => {
    const { id } = await makePatient(app);
    const made = await suggest(id, { byDoctor: false });
    expect(made.status).toBe('0');
    await expect(acting(app, (writing) => confirmSuggestion(writing, { suggestionId: made.id, doctorId: '1' }))).rejects.toMatchObject({
      code: 'SCM90010',
    });
    expect(await acting(app, (writing) => confirmSuggestion(writing, { suggestionId: made.id, doctorId: made.doctorId }))).toMatchObject({
      status: '1',
    });
    const statusOf = async () =>
      (await app.ok(queryPatientModule, { patientId: id, moduleCode: 'modular002' }, { as: await keeper(app) })).rows[0] as {
        status: string;
      };
    const order = await paid(id, { suggestNo: made.suggestNo });
    expect(await statusOf()).toMatchObject({ status: '2', orderId: order.orderId });
    await publishAndDeliver(app, orderCancelled, order.orderId, cancelledOf(order, { at: '2026-11-20T03:00:00.000Z' }));
    expect(await statusOf()).toMatchObject({ status: '1', orderId: null });
    expect(
      await acting(app, (writing) => withdrawSuggestion(writing, { suggestionId: made.id, doctorId: made.doctorId, reason: '换药' })),
    ).toMatchObject({ status: '3', invalidReason: 'WITHDRAWN' });
  });

  it('want a proven identity, no allergy and no second one of the same medicine', async () => {
    const { id } = await makePatient(app, { allergyHistory: '青霉素过敏' });
    await expect(suggest(id, { realNameRequired: true })).rejects.toMatchObject({ code: 'SCM09047' });
    const allergic = { ingredients: { 71: ['阿莫西林', '青霉素'] } };
    await expect(suggest(id, allergic)).rejects.toMatchObject({ code: 'SCM09048', message: '患者对该药品成分过敏（青霉素），请确认' });
    const made = await suggest(id, { ...allergic, confirmed: true });
    const { rows } = await sql<{
      opinion: string;
    }>`select opinion from kernel_audit_trail where target_type = 'patient.medicineSuggested' and target_id = ${made.id}`.execute(app.db);
    expect(rows[0]!.opinion).toContain('过敏：青霉素');
    await expect(suggest(id)).rejects.toMatchObject({ code: 'SCM09049' });
    await suggest((await makeVerified(app)).id, { realNameRequired: true });
  });

  it('end with their last day', async () => {
    const { id } = await makePatient(app);
    await suggest(id, { validUntil: '2026-11-22' });
    await app.advance(2 * 86_400_000);
    const { rows } = await sql<{
      status: string;
      invalidReason: string;
    }>`select status, invalid_reason from patient_medicine_suggested where patient_id = ${id}`.execute(app.db);
    expect(rows).toEqual([{ status: '3', invalidReason: 'EXPIRED' }]);
    app.clock.set('2026-11-21T02:00:00.000Z');
  });
});

it('keeps one copy of an order: told twice, then an older event', async () => {
  const { id } = await makePatient(app);
  const order = await paid(id);
  await publishAndDeliver(app, orderPaid, order.orderId, { ...order, statusName: '已发货', at: '2026-11-20T05:00:00.000Z' });
  await publishAndDeliver(app, orderPaid, order.orderId, order);
  const { rows } = await app.ok(queryPatientModule, { patientId: id, moduleCode: 'modular003' }, { as: await keeper(app) });
  expect(rows).toMatchObject([{ orderId: order.orderId, statusName: '已发货' }]);
});

describe('supplies', () => {
  it('follow each other', () => {
    const supply = (orderDay: string) => ({ medicineKey: '71', medicineName: '药', orderNo: orderDay, orderDay, days: 28 });
    const stacked = stackSupplies([supply('2026-11-25'), supply('2026-11-01')]);
    expect(stacked.map(({ from, until }) => [from, until])).toEqual([
      ['2026-11-01', '2026-11-29'],
      ['2026-11-29', '2026-12-27'],
    ]);
    expect([daysLeft(stacked, '2026-11-30'), daysLeft(stacked, '2027-01-01'), daysLeft([], '2026-11-30')]).toEqual([27, 0, null]);
  });

  it('are facts only where something was supplied', async () => {
    const [bought, none] = [await makePatient(app), await makeWithId(app)];
    await paid(bought.id, { orderTime: '2026-11-01T02:00:00.000Z' });
    await paid(bought.id, { orderTime: '2026-11-25T02:00:00.000Z' });
    const facts = await factsFor(
      app.db,
      [bought.id, none.id],
      ['patient.medicineDaysLeft', 'patient.purchaseCount', 'patient.age'],
      '2026-11-30',
    );
    expect(facts.filter(({ patientId }) => patientId === bought.id)).toMatchObject([{ value: '27' }, { value: '2' }]);
    expect(facts.filter(({ patientId }) => patientId === none.id).map(({ code }) => code)).toEqual(['patient.age']);
  });
});

describe('values of reports', () => {
  it.each([
    ['FPG', '126', 'mg/dL', '6.994'],
    ['CREA', '1.2', 'mg/dL', '106.08'],
    ['LDLC', '130', 'mg/dL', '3.362'],
    ['HBA1C', '53', 'mmol/mol', '6.999'],
    ['HBA1C', '7.1', '%', '7.1'],
    ['SBP', '16', 'kPa', '120.01'],
    ['CREA', '88', 'umol/L', '88'],
  ])('%s %s %s is %s', (code, value, unit, expected) => {
    expect(measure({ code, value, unit, refLow: null, refHigh: null }, { gender: 1, age: 60 }).value).toBe(expected);
  });
  it('are rounded half up in whole numbers', () => {
    expect(convertDecimal('0.0005', { num: '1', den: '1' })).toBe('0.001');
    expect(convertDecimal('999999999', { num: '1', den: '3' })).toBe('333333333');
  });
  it.each([
    ['FPG', '2.7', null, null, 'C'],
    ['FPG', '7', '3', '8', 'N'],
    ['CREA', '100', null, null, 'N'],
    ['PSA', '4.1', null, null, 'H'],
    ['WBC', '3', null, null, 'L'],
  ])('%s %s between %s and %s is %s', (code, value, refLow, refHigh, flag) => {
    const unit = { FPG: 'mmol/L', CREA: 'μmol/L', PSA: 'ng/mL', WBC: '10^9/L' }[code]!;
    expect(measure({ code, value, unit, refLow, refHigh }, { gender: 1, age: 60 }).flag).toBe(flag);
  });

  it('are refused with an unknown unit or four decimals', async () => {
    const { id } = await makePatient(app);
    const as = await keeper(app);
    const send = (value: string, unit: string) =>
      app.refused(addInspection, { ...reportInput(id), indicators: [{ code: 'FPG', value, unit }] }, { as });
    expect(await send('6', 'furlong')).toMatchObject({ code: 'SCM09044', message: '指标空腹血糖的单位无法换算' });
    expect(await send('6.1234', 'mmol/L')).toMatchObject({ code: 'SCM09046' });
  });

  it('are read by another person, then count and draw a line', async () => {
    const { id } = await makePatient(app);
    const made = await makeInspection(app, id);
    const check = { id: made.id, version: 1, indicators: [{ code: 'FPG', value: '450', unit: 'mg/dL' }] };
    expect(await app.refused(checkInspection, check, { as: made.by })).toMatchObject({ code: 'SCM09045' });
    expect(await factsFor(app.db, [id], ['patient.fastingGlucose'], '2026-11-21')).toEqual([]);
    const as = await keeper(app);
    expect(await app.ok(checkInspection, check, { as })).toMatchObject({ status: '2', indicators: [{ value: '24.978', flag: 'C' }] });
    expect(await factsFor(app.db, [id], ['patient.fastingGlucose'], '2026-11-21')).toMatchObject([
      { value: '24.978', sourceType: 'inspection' },
    ]);
    const trend = await app.ok(queryIndicatorTrend, { patientId: id, codes: ['FPG'], from: '2026-11-01', to: '2026-11-21' }, { as });
    expect(trend.series).toMatchObject([{ code: 'FPG', refLow: '3.9', refHigh: '6.1', points: [{ value: '24.978', source: 'REPORT' }] }]);
    expect(await app.ok(queryPatientOverview, { patientId: id }, { as })).toMatchObject({
      supplyDaysLeft: null,
      indicators: [{ code: 'FPG', before: null }],
    });
    const { rows } = await sql`select 1 from kernel_outbox where name = 'patient.indicator.alerted' and aggregate_id = ${id}`.execute(
      app.db,
    );
    expect(rows).toHaveLength(1);
  });

  it('of one file are one report, until that is void', async () => {
    const { id } = await makePatient(app);
    const as = await keeper(app);
    const bytes = picture();
    const first = await app.ok(addInspection, { ...reportInput(id), fileIds: [await upload(app, as, bytes)] }, { as });
    const again = { ...reportInput(id), fileIds: [await upload(app, as, bytes)] };
    expect(await app.refused(addInspection, again, { as })).toMatchObject({
      code: 'SCM09043',
      message: `该报告已上传过（${first.inspectionNo}）`,
    });
    await app.ok(voidInspection, { id: first.id, version: 1, reason: '上传错误' }, { as });
    await app.ok(addInspection, again, { as });
  });
});

it('takes a report that the client uploads itself, once, and only its own file', async () => {
  const { id } = await makePatient(app);
  const as = await keeper(app);
  const report = async (fileId: string, more: object = {}) => {
    const { patientId, ...facts } = reportInput(id);
    const input = { externalRequestNo: requestNo(), patientId, ...facts, fileIds: [fileId], ...more };
    return app.send(submitInspection, input, { headers: await signedHeaders(app, submitInspection, input) });
  };
  expect((await report(await upload(app, as))).envelope).toMatchObject({ code: 'SCM02014' });
  expect((await report(await clientUpload(app, false))).envelope).toMatchObject({ code: 'SCM02014' });
  const bytes = picture();
  const fileId = await clientUpload(app, true, bytes);
  expect((await report(fileId)).envelope).toMatchObject({ code: '0000000', data: { status: '1' } });
  expect((await report(await clientUpload(app, true, bytes))).envelope).toMatchObject({ code: 'SCM09043' });
  const { rows } = await app.ok(queryPatientModule, { patientId: id, moduleCode: 'modular004' }, { as });
  expect(rows).toMatchObject([{ fileIds: [fileId], source: 'PATIENT', createdBy: null }]);
  // Whoever reads the record may see the paper.
  expect(await app.ok(getFileUrl, { fileId, use: 'PREVIEW', ownerType: 'patient.patient', ownerId: id }, { as })).toMatchObject({
    url: expect.stringContaining('/'),
  });
});

it('prints a record for a reason', async () => {
  const { id } = await makePatient(app);
  const as = await keeper(app);
  expect(await app.refused(exportPatientRecord, { patientId: id, modules: ['BASE'] }, { as })).toMatchObject({ code: 'SCM09053' });
  const { body } = await app.file(
    exportPatientRecord,
    { patientId: id, modules: ['BASE', 'HISTORY', 'modular001'], reason: '转诊' },
    { as },
  );
  expect(body.subarray(0, 5).toString()).toBe('%PDF-');
});
