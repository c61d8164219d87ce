import { readXlsx } from 'hucre';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, minutes, plusMs } from '#kernel/contract/time.ts';
import type { JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { jobContext } from '#testing/jobContext.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { commitImportTask, downloadImportResult, queryImportResult } from '#domains/files/contract/calls/imports.ts';
import { addMergeHospital, auditMergeHospital, undoMergeHospital } from '#domains/institution/contract/duplicateCalls.ts';
import { modifyDepartment } from '#domains/institution/contract/departmentCalls.ts';
import { institutionPermissions } from '#domains/institution/contract/permissions.ts';
import { generateDoctorCard, queryDoctorCardList } from '../../contract/calls/cards.ts';
import { queryCertExpireList, remindCert } from '../../contract/calls/certs.ts';
import {
  addDoctorInfo,
  cancelDoctor,
  changeAcceptState,
  exportDoctorList,
  freezeDoctor,
  importDoctor,
  modifyDoctorInfo,
  queryDoctorInfoByOperatorId,
  queryDoctorList,
  revealDoctorField,
  unfreezeDoctor,
} from '../../contract/calls/doctors.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import {
  approved,
  certsOf,
  claimed,
  enterer,
  facts,
  firstAuditor,
  freshPerson,
  judgeAll,
  makeHospital,
  textsTo,
  verdict,
  type Person,
} from '../testing/qual.ts';
import { advance, paidOrder } from '../testing/orders.ts';
import { makeItem } from '../testing/services.ts';
import { certJob } from '../certs/expireJob.ts';
import { acceptJob } from './practice/accept.ts';
import { doctorImporter } from './entry/importer.ts';
import { doctorTable, keeper, makeDoctor, recordOf } from '../testing/doctors.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const plain = { specialty: '', intro: '', diseaseIds: [], avatarFileId: null };
const change = (
  doctor: { doctorId: string; person: Person; hospital: { hospitalId: string; departmentId: string } },
  version: number,
  more: object = {},
) => ({
  doctorId: doctor.doctorId,
  version,
  ...plain,
  ...facts,
  name: doctor.person.name,
  hospitalId: doctor.hospital.hospitalId,
  hospitalApplyId: null,
  departmentId: doctor.hospital.departmentId,
  certs: [],
  ...more,
});
const alerts = async (words: string) =>
  (
    await app.database.pool.query<{ n: number }>(`select count(*)::int as n from identity_notice where title like $1`, [
      `%${words}%请提醒更新`,
    ])
  ).rows[0]!.n;
/** Runs a daily job as it would run so many days from now. */
const runOn = (job: JobDeclaration, day: number) => job.run({}, jobContext(app, { now: plusMs(app.clock.now(), days(day)) }));
const opened = async (doctorId: string, itemId: string, state: 'ON' | 'PAUSED') =>
  (
    await app.database.pool.query<{ id: string }>(
      `
        insert into doctor_service_opening (doctor_id, item_id, price_fen, daily_limit, state, effective_at, created_at, updated_at)
          values ($1, $2, 9900, 10, $3, $4, $4, $4)
          returning id`,
      [doctorId, itemId, state, app.clock.now()],
    )
  ).rows[0]!.id;

describe('changing a qualified doctor', () => {
  it('leaves the facts in force until the application passed, and as they were when it is refused', async () => {
    const doctor = await approved(app);
    const as = await enterer(app);
    const { version } = await recordOf(app, doctor.doctorId);
    expect((await app.refused(modifyDoctorInfo, change(doctor, version, { specialty: '包治百病' }), { as })).fields).toEqual([
      { path: 'specialty', message: '擅长包含违规用语：包治' },
    ]);
    const { applyId } = await app.ok(modifyDoctorInfo, change(doctor, version, { practiceScope: '外科专业', specialty: '高血压管理' }), {
      as,
    });
    expect(await recordOf(app, doctor.doctorId)).toMatchObject({
      qualState: 'APPROVED',
      practiceScope: '内科专业',
      specialty: '高血压管理',
    });
    expect((await app.refused(modifyDoctorInfo, change(doctor, version), { as })).code).toBe('SCM90030');
    const auditor = await firstAuditor(app);
    const held = await claimed(app, applyId!, auditor);
    await verdict(
      app,
      { ...held, action: 'reject', rejectReasons: ['N06'], doctorWording: '执业范围不符', opinion: '执业范围不符' },
      auditor,
    );
    expect(await recordOf(app, doctor.doctorId)).toMatchObject({ qualState: 'APPROVED', practiceScope: '内科专业', practiceOk: true });
  });
});

