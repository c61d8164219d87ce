import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { conversationClosed, memberChanged } from '#events/consultation.ts';
import { corpusFormSubmitted } from '#events/corpus.ts';
import { assistantBound, assistantUnbound } from '#events/doctor.ts';
import { applyApproved, contractActivated, contractExpired } from '#events/enrolment.ts';
import { fulfilmentShipped, orderCancelled, orderPaid } from '#events/order.ts';
import { delDiagnosis, queryIndicatorTrend, queryPatientHistory, queryPatientModule } from '../contract/calls/ehr.ts';
import { queryPatientDetail } from '../contract/calls/sufferer.ts';
import { factsFor } from './facts.ts';
import { addSuggestion } from './suggestions/suggestions.ts';
import {
  acting,
  assistant,
  fresh,
  keeper,
  makeDiagnosis,
  makePatient,
  next,
  openGroup,
  suggestion,
  publishAndDeliver,
} from './testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('what enrolment says', () => {
  const contract = (patientId: string) => ({
    contractId: String(next()),
    contractNo: fresh('HT'),
    chainId: '1',
    patientId,
    hospitalId: null,
    insuredItemId: null,
    productLine: 'SPECIAL',
    productCode: 'TY',
    productId: '1',
    productVersionId: '1',
    policyId: null,
    policyNo: null,
    productName: '特药保障计划',
    holder: { name: '张建国', idType: 'ID', idNoCipher: app.kernel.secrets.encrypt('110101199001011237'), mobileCipher: null },
    startDate: '2026-01-01',
    endDate: '2026-12-31',
    seq: 1,
  });

  it('is on the record while the contract lives', async () => {
    const { id } = await makePatient(app);
    const as = await keeper(app);
    const labels = async () => (await app.ok(queryPatientDetail, { patientId: id }, { as })).coverLabels;
    const live = contract(id);
    await publishAndDeliver(app, contractActivated, live.contractId, live);
    await publishAndDeliver(app, contractActivated, live.contractId, live);
    expect(await labels()).toEqual(['特药保障计划']);
    const { contractId, contractNo, patientId, insuredItemId, productLine } = live;
    await publishAndDeliver(app, contractExpired, contractId, {
      contractId,
      contractNo,
      patientId,
      insuredItemId,
      productLine,
      reason: '到期',
      onDate: '2026-12-31',
      seq: 2,
    });
    expect(await labels()).toEqual([]);
  });

  it('adds the diagnosis once and lets the insurer’s staff see the patient', async () => {
    const { id } = await makePatient(app);
    const apply = {
      applyId: String(next()),
      applyNo: fresh('RZ'),
      patientId: id,
      insuredItemId: null,
      productLine: 'SPECIAL',
      productId: '1',
      insurerId: '4077',
      adcode: null,
      submittedAt: app.clock.now(),
      decidedAt: app.clock.now(),
      firstRoundPass: true,
      testUser: false,
      seq: 1,
      contractId: null,
      applicantWording: null,
      icd10: 'C34.901',
      diseaseName: '肺恶性肿瘤',
      firstDiagnosedOn: '2026-03-01',
      hospitalName: '省肿瘤医院',
    };
    const insurer = await keeper(app, { scope: { insurer: ['4077'] } });
    expect(await app.refused(queryPatientHistory, { patientId: id }, { as: insurer })).toMatchObject({ code: 'SCM09001' });
    for (let n = 0; n < 2; n += 1) await publishAndDeliver(app, applyApproved, apply.applyId, apply);
    expect(await app.ok(queryPatientHistory, { patientId: id }, { as: insurer })).toMatchObject([
      { icd10: 'C34.901', source: 'ENROL', diagnosedAt: '2026-03-01', hospitalName: '省肿瘤医院' },
    ]);
  });
});

it('takes measured values out of a questionnaire once, as told by the patient', async () => {
  const { id } = await makePatient(app);
  const answer = {
    answerId: String(next()),
    patientId: id,
    questionnaireId: '1',
    score: null,
    alerts: [],
    values: [
      { variableCode: 'patient.fastingGlucose', value: '7.2' },
      { variableCode: 'patient.fastingGlucose.word', value: '高' },
      { variableCode: 'patient.systolic', value: '十六' },
    ],
  };
  for (let n = 0; n < 2; n += 1) await publishAndDeliver(app, corpusFormSubmitted, answer.answerId, answer);
  expect(await factsFor(app.db, [id], ['patient.fastingGlucose', 'patient.systolic'], '2026-11-21')).toMatchObject([
    { code: 'patient.fastingGlucose', value: '7.2', sourceType: 'PATIENT' },
  ]);
  const trend = await app.ok(
    queryIndicatorTrend,
    { patientId: id, codes: ['FPG'], from: '2026-11-01', to: '2026-11-30' },
    { as: await keeper(app) },
  );
  expect(trend.series).toMatchObject([{ points: [{ value: '7.2', source: 'PATIENT' }] }]);
});

