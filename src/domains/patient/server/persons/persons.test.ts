import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { patientCancelled } from '#events/patient.ts';
import { queryPatientHistory } from '../../contract/calls/ehr.ts';
import { querySuffererBaseInfoByUserId } from '../../contract/calls/panel.ts';
import { addPrivacyRequest, handlePrivacyRequest } from '../../contract/calls/privacy.ts';
import {
  addContactPerson,
  addPatient,
  breakGlass,
  modifyPatient,
  operatePatient,
  queryPatientDetail,
  queryPatientPicker,
  queryRecordAccessList,
  revealPatientField,
} from '../../contract/calls/sufferer.ts';
import { ageOn, maskIdNo } from '../../contract/idNumber.ts';
import { everyone, openPatient } from '../access.ts';
import { getBaseInfo } from '../services.ts';
import {
  assistant,
  freshIdNo,
  freshMobile,
  freshName,
  idNoOf,
  keeper,
  makeAccount,
  makeDiagnosis,
  makePatient,
  makeVerified,
  makeWithId,
  next,
  openGroup,
  personInput,
  upload,
  versionOf,
} from '../testing/fixtures.ts';
import { bind } from './accounts.ts';
import { registerBlocker } from './operate.ts';
import { scoreOf } from './duplicates.ts';
import { findOrCreate } from './findOrCreate.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const published = async (name: string, id: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from kernel_outbox where name = ${name} and aggregate_id = ${id}`.execute(app.db))
    .rows[0]!.n;

describe('a new record', () => {
  it('is refused for an impossible number, another birthday, a wrong mobile', async () => {
    const as = await keeper(app);
    const { idNo } = freshIdNo();
    const wrongCheck = idNo.slice(0, 17) + (idNo.endsWith('5') ? '6' : '5');
    const input = personInput({ idType: 'ID' });
    expect(await app.refused(addPatient, { ...input, idNo: wrongCheck }, { as })).toMatchObject({ code: 'SCM09005' });
    expect(await app.refused(addPatient, { ...input, idNo: idNoOf('1990-02-30', 1) }, { as })).toMatchObject({ code: 'SCM09005' });
    expect(await app.refused(addPatient, { ...input, idNo, birthDate: '1999-01-01' }, { as })).toMatchObject({ code: 'SCM09006' });
    expect(await app.refused(addPatient, { ...input, idNo, gender: 2 }, { as })).toMatchObject({
      code: 'SCM90020',
      fields: [{ path: 'gender' }],
    });
    expect(await app.refused(addPatient, { ...input, mobile: '12345678901' }, { as })).toMatchObject({ code: 'SCM09007' });
    expect(await app.refused(addPatient, { ...input, idNo, idType: null }, { as })).toMatchObject({
      fields: [{ path: 'idType', message: '请选择证件类型' }],
    });
  });

  it('fills birthday and gender from the number', async () => {
    const { idNo, birthDate } = freshIdNo(102);
    const { id } = await makePatient(app, { idType: 'ID', idNo, gender: 0 });
    expect(await app.ok(queryPatientDetail, { patientId: id }, { as: await keeper(app) })).toMatchObject({
      birthDate,
      gender: 2,
      idNoMasked: maskIdNo(idNo),
    });
  });

  it('that looks like another asks first, and confirmed proposes a merge', async () => {
    const first = await makePatient(app, { birthDate: '1970-05-05' });
    const as = await keeper(app);
    const twin = { ...personInput(), name: first.name, birthDate: '1970-05-05' };
    const asked = await app.refused(addPatient, twin, { as });
    expect(asked).toMatchObject({
      code: 'SCM09009',
      message: '疑似重复档案（1条），请确认',
      data: { possibleDuplicates: [{ patientId: first.id, score: 70 }] },
    });
    expect(await app.ok(addPatient, { ...twin, confirmed: true }, { as })).toMatchObject({ mergeNo: expect.stringMatching(/^HB/) });
  });

  it('of a number that somebody proved his is refused even when confirmed', async () => {
    const known = await makeVerified(app);
    const as = await keeper(app);
    const refused = await app.refused(addPatient, { ...personInput(), idType: 'ID', idNo: known.idNo, confirmed: true }, { as });
    expect(refused).toMatchObject({ code: 'SCM09012', message: `该证件号已被其他患者实名（${known.patientNo}），请走档案合并` });
  });

  it('is made once by two people at once', async () => {
    const input = { ...personInput(), birthDate: '1971-01-01' };
    const staff = [await keeper(app), await keeper(app)];
    const answers = await Promise.all(staff.map((as) => app.send(addPatient, input, { as })));
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM09009']);
  });
});