describe('certificates', () => {
  it('remind once at each mark, stop the doctor when the practice certificate ended, and bring services back as they were', async () => {
    const doctor = await approved(app, { certs: { PRACTICE: { validTo: '2026-11-22' } } });
    const [on, paused] = [
      await opened(doctor.doctorId, await makeItem(app), 'ON'),
      await opened(doctor.doctorId, await makeItem(app), 'PAUSED'),
    ];
    const sent: number[] = [];
    for (const day of [0, 0, 1]) {
      await runOn(certJob, day);
      sent.push(await alerts(doctor.person.name));
    }
    // Five marks were passed before the first run: only the nearest is sent.
    expect(sent).toEqual([1, 1, 2]);
    const as = await keeper(app);
    const { rows } = await app.ok(queryCertExpireList, { name: doctor.person.name }, { as });
    expect(rows).toMatchObject([{ certType: 'PRACTICE', daysLeft: 1 }]);
    const again = { certIds: [rows[0]!.certId] };
    expect([await app.ok(remindCert, again, { as }), await app.ok(remindCert, again, { as })].map(([result]) => result!.ok)).toEqual([
      true,
      false,
    ]);

    await runOn(certJob, 2);
    expect(await recordOf(app, doctor.doctorId)).toMatchObject({
      qualState: 'EXPIRED',
      practiceOk: false,
      openings: [
        { openingId: paused, state: 'SUSPENDED' },
        { openingId: on, state: 'SUSPENDED' },
      ],
    });

    const enters = await enterer(app);
    const certs = await certsOf(app, enters.userId, doctor.person, doctor.hospital.name);
    const { version } = await recordOf(app, doctor.doctorId);
    const { applyId } = await app.ok(
      modifyDoctorInfo,
      change(doctor, version, { certs: certs.filter(({ certType }) => certType !== 'TITLE') }),
      { as: enters },
    );
    const auditor = await firstAuditor(app);
    const held = await claimed(app, applyId!, auditor);
    await judgeAll(app, { applyId: held.applyId, leaseToken: held.leaseToken }, auditor);
    await verdict(app, { ...held, action: 'pass' }, auditor);
    expect(await textsTo(app, doctor.person.mobile)).toEqual([
      '【康桥】您的资质审核已通过。',
      '【康桥】您的医师执业证将于2026-11-22到期（剩余1天），请及时提交新证件，以免影响接诊。',
      '【康桥】您的医师执业证今天到期，请及时提交新证件，以免影响接诊。',
      '【康桥】您的医师执业证将于2026-11-22到期（剩余1天），请及时提交新证件，以免影响接诊。',
      '【康桥】您的医师执业证已过期（2026-11-22），服务已暂停，请尽快提交新证件。',
      '【康桥】您的资质审核已通过。',
    ]);
    expect(await recordOf(app, doctor.doctorId)).toMatchObject({
      qualState: 'APPROVED',
      practiceOk: true,
      openings: [
        { openingId: paused, state: 'PAUSED' },
        { openingId: on, state: 'ON' },
      ],
    });
  });
});