describe('an assistant', () => {
  const sees = async (as: Awaited<ReturnType<typeof assistant>>, patientId: string) =>
    (await app.send(queryPatientDetail, { patientId }, { as })).envelope.code === '0000000';

  it('sees whom he serves until thirty days after the end', async () => {
    const { id } = await makePatient(app);
    const as = await assistant(app);
    expect(await sees(as, id)).toBe(false);
    const group = await openGroup(app, { patientId: id, assistant: as });
    expect(await sees(as, id)).toBe(true);
    await publishAndDeliver(app, conversationClosed, group.conversationId, group);
    expect(await sees(as, id)).toBe(true);
    await sql`
      update patient_care_group
        set closed_at = ${new Date(Date.parse(app.clock.now()) - days(30) - 1000).toISOString()}
        where conversation_id = ${group.conversationId}`.execute(app.db);
    expect(await sees(as, id)).toBe(false);
  });

  it('sees whom he helps with as a member, and no longer whose doctor he left', async () => {
    const [owner, helper] = [await assistant(app), await assistant(app)];
    const { id } = await makePatient(app);
    const group = await openGroup(app, { patientId: id, assistant: owner });
    await openGroup(app, { patientId: (await makePatient(app)).id, assistant: helper });
    const { rows } = await sql<{ operatorId: string }>`select operator_id from patient_assistant where user_id = ${helper.userId}`.execute(
      app.db,
    );
    const member = {
      conversationId: group.conversationId,
      imUserId: `A${rows[0]!.operatorId}`,
      operatorId: rows[0]!.operatorId,
      userRole: 'ASSISTANT' as const,
      change: 'JOIN' as const,
    };
    expect(await sees(helper, id)).toBe(false);
    await publishAndDeliver(app, memberChanged, group.conversationId, member);
    expect(await sees(helper, id)).toBe(true);
    const other = await openGroup(app, { patientId: (await makePatient(app)).id });
    const bind = {
      doctorId: other.doctorId,
      assistantId: '1',
      operatorId: group.assistantOperatorId!,
      userId: owner.userId,
      role: 'BACKUP' as const,
      withInquiries: false,
    };
    await publishAndDeliver(app, assistantBound, other.doctorId, bind);
    expect(await sees(owner, other.patientId)).toBe(true);
    await publishAndDeliver(app, assistantUnbound, other.doctorId, bind);
    expect(await sees(owner, other.patientId)).toBe(false);
  });
});

describe('orders', () => {
  const line = {
    orderLineId: '1',
    lineNo: 1,
    medicineId: '71',
    goodsCode: 'G1',
    goodsName: '奥希替尼片',
    spec: '80mg',
    quantity: 2,
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
  };
  const orderOf = (patientId: string, suggestNo: string) => ({
    orderId: String(700_000 + next()),
    orderNo: fresh('DD'),
    bizLine: 'OWN',
    orderType: 'B2C',
    patientId,
    contractId: null,
    claimOrderId: null,
    drugstoreId: null,
    drugstoreName: null,
    suggestNo,
    payFen: 100,
    orderTime: '2026-11-20T02:00:00.000Z',
    statusCode: 'PAID',
    statusName: '已支付',
    at: '2026-11-20T02:00:00.000Z',
    lines: [line, { ...line, orderLineId: '2', lineNo: 2 }],
  });

  it('whose shipment is heard of before the payment keep all their lines and their suggestion', async () => {
    const { id } = await makePatient(app);
    const as = await keeper(app);
    const made = await acting(app, (writing) => addSuggestion(writing, suggestion(id) as never));
    const order = orderOf(id, made.suggestNo);
    await publishAndDeliver(app, fulfilmentShipped, order.orderId, {
      ...order,
      statusCode: 'SHIPPED',
      statusName: '已发货',
      at: '2026-11-20T05:00:00.000Z',
      lines: [line],
      fulfilmentNo: 'F1',
      carrierCode: null,
      waybillNo: null,
    });
    await publishAndDeliver(app, orderPaid, order.orderId, { ...order, selfPayAmount: 100, cardAmount: 0 });
    const rows = async (moduleCode: string) => (await app.ok(queryPatientModule, { patientId: id, moduleCode }, { as })).rows;
    expect(await rows('modular003')).toMatchObject([{ statusName: '已发货', lines: [{ qty: 2 }, { qty: 2 }] }]);
    expect(await rows('modular002')).toMatchObject([{ status: '2', orderId: order.orderId }]);
    // A payment that is told after the cancellation wakes nothing.
    await publishAndDeliver(app, orderCancelled, order.orderId, {
      ...order,
      reasonCode: 'USER',
      paid: true,
      statusCode: 'CANCELLED',
      statusName: '已取消',
      at: '2026-11-20T06:00:00.000Z',
    });
    await publishAndDeliver(app, orderPaid, order.orderId, { ...order, selfPayAmount: 100, cardAmount: 0 });
    expect(await rows('modular002')).toMatchObject([{ status: '1', orderId: null }]);
  });
});

it('never deletes a row of the record: what is void is kept with its reason', async () => {
  const { id } = await makePatient(app);
  const made = await makeDiagnosis(app, id);
  const as = await keeper(app);
  expect(await app.refused(delDiagnosis, { id: made.id, version: 1, reason: '' }, { as })).toMatchObject({ fields: [{ path: 'reason' }] });
  await app.ok(delDiagnosis, { id: made.id, version: 1, reason: '录入有误' }, { as });
  expect(await app.ok(queryPatientHistory, { patientId: id }, { as })).toEqual([]);
  const { rows } = await sql`select void_reason from patient_diagnosis where id = ${made.id} and voided_at is not null`.execute(app.db);
  expect(rows).toEqual([{ voidReason: '录入有误' }]);
});