it.each([
  [{ idNoHash: 'a' }, { idNoHash: 'a' }, 100],
  [{ mobileHash: 'm', name: '王' }, { mobileHash: 'm', name: '王' }, 80],
  [{ name: '王', birthDate: '1990-01-01' }, { name: '王', birthDate: '1990-01-01' }, 70],
  [{ mobileHash: 'm' }, { mobileHash: 'm' }, 40],
  [{}, {}, 0],
  [{ idNoHash: 'a' }, { idNoHash: 'b' }, 0],
])('scores %o and %o as %i', (a, b, score) => {
  const person = (more: object, name: string) => ({ name, birthDate: null, idNoHash: null, mobileHash: null, ...more });
  expect(scoreOf(person(a, '甲'), person(b, '乙')).score).toBe(score);
});

it('counts completed years: born on a leap day, 18 from the first of March', () => {
  expect(ageOn('2000-02-29', '2018-02-28')).toBe(17);
  expect(ageOn('2000-02-29', '2018-03-01')).toBe(18);
});

describe('machines that name a person', () => {
  const find = (found: Parameters<typeof findOrCreate>[2]) =>
    app.kernel.transactions.run('test', (writing) => findOrCreate(app.kernel, writing, found, 'POLICY', app.clock.now()));

  it('get the record of the same number, or of the same mobile and name without numbers; else a new one', async () => {
    const { idNo } = freshIdNo();
    const mobile = freshMobile();
    const name = freshName();
    const first = await find({ name, idType: 'ID', idNo, mobile: null });
    expect(first.created).toBe(true);
    expect(await find({ name: freshName(), idType: 'ID', idNo: idNo.toLowerCase(), mobile: null })).toMatchObject({
      patientId: first.patientId,
      created: false,
    });
    const second = await find({ name, idType: null, idNo: null, mobile });
    expect(await find({ name, idType: null, idNo: null, mobile })).toMatchObject({ patientId: second.patientId, created: false });
    const third = await find({ name, idType: 'ID', idNo: freshIdNo().idNo, mobile });
    expect(third).toMatchObject({ created: true });
    const { rows } = await sql`select 1 from patient_merge where from_id = ${third.patientId} and suggested and state = 'PENDING'`.execute(
      app.db,
    );
    expect(rows).toHaveLength(1);
  });

  it('make one record however many of them come at once', async () => {
    const found = { name: freshName(), idType: 'ID' as const, idNo: freshIdNo().idNo, mobile: null };
    const made = await Promise.all(Array.from({ length: 6 }, () => find(found)));
    expect(new Set(made.map(({ patientId }) => patientId)).size).toBe(1);
  });
});

describe('changes of a record', () => {
  it('name the field that somebody else changed, and keep what they do not send', async () => {
    const { id, name } = await makeWithId(app);
    const as = await keeper(app);
    const fields = { patientId: id, name, gender: 1 as const, idType: 'ID' as const, birthDate: null };
    const { birthDate } = await app.ok(queryPatientDetail, { patientId: id }, { as });
    await app.ok(modifyPatient, { ...fields, birthDate, version: 1, occupation: '教师', address: '文三路1号' }, { as });
    const stale = await app.refused(modifyPatient, { ...fields, birthDate, version: 1, occupation: '工人' }, { as });
    expect(stale).toMatchObject({ code: 'SCM90030', data: { current: { version: 2, name } } });
    expect(await app.ok(queryPatientDetail, { patientId: id }, { as })).toMatchObject({
      occupation: '教师',
      idNoMasked: expect.stringContaining('****'),
    });
  });

  it('cannot touch what was proven', async () => {
    const { id, name, birthDate } = await makeVerified(app);
    const as = await keeper(app);
    const fields = { patientId: id, version: await versionOf(app, id), gender: 1 as const, idType: 'ID' as const, birthDate };
    expect(await app.refused(modifyPatient, { ...fields, name: '另一人' }, { as })).toMatchObject({ code: 'SCM09008' });
    expect(await app.refused(modifyPatient, { ...fields, name, idNo: freshIdNo().idNo, birthDate: null }, { as })).toMatchObject({
      code: 'SCM09008',
    });
    await app.ok(modifyPatient, { ...fields, name, occupation: '医生' }, { as });
  });

  it('leave no plain value in the operation log', async () => {
    const mobile = freshMobile();
    const { idNo } = freshIdNo();
    await makePatient(app, { idType: 'ID', idNo, mobile, allergyHistory: '青霉素过敏史很特别' });
    const { rows } = await sql<{
      text: string;
    }>`select coalesce(string_agg(l::text, ''), '') as text from identity_operation_log l`.execute(app.db);
    for (const plain of [mobile, idNo, '青霉素过敏史很特别']) expect(rows[0]!.text).not.toContain(plain);
  });
});