describe('the account', () => {
  it('frozen stops everything and comes back; cancelled frees mobile and numbers', async () => {
    const doctor = await approved(app);
    const opening = await opened(doctor.doctorId, await makeItem(app), 'ON');
    const as = await keeper(app);
    const { version } = await recordOf(app, doctor.doctorId);
    const frozen = await app.ok(freezeDoctor, { doctorId: doctor.doctorId, version, opinion: '投诉待核实' }, { as });
    expect(await recordOf(app, doctor.doctorId)).toMatchObject({
      accountState: 'FROZEN',
      practiceOk: false,
      openings: [{ openingId: opening, state: 'SUSPENDED' }],
    });
    const back = await app.ok(unfreezeDoctor, { doctorId: doctor.doctorId, version: frozen.version, opinion: '已核实' }, { as });
    expect(await recordOf(app, doctor.doctorId)).toMatchObject({ accountState: 'NORMAL', practiceOk: true, openings: [{ state: 'ON' }] });
    const order = await paidOrder(app, { openingId: opening });
    const { version: busy } = await recordOf(app, doctor.doctorId);
    expect(await app.refused(cancelDoctor, { doctorId: doctor.doctorId, version: busy, opinion: '本人申请' }, { as })).toMatchObject({
      code: 'SCM07010',
      message: '存在进行中的服务（1单），请先完结',
    });
    await advance(app, order.orderId, 'NO_ACCEPT');
    await app.runDue();
    await app.database.pool.query('update doctor_doctor set unsettled_fen = 12345 where id = $1', [doctor.doctorId]);
    const { version: now } = await recordOf(app, doctor.doctorId);
    expect(now).toBeGreaterThanOrEqual(back.version);
    expect(await app.refused(cancelDoctor, { doctorId: doctor.doctorId, version: now, opinion: '本人申请' }, { as })).toMatchObject({
      code: 'SCM07011',
      message: '存在未结算收入（123.45元），请先结算',
    });
    await app.database.pool.query('update doctor_doctor set unsettled_fen = 0 where id = $1', [doctor.doctorId]);
    await app.ok(cancelDoctor, { doctorId: doctor.doctorId, version: now, opinion: '本人申请' }, { as });
    const successor = await approved(app, { person: doctor.person });
    expect(successor.doctorId).not.toBe(doctor.doctorId);
    expect(await recordOf(app, doctor.doctorId)).toMatchObject({
      accountState: 'CANCELLED',
      allowedActions: [],
      openings: [{ state: 'CLOSED' }],
    });
  });

  it('a stop that begins later begins and ends on its days', async () => {
    const { doctorId } = await makeDoctor(app);
    const as = await keeper(app);
    const { version } = await recordOf(app, doctorId);
    const today = (at: number) => new Date(Date.parse(app.clock.now()) + days(at) + 8 * 3_600_000).toISOString().slice(0, 10);
    await app.ok(
      changeAcceptState,
      { doctorId, version, acceptState: 'OFF', offFrom: today(2), offUntil: today(4), opinion: '外出学习' },
      { as },
    );
    const states: string[] = [];
    for (const day of [1, 2, 4, 5]) {
      await runOn(acceptJob, day);
      states.push((await recordOf(app, doctorId)).acceptState);
    }
    expect(states).toEqual(['ON', 'OFF', 'OFF', 'ON']);
  });
});