describe('finding persons', () => {
  it('wants the whole of a number and finds masked rows', async () => {
    const mobile = freshMobile();
    const { id, idNo } = await makeWithId(app, { mobile });
    const as = await keeper(app);
    for (const keyword of [mobile.slice(0, 7), idNo.slice(0, 12), '1'])
      expect(await app.refused(queryPatientPicker, { keyword }, { as }), keyword).toMatchObject({ code: 'SCM09004' });
    for (const [keyword, matched] of [
      [mobile, 'MOBILE'],
      [idNo.toLowerCase(), 'ID_NO'],
    ] as const) {
      const rows = await app.ok(queryPatientPicker, { keyword }, { as });
      expect(rows).toMatchObject([{ patientId: id, matched }]);
      expect(JSON.stringify(rows)).not.toContain(keyword);
    }
  });

  it('of a common name wants the birthday too', async () => {
    const name = freshName();
    const as = await keeper(app);
    for (let n = 0; n < 21; n += 1) await makePatient(app, { name, birthDate: `19${60 + n}-01-01` }, as);
    expect(await app.refused(queryPatientPicker, { keyword: name }, { as })).toMatchObject({ code: 'SCM09004' });
    expect(await app.ok(queryPatientPicker, { keyword: name, birthDate: '1965-01-01' }, { as })).toHaveLength(1);
  });

  it('finds only whom one serves', async () => {
    const { id, patientNo } = await makePatient(app);
    const as = await assistant(app);
    expect(await app.ok(queryPatientPicker, { keyword: patientNo }, { as })).toEqual([]);
    await openGroup(app, { patientId: id, assistant: as });
    expect(await app.ok(queryPatientPicker, { keyword: patientNo }, { as })).toHaveLength(1);
  });
});

describe('the data scope', () => {
  it('opens in an emergency with a reason, for two hours, and leaves a mark', async () => {
    const { id } = await makePatient(app);
    const as = await assistant(app);
    expect(await app.refused(queryPatientDetail, { patientId: id }, { as })).toMatchObject({ code: 'SCM09001' });
    expect(await app.refused(breakGlass, { patientId: id, reason: '患者急诊查看资料。' }, { as })).toMatchObject({ code: 'SCM09016' });
    await app.ok(breakGlass, { patientId: id, reason: '患者急诊需要查看过敏史' }, { as });
    await app.ok(queryPatientDetail, { patientId: id }, { as });
    const looks = await app.ok(queryRecordAccessList, { patientId: id, kind: ['BREAK_GLASS', 'VIEW'] }, { as: await keeper(app) });
    expect(looks.rows.map(({ kind, displayName }) => ({ kind, displayName }))).toEqual(
      expect.arrayContaining([
        { kind: 'BREAK_GLASS', displayName: as.displayName },
        { kind: 'VIEW', displayName: as.displayName },
      ]),
    );
    app.clock.advance(hours(2));
    expect(await app.refused(queryPatientDetail, { patientId: id }, { as })).toMatchObject({
      code: expect.stringMatching(/SCM09001|SCM90002/),
    });
  });

  it('of an insurer holds the persons of its lists', async () => {
    const made = await app.kernel.transactions.run('test', (writing) =>
      findOrCreate(
        app.kernel,
        writing,
        { name: freshName(), idType: null, idNo: null, mobile: freshMobile(), insurerId: '77' },
        'POLICY',
        app.clock.now(),
      ),
    );
    await app.ok(queryPatientDetail, { patientId: made.patientId }, { as: await keeper(app, { scope: { insurer: ['77'] } }) });
    expect(
      await app.refused(queryPatientDetail, { patientId: made.patientId }, { as: await keeper(app, { scope: { insurer: ['78'] } }) }),
    ).toMatchObject({ code: 'SCM09001' });
  });
});

it('answers each person of a family as that person, without a plain number', async () => {
  const mobile = freshMobile();
  const mother = await makeWithId(app, { mobile }, 102);
  const child = await makeWithId(app);
  const operatorId = await makeAccount(app, mother.id);
  await makeAccount(app, child.id, { operatorId, relation: 'CHILD' });
  const as = await keeper(app);
  for (const person of [mother, child]) {
    const shown = await app.ok(querySuffererBaseInfoByUserId, { userId: person.id }, { as });
    expect(shown).toMatchObject({ patientId: person.id, name: person.name });
    expect(await getBaseInfo(app.db, person.id, app.clock.now())).toEqual(shown);
    for (const plain of [person.idNo, mobile]) expect(JSON.stringify(shown)).not.toContain(plain);
  }
});

it('keeps ten persons an account and one own person for ever', async () => {
  const self = await makePatient(app);
  const operatorId = await makeAccount(app, self.id);
  const add = (patientId: string, relation: 'SELF' | 'OTHER') =>
    app.kernel.transactions.run('test', (writing) =>
      bind(
        app.kernel,
        writing,
        {
          operatorId,
          mobile: freshMobile(),
          nick: '',
          avatarFileId: null,
          seer: everyone,
          openIds: [],
          patientId,
          relation,
          isDefault: false,
        },
        app.clock.now(),
      ),
    );
  for (let n = 0; n < 9; n += 1) await add((await makePatient(app)).id, 'OTHER');
  await expect(add((await makePatient(app)).id, 'OTHER')).rejects.toMatchObject({ code: 'SCM09018' });
  const other = String(800_000 + next());
  await expect(
    app.kernel.transactions.run('test', (writing) =>
      bind(
        app.kernel,
        writing,
        {
          operatorId: other,
          mobile: freshMobile(),
          nick: '',
          avatarFileId: null,
          seer: everyone,
          openIds: [],
          patientId: self.id,
          relation: 'SELF',
          isDefault: false,
        },
        app.clock.now(),
      ),
    ),
  ).rejects.toMatchObject({ code: 'SCM90020' });
});

it('gives a recycled mobile to whoever logs in with it; the old record keeps its history without the number', async () => {
  const mobile = freshMobile();
  const [before, after] = [await makePatient(app, { mobile }), await makePatient(app)];
  const login = (patientId: string) =>
    app.kernel.transactions.run('test', (writing) =>
      bind(
        app.kernel,
        writing,
        {
          operatorId: String(800_000 + next()),
          mobile,
          nick: '',
          avatarFileId: null,
          seer: everyone,
          openIds: [],
          patientId,
          relation: 'SELF',
          isDefault: true,
        },
        app.clock.now(),
      ),
    );
  await login(before.id);
  await login(after.id);
  const as = await keeper(app);
  expect(await app.ok(queryPatientDetail, { patientId: before.id }, { as })).toMatchObject({ mobileMasked: null, name: before.name });
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n
      from patient_account
      where mobile_masked is not null
        and operator_id in (select operator_id from patient_account_person where patient_id in (${before.id}, ${after.id}))`.execute(
    app.db,
  );
  expect(rows[0]!.n).toBe(1);
});

it('reveals thirty times an hour, each one on record', async () => {
  const mobile = freshMobile();
  const { id } = await makePatient(app, { mobile });
  const as = await keeper(app);
  expect(await app.ok(revealPatientField, { patientId: id, fields: ['mobile', 'idNo'] }, { as })).toEqual({
    values: [
      { field: 'mobile', value: mobile },
      { field: 'idNo', value: null },
    ],
    seconds: 60,
  });
  for (let n = 1; n < 30; n += 1) await app.ok(revealPatientField, { patientId: id, fields: ['mobile'] }, { as });
  expect(await app.refused(revealPatientField, { patientId: id, fields: ['mobile'] }, { as })).toMatchObject({ code: 'SCM90011' });
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from patient_record_access where patient_id = ${id} and kind = 'REVEAL'`.execute(app.db);
  expect(rows[0]!.n).toBe(30);
});

it('takes five contact persons, a guardian of an adult with a paper', async () => {
  const { id } = await makePatient(app, { birthDate: '1980-01-01' });
  const as = await keeper(app);
  const contact = () => ({ patientId: id, name: '家属', relation: 'CHILD' as const, mobile: freshMobile() });
  expect(await app.refused(addContactPerson, { ...contact(), isGuardian: true }, { as })).toMatchObject({
    fields: [{ path: 'proofFileId' }],
  });
  expect(await app.refused(addContactPerson, { ...contact(), mobile: '123' }, { as })).toMatchObject({ code: 'SCM09007' });
  for (let n = 0; n < 5; n += 1) await app.ok(addContactPerson, contact(), { as });
  expect(await app.refused(addContactPerson, contact(), { as })).toMatchObject({ code: 'SCM09017' });
});