describe('who sees and does what', () => {
  it('a viewer has no actions; a reveal is logged with its target', async () => {
    const { doctorId, operatorId, person } = await makeDoctor(app);
    const viewer = await app.staff({ permissions: [may['doctor.view'].code] });
    const { rows } = await app.ok(queryDoctorList, { name: person.name, mobile: person.mobile }, { as: viewer });
    expect(rows).toMatchObject([{ doctorId, mobile: `${person.mobile.slice(0, 3)}****${person.mobile.slice(-4)}`, allowedActions: [] }]);
    // A group of departments stands for all below it.
    const within = async (standardDeptCode: string) =>
      (await app.ok(queryDoctorList, { name: person.name, mobile: person.mobile, standardDeptCode }, { as: viewer })).total;
    expect([await within('03'), await within('03.04'), await within('03.05'), await within('04')]).toEqual([1, 1, 0, 0]);
    expect((await app.refused(freezeDoctor, { doctorId, version: 1, opinion: '投诉' }, { as: viewer })).code).toBe('SCM90010');
    expect(await app.ok(queryDoctorInfoByOperatorId, { operatorId }, { as: viewer })).toMatchObject({
      doctorId,
      doctorName: person.name,
      practiceOk: false,
      openings: [],
      assistant: null,
    });
    const elsewhere = await app.staff({ permissions: [may['doctor.view'].code], scope: { region: ['440000'] } });
    expect((await app.refused(queryDoctorInfoByOperatorId, { operatorId }, { as: elsewhere })).code).toBe('SCM90040');
    const revealer = await app.staff({ permissions: [may['sensitive.reveal'].code] });
    expect(await app.ok(revealDoctorField, { doctorId, field: 'mobile', reason: '联系本人' }, { as: revealer })).toEqual({
      value: person.mobile,
    });
    expect((await app.refused(revealDoctorField, { doctorId, field: 'mobile', reason: '联系本人' }, { as: viewer })).code).toBe('SCM90010');
    const { rows: logged } = await app.database.pool.query(
      `select target_type, target_id, label from identity_operation_log where kind = 'REVEAL' and user_id = $1`,
      [revealer.userId],
    );
    expect(logged).toEqual([{ target_type: 'doctor.doctor', target_id: doctorId, label: '查看医生敏感信息' }]);
  });

  it('nobody enters a doctor of a hospital beyond his own region', async () => {
    const [person, hospital] = [freshPerson(), await makeHospital(app)];
    const enter = async (region: string) => {
      const as = await app.staff({ permissions: Object.values(may).map(({ code }) => code), scope: { region: [region] } });
      const { idNo, mobile, name } = person;
      const { hospitalId, departmentId } = hospital;
      return app.send(
        addDoctorInfo,
        {
          ...facts,
          name,
          mobile,
          idNo,
          specialty: '',
          intro: '',
          diseaseIds: [],
          avatarFileId: null,
          hospitalId,
          hospitalApplyId: null,
          departmentId,
          certs: await certsOf(app, as.userId, person, hospital.name),
        },
        { as },
      );
    };
    expect((await enter('110000')).envelope).toMatchObject({
      code: 'SCM90020',
      fields: [{ path: 'hospitalId', message: '该医院不在您的数据范围内' }],
    });
    expect((await enter('330000')).envelope).toMatchObject({ code: '0000000', data: { version: 2 } });
  });

  it('an export masks mobiles unless plain text was asked for with the right and a reason', async () => {
    const { person } = await makeDoctor(app);
    const rights = [may['doctor.view'].code, may['doctor.export'].code];
    const wish = { mobile: person.mobile, columns: ['name', 'mobile'], format: 'CSV' as const };
    const as = await app.staff({ permissions: rights });
    expect((await app.file(exportDoctorList, { ...wish, filterText: `手机号：${person.mobile}` }, { as })).body.toString()).toContain(
      `${person.mobile.slice(0, 3)}****${person.mobile.slice(-4)}`,
    );
    // The page's words repeat what was searched for: they do not reach the log.
    const { rows: logged } = await app.database.pool.query(
      `select kind, input ? 'filterText' as told from identity_operation_log where user_id = $1 and kind = 'EXPORT'`,
      [as.userId],
    );
    expect(logged).toEqual([{ kind: 'EXPORT', told: false }]);
    expect((await app.refused(exportDoctorList, { ...wish, plain: true, plainReason: '医生信息核对' }, { as })).code).toBe('SCM90010');
    const holder = await app.staff({ permissions: [...rights, 'files.export.plain'] });
    expect(
      (await app.file(exportDoctorList, { ...wish, plain: true, plainReason: '医生信息核对' }, { as: holder })).body.toString(),
    ).toContain(person.mobile);
  });
});