describe('the end of a record', () => {
  it('by death wants a proof and another person to correct it', async () => {
    const { id } = await makePatient(app);
    const as = await keeper(app);
    const act = { patientId: id, version: 1, action: 'markDeceased' as const, opinion: '家属告知', deceasedOn: '2026-11-01' };
    expect(await app.refused(operatePatient, act, { as })).toMatchObject({ code: 'SCM09021' });
    await app.ok(operatePatient, { ...act, fileIds: [await upload(app, as)] }, { as });
    const undo = { patientId: id, version: 2, action: 'correctDeceased' as const, opinion: '登记错误' };
    expect(await app.refused(operatePatient, undo, { as })).toMatchObject({ code: 'SCM09014' });
    await app.ok(operatePatient, undo, { as: await keeper(app) });
  });

  it('by cancellation waits for unsettled business and a second person; the person is gone, the record stays', async () => {
    const { id } = await makeWithId(app);
    await makeAccount(app, id);
    await makeDiagnosis(app, id);
    let balance = 1;
    registerBlocker('卡券余额', async () => ({ count: balance, link: '/cardManagement' }));
    const [maker, checker] = [await keeper(app), await keeper(app)];
    const request = await app.ok(addPrivacyRequest, { patientId: id, kind: 'DELETE', detail: '本人申请注销' }, { as: maker });
    const cancel = { patientId: id, version: 1, action: 'cancel' as const, opinion: '本人申请', requestId: request.id };
    expect(await app.refused(operatePatient, cancel, { as: maker })).toMatchObject({ code: 'SCM09030' });
    expect(await app.refused(operatePatient, cancel, { as: checker })).toMatchObject({
      code: 'SCM09020',
      message: '存在未结业务（卡券余额1项），暂不能注销',
      data: { blockers: [{ link: '/cardManagement' }] },
    });
    balance = 0;
    await app.ok(operatePatient, cancel, { as: checker });
    const row = await openPatient(app.db, { userId: '0', roleCode: null, scope: checker as never }, id, app.clock.now()).catch(() => null);
    expect(row).toMatchObject({ state: 'CANCELLED', name: '已注销用户', idNoCipher: null, mobileCipher: null, birthDate: null });
    expect(await published(patientCancelled.name, id)).toBe(1);
    expect(await app.ok(queryPatientHistory, { patientId: id }, { as: checker })).toMatchObject([{ icd10: 'E11.9' }]);
  });

  it('by freezing shuts the accounts until somebody lets them in again', async () => {
    const { id } = await makePatient(app);
    const operatorId = await makeAccount(app, id);
    const as = await keeper(app);
    const login = () =>
      app.kernel.transactions.run('test', (writing) =>
        bind(
          app.kernel,
          writing,
          {
            operatorId,
            mobile: freshMobile(),
            nick: '',
            avatarFileId: null,
            seer: everyone,
            openIds: [],
            relation: 'SELF',
            isDefault: false,
          },
          app.clock.now(),
        ),
      );
    expect(await app.refused(operatePatient, { patientId: id, version: 1, action: 'freeze', opinion: '' }, { as })).toMatchObject({
      fields: [{ path: 'opinion' }],
    });
    await app.ok(operatePatient, { patientId: id, version: 1, action: 'freeze', opinion: '疑似盗用' }, { as });
    await expect(login()).rejects.toMatchObject({ fields: [{ path: 'operatorId', message: '该账号已冻结' }] });
    await app.ok(operatePatient, { patientId: id, version: 2, action: 'unfreeze', opinion: '本人核实' }, { as });
    await login();
    expect([await published('patient.patient.frozen', id), await published('patient.patient.unfrozen', id)]).toEqual([1, 1]);
  });

  it('by copying answers the patient his record', async () => {
    const { id } = await makePatient(app);
    const as = await keeper(app);
    const request = await app.ok(addPrivacyRequest, { patientId: id, kind: 'COPY', detail: '申请复制病历' }, { as });
    await app.ok(handlePrivacyRequest, { id: request.id, version: 1, action: 'start' }, { as });
    expect(await app.ok(handlePrivacyRequest, { id: request.id, version: 2, action: 'finish' }, { as })).toMatchObject({
      state: 'DONE',
      resultFileId: expect.any(String),
    });
  });
});