it('doctors of a hospital that is merged show the survivor at once, and their cards are drawn again', async () => {
  const loser = await approved(app);
  const as = await keeper(app);
  const card = async () =>
    (await app.ok(queryDoctorCardList, { doctor: loser.person.name }, { as })).rows.find(({ id }) => id === loser.doctorId)!.state;
  await app.ok(generateDoctorCard, { doctorId: loser.doctorId, template: 'BLUE', headline: '', showFields: ['DEPARTMENT'] }, { as });
  await app.runDue();
  expect(await card()).toBe('READY');
  const survivor = await makeHospital(app);
  const [maker, checker] = [
    await app.staff({ permissions: Object.values(institutionPermissions).map(({ code }) => code) }),
    await app.staff({ permissions: Object.values(institutionPermissions).map(({ code }) => code) }),
  ];
  const [merge] = await app.ok(
    addMergeHospital,
    { survivorId: survivor.hospitalId, loserIds: [loser.hospital.hospitalId], reason: '同一家医院' },
    { as: maker, idempotencyKey: 'request-to-merge-hospitals-of-doctors' },
  );
  await app.ok(
    auditMergeHospital,
    { mergeId: merge!.id, version: merge!.version, action: 'approve' },
    { as: checker, idempotencyKey: 'merge-of-two-hospitals-of-doctors' },
  );
  await app.runDue();
  expect(await recordOf(app, loser.doctorId)).toMatchObject({
    hospitalId: survivor.hospitalId,
    hospitalName: survivor.name,
    practices: [{ hospitalId: survivor.hospitalId, isMain: true }],
  });
  expect(await card()).toBe('STALE');
  await app.advance(minutes(2));
  expect(await card()).toBe('READY');
});

it('a merge of hospitals that is undone gives back main and second places of practice', async () => {
  const [here, elsewhere] = [await approved(app), await approved(app)];
  const [loser, survivor] = [here.hospital, await makeHospital(app)];
  // Somebody whose main place is elsewhere is registered at the loser and the survivor, too.
  const { rows: certs } = await app.database.pool.query<{ id: string }>(
    `
      insert into doctor_cert (doctor_id, cert_type, file_ids, hospital_id, issuer, state, created_at, updated_at)
        values ($1, 'MULTI_SITE', '{1}', $2, '浙江省卫生健康委员会', 'VALID', $3, $3)
        returning id`,
    [elsewhere.doctorId, loser.hospitalId, app.clock.now()],
  );
  for (const [hospitalId, certId] of [
    [loser.hospitalId, certs[0]!.id],
    [survivor.hospitalId, null],
  ]) {
    await app.database.pool.query(
      'insert into doctor_practice (doctor_id, hospital_id, is_main, cert_id, created_at, updated_at) values ($1, $2, false, $3, $4, $4)',
      [elsewhere.doctorId, hospitalId, certId, app.clock.now()],
    );
  }
  const placesOf = async ({ doctorId }: { doctorId: string }) =>
    (await recordOf(app, doctorId)).practices.map(({ hospitalId, isMain }) => `${hospitalId} ${isMain ? '主' : '其他'}`).toSorted();
  const before = [await placesOf(here), await placesOf(elsewhere)];
  const rights = { permissions: Object.values(institutionPermissions).map(({ code }) => code) };
  const [maker, checker] = [await app.staff(rights), await app.staff(rights)];
  const [merge] = await app.ok(
    addMergeHospital,
    { survivorId: survivor.hospitalId, loserIds: [loser.hospitalId], reason: '同一家医院' },
    { as: maker, idempotencyKey: 'request-to-merge-and-undo' },
  );
  const done = await app.ok(
    auditMergeHospital,
    { mergeId: merge!.id, version: merge!.version, action: 'approve' },
    { as: checker, idempotencyKey: 'merge-that-will-be-undone' },
  );
  await app.runDue();
  expect([await placesOf(here), await placesOf(elsewhere)]).toEqual([
    [`${survivor.hospitalId} 主`],
    [`${elsewhere.hospital.hospitalId} 主`, `${survivor.hospitalId} 其他`].toSorted(),
  ]);
  await app.ok(
    undoMergeHospital,
    { mergeId: merge!.id, version: done.version, opinion: '合并有误' },
    { as: maker, idempotencyKey: 'undo-of-the-merge-of-doctors' },
  );
  await app.runDue();
  expect([await placesOf(here), await placesOf(elsewhere)]).toEqual(before);
  expect(await recordOf(app, here.doctorId)).toMatchObject({ hospitalId: loser.hospitalId, hospitalName: loser.name });
  expect((await recordOf(app, elsewhere.doctorId)).certs.find(({ certType }) => certType === 'MULTI_SITE')).toMatchObject({
    hospitalName: loser.name,
  });
});

it('doctors of a department that gets another name show it at once, and their cards are drawn again', async () => {
  const { doctorId, hospital, person } = await approved(app);
  const as = await keeper(app);
  await app.ok(generateDoctorCard, { doctorId, template: 'BLUE', headline: '', showFields: ['DEPARTMENT'] }, { as });
  await app.runDue();
  const { hospitalId, departmentId } = hospital;
  const clerk = await app.staff({ permissions: Object.values(institutionPermissions).map(({ code }) => code) });
  await app.ok(
    modifyDepartment,
    { id: departmentId, version: 1, name: '心血管病中心', standardDeptCode: '03.04', alias: [], sort: 1, phone: '' },
    { as: clerk },
  );
  await app.runDue();
  expect((await app.ok(queryDoctorList, { hospitalId }, { as })).rows).toMatchObject([{ doctorId, departmentName: '心血管病中心' }]);
  expect((await app.ok(queryDoctorCardList, { doctor: person.name }, { as })).rows.find(({ id }) => id === doctorId)!.state).toBe('STALE');
});

describe('import', () => {
  it('writes nothing with two bad cells, all doctors when mended, and nobody again', async () => {
    const hospital = await makeHospital(app);
    const rows = Array.from({ length: 300 }, () => freshPerson()).map((person) => ({
      name: person.name,
      mobile: person.mobile,
      hospital: hospital.name,
      department: '心血管内科',
      titleCode: '主治医师',
    }));
    const run = async (table: readonly Record<string, string>[]) => {
      const as = await keeper(app);
      const { importTaskId } = await app.ok(importDoctor, { fileId: await doctorTable(app, as, table) }, { as });
      await app.runDue();
      return { as, importTaskId, checked: await app.ok(queryImportResult, { importTaskId }, { as }) };
    };
    const bad = await run([...rows.slice(0, 298), { ...rows[298]!, mobile: '123' }, { ...rows[299]!, hospital: '没有的医院' }]);
    expect(bad.checked).toMatchObject({ state: 'INVALID', errorRows: 2, errorCells: 2, mayCommit: false });
    const { body } = await app.file(downloadImportResult, { importTaskId: bad.importTaskId }, { as: bad.as });
    const marked = (await readXlsx(body)).sheets[0]!.rows;
    const { columns } = doctorImporter(app.kernel);
    // Header, 298 rows in order, then the two: the reason stands behind the last column.
    expect([300, 299, 298].map((row) => marked[row]![columns.length] ?? '')).toEqual([
      '没有这家启用的医院，请核对名称或填写医院编号',
      '手机号须为11位手机号码',
      '',
    ]);
    expect((await app.ok(queryDoctorList, { hospitalId: hospital.hospitalId }, { as: bad.as })).total).toBe(0);
    const good = await run(rows);
    expect(good.checked).toMatchObject({ errorRows: 0, newRows: 300 });
    await app.ok(
      commitImportTask,
      { importTaskId: good.importTaskId, version: good.checked.version },
      { as: good.as, idempotencyKey: 'commit-of-the-doctor-import' },
    );
    await app.runDue();
    expect(await app.ok(queryDoctorList, { hospitalId: hospital.hospitalId, qualState: ['NONE'] }, { as: good.as })).toMatchObject({
      total: 300,
    });
    // The same file once more writes nobody, and the same people in another one are known.
    const again = await keeper(app);
    expect(await app.refused(importDoctor, { fileId: await doctorTable(app, again, rows) }, { as: again })).toMatchObject({
      code: 'SCM02038',
    });
    expect((await app.ok(queryDoctorList, { hospitalId: hospital.hospitalId }, { as: again })).total).toBe(300);
    expect((await run([...rows, { ...rows[0]!, mobile: freshPerson().mobile, name: '新人' }])).checked).toMatchObject({
      newRows: 1,
      sameRows: 300,
    });
  });
});
