import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf, days, minutes, plusMs } from '#kernel/contract/time.ts';
import { jobContext } from '#testing/jobContext.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { claimHospitalAudit, auditHospital } from '#domains/institution/contract/applyCalls.ts';
import { modifyWorkCalendar } from '#domains/identity/contract/calls/system.ts';
import { institutionPermissions } from '#domains/institution/contract/permissions.ts';
import { cancelDoctor, modifyDoctorInfo } from '../../contract/calls/doctors.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import {
  claimNextQualApply,
  claimQualApply,
  queryQualApplyCounts,
  queryQualApplyDetail,
  queryQualApplyList,
  releaseQualApply,
  revealQualApply,
  saveQualApplyWork,
} from '../../contract/calls/qual.ts';
import { registerDoctor, submitDoctorQualification } from '../../contract/calls/register.ts';
import { withdrawUnansweredJob } from './jobs.ts';
import {
  approved,
  certsOf,
  claimed,
  enterer,
  facts,
  firstAuditor,
  freshPerson,
  judgeAll,
  machineUploader,
  makeHospital,
  picture,
  refusedVerdict,
  register,
  secondAuditor,
  signed,
  signedRefusal,
  submitted,
  textsTo,
  verdict,
} from '../testing/qual.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const doctorOf = async (doctorId: string) =>
  (
    await sql<{
      qualState: string;
      hospitalId: string | null;
      titleCode: string | null;
      practiceOk: boolean;
      name: string;
      practiceScope: string | null;
      version: number;
    }>`
      select qual_state, hospital_id, title_code, practice_ok, name, practice_scope, version
        from doctor_doctor
        where id = ${doctorId}`.execute(app.db)
  ).rows[0]!;
const certsIn = async (doctorId: string) =>
  (
    await sql<{
      certType: string;
      state: string;
    }>`select cert_type, state from doctor_cert where doctor_id = ${doctorId} order by cert_type, id`.execute(app.db)
  ).rows.map(({ certType, state }) => `${certType} ${state}`);
const eventsOf = async (name: string, doctorId: string) =>
  (
    await sql<{ n: number }>`select count(*)::int as n from kernel_outbox where name = ${name} and aggregate_id = ${doctorId}`.execute(
      app.db,
    )
  ).rows[0]!.n;
const stateOf = async (applyId: string) =>
  (await sql<{ state: string }>`select state from doctor_qual_apply where id = ${applyId}`.execute(app.db)).rows[0]!.state;

describe('a first application', () => {
  it('needs its certificates, unused numbers and nothing open', async () => {
    const hospital = await makeHospital(app);
    const person = freshPerson();
    const uploader = await machineUploader(app);
    const { doctorId } = await register(app, person, { hospitalId: hospital.hospitalId, departmentId: hospital.departmentId });
    const certs = await certsOf(app, uploader, person, hospital.name);
    const input = { doctorId, applyType: 'FIRST', facts, certs };
    expect(
      await signedRefusal(app, submitDoctorQualification, { ...input, certs: certs.filter(({ certType }) => certType !== 'PRACTICE') }),
    ).toMatchObject({ code: 'SCM07021', message: '请上传医师执业证' });
    expect(
      await signedRefusal(app, submitDoctorQualification, {
        ...input,
        certs: certs.map((cert) => ({ ...cert, fileIds: cert.fileIds.slice(0, 1) })),
      }),
    ).toMatchObject({ code: 'SCM90020' });
    const foreign = await picture(app, '777');
    expect(
      await signedRefusal(app, submitDoctorQualification, {
        ...input,
        certs: certs.map((cert) => (cert.certType === 'PRACTICE' ? { ...cert, fileIds: foreign } : cert)),
      }),
    ).toMatchObject({ code: 'SCM02014' });
    expect(await signedRefusal(app, submitDoctorQualification, { ...input, applyType: 'UPDATE' })).toMatchObject({ code: 'SCM90020' });
    expect(await signed(app, submitDoctorQualification, input)).toMatchObject({ doctorId, state: 'PENDING' });
    expect(await signedRefusal(app, submitDoctorQualification, input)).toMatchObject({ code: 'SCM90020' });
    expect(await doctorOf(doctorId)).toMatchObject({ qualState: 'PENDING', titleCode: null, practiceOk: false });
  });

  it('passes two persons, and only then is anything in force', async () => {
    const { applyId, doctorId, hospital } = await submitted(app);
    // Both hold either right; the first passage decides who may not do the second.
    const [a, med] = [await secondAuditor(app), await secondAuditor(app)];
    const held = await claimed(app, applyId, a);
    expect(await refusedVerdict(app, { ...held, action: 'pass' }, a)).toMatchObject({
      code: 'SCM07027',
      message: '还有11项要点未给出结论',
    });
    await judgeAll(app, { applyId, leaseToken: held.leaseToken }, a);
    expect(await refusedVerdict(app, { ...held, leaseToken: 'another', action: 'pass' }, a)).toMatchObject({ code: 'SCM07026' });
    const passed = await verdict(app, { ...held, action: 'pass' }, a);
    expect(passed).toMatchObject({ state: 'RECHECK', recheckReason: 'LEVEL' });
    expect(await refusedVerdict(app, { applyId, version: passed.version, action: 'recheckPass' }, a)).toMatchObject({
      code: 'SCM07033',
      message: '初审人与复核人不能为同一人',
    });
    expect(await doctorOf(doctorId)).toMatchObject({ qualState: 'PENDING', practiceOk: false });
    expect(await verdict(app, { applyId, version: passed.version, action: 'recheckPass' }, med)).toMatchObject({ state: 'APPROVED' });
    expect(await doctorOf(doctorId)).toMatchObject({
      qualState: 'APPROVED',
      practiceOk: true,
      titleCode: 'ASSOCIATE',
      hospitalId: hospital.hospitalId,
    });
    expect(await certsIn(doctorId)).toEqual(['ID_CARD VALID', 'PRACTICE VALID', 'QUALIFICATION VALID', 'TITLE VALID']);
    expect(await eventsOf('doctor.doctor.approved', doctorId)).toBe(1);
    expect(await refusedVerdict(app, { applyId, version: passed.version + 1, action: 'recheckPass' }, med)).toMatchObject({
      code: 'SCM90031',
    });
  });

  it('fails on a qualification number of somebody else, unless that is overridden with a reason', async () => {
    const stranger = freshPerson();
    const { applyId } = await submitted(app, { certs: { QUALIFICATION: { certNo: `200533110${stranger.idNo}` } } });
    const a = await firstAuditor(app);
    const held = await claimed(app, applyId, a);
    const token = { applyId, leaseToken: held.leaseToken };
    await judgeAll(app, token, a);
    const { checks } = await app.ok(queryQualApplyDetail, { applyId }, { as: a });
    expect(checks.find(({ checkCode }) => checkCode === 'Q03')).toMatchObject({ machineResult: 'FAIL', hard: true });
    expect(await refusedVerdict(app, { ...held, action: 'pass' }, a)).toMatchObject({
      code: 'SCM07028',
      message: '资格证编号含身份证号校验不通过，请退回补充、不通过或填写破例理由',
    });
    await judgeAll(app, token, a, { Q03: { humanVerdict: 'OVERRIDE' } });
    expect(await refusedVerdict(app, { ...held, action: 'pass' }, a)).toMatchObject({ code: 'SCM07028' });
    await judgeAll(app, token, a, { Q03: { humanVerdict: 'OVERRIDE', note: '已致电发证机关核实' } });
    expect(await verdict(app, { ...held, action: 'pass' }, a)).toMatchObject({ state: 'RECHECK', recheckReason: 'OVERRIDE' });
  });

  it('is refused the numbers of a live doctor, not those of a cancelled one', async () => {
    const first = await approved(app);
    const person = freshPerson();
    const hospital = await makeHospital(app);
    const uploader = await machineUploader(app);
    const { doctorId } = await register(app, person, { hospitalId: hospital.hospitalId, departmentId: hospital.departmentId });
    const practice = (await certsOf(app, uploader, first.person, hospital.name)).find(({ certType }) => certType === 'PRACTICE')!;
    const certs = (await certsOf(app, uploader, person, hospital.name)).map((cert) =>
      cert.certType === 'PRACTICE' ? { ...cert, certNo: practice.certNo } : cert,
    );
    const input = { doctorId, applyType: 'FIRST', facts, certs };
    const {
      rows: [holder],
    } = await sql<{ doctorNo: string }>`select doctor_no from doctor_doctor where id = ${first.doctorId}`.execute(app.db);
    expect(await signedRefusal(app, submitDoctorQualification, input)).toMatchObject({
      code: 'SCM07022',
      message: `证件编号已被医生${holder!.doctorNo}使用`,
    });
    const keeper = await app.staff({ permissions: [may['doctor.cancel'].code, may['doctor.view'].code] });
    await app.ok(
      cancelDoctor,
      { doctorId: first.doctorId, version: (await doctorOf(first.doctorId)).version, opinion: '本人申请注销' },
      { as: keeper },
    );
    expect(await signed(app, submitDoctorQualification, input)).toMatchObject({ state: 'PENDING' });
  });

  it('is returned with what to add, handed in again and judged anew', async () => {
    const { applyId, doctorId, person, hospital } = await submitted(app);
    const a = await firstAuditor(app);
    const held = await claimed(app, applyId, a);
    expect(await refusedVerdict(app, { ...held, action: 'return', opinion: '请重新上传' }, a)).toMatchObject({ code: 'SCM07030' });
    expect(await refusedVerdict(app, { ...held, action: 'return', items: ['PRACTICE'] }, a)).toMatchObject({ code: 'SCM90020' });
    expect(await refusedVerdict(app, { ...held, action: 'reject', opinion: '不符' }, a)).toMatchObject({ code: 'SCM07031' });
    expect(await refusedVerdict(app, { ...held, action: 'reject', opinion: '不符', rejectReasons: ['N01'] }, a)).toMatchObject({
      code: 'SCM07032',
    });
    expect(
      await verdict(app, { ...held, action: 'return', items: ['PRACTICE'], opinion: '执业证不清晰', doctorWording: '请重新拍摄执业证' }, a),
    ).toMatchObject({ state: 'RETURNED' });
    expect(await doctorOf(doctorId)).toMatchObject({ qualState: 'RETURNED' });
    const again = (await certsOf(app, await machineUploader(app), person, hospital.name)).filter(({ certType }) => certType === 'PRACTICE');
    expect(await signed(app, submitDoctorQualification, { doctorId, applyType: 'FIRST', certs: again })).toMatchObject({
      applyId,
      state: 'PENDING',
    });
    const detail = await app.ok(queryQualApplyDetail, { applyId }, { as: a });
    expect([detail.round, detail.certs.length, detail.checks.filter(({ humanVerdict }) => humanVerdict !== null).length]).toEqual([
      2, 4, 0,
    ]);
    const second = await claimed(app, applyId, a);
    expect(
      await verdict(
        app,
        { ...second, action: 'reject', rejectReasons: ['N07'], opinion: '官网查无此证', doctorWording: '执业证在官网查询不到' },
        a,
      ),
    ).toMatchObject({ state: 'REJECTED' });
    expect(await doctorOf(doctorId)).toMatchObject({ qualState: 'REJECTED' });
    expect(await certsIn(doctorId)).toEqual([]);
    // The doctor has no login here: he is told by text message.
    expect(await textsTo(app, person.mobile)).toEqual([
      '【康桥】您的资质审核被退回，请补充后重新提交：请重新拍摄执业证',
      '【康桥】您的资质审核未通过：执业证在官网查询不到',
    ]);
  });

  it('is withdrawn when nobody answers within 15 days', async () => {
    const { applyId, doctorId } = await submitted(app);
    const a = await firstAuditor(app);
    await verdict(app, { ...(await claimed(app, applyId, a)), action: 'return', items: ['PRACTICE'], opinion: '执业证不清晰' }, a);
    const waitedDays = (n: number) =>
      sql`update doctor_qual_apply set returned_at = ${plusMs(app.clock.now(), -days(n))} where id = ${applyId}`.execute(app.db);
    // The daily job by itself: moving the clock over weeks would run everything else with it.
    const runJob = () => withdrawUnansweredJob.run({}, jobContext(app));
    await waitedDays(14);
    await runJob();
    expect(await stateOf(applyId)).toBe('RETURNED');
    await waitedDays(15);
    await runJob();
    await runJob();
    expect(await stateOf(applyId)).toBe('WITHDRAWN');
    expect(await doctorOf(doctorId)).toMatchObject({ qualState: 'NONE' });
  });
});

describe('the lease queue', () => {
  it('gives one case to one of two who ask at once', async () => {
    const other = await startTestApp();
    try {
      const a = await firstAuditor(other);
      expect((await other.refused(claimNextQualApply, {}, { as: a })).code).toBe('SCM07025');
      const { applyId } = await submitted(other);
      const people = await Promise.all([1, 2, 3, 4].map(() => firstAuditor(other)));
      const answers = await Promise.all(people.map((as) => other.send(claimNextQualApply, {}, { as })));
      const codes = answers.map(({ envelope }) => envelope.code).toSorted();
      expect(codes.filter((code) => code === 'SCM07025')).toHaveLength(3);
      expect(answers.filter(({ envelope }) => (envelope.data as { id?: string } | null)?.id === applyId)).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it('keeps the work of who loses a case', async () => {
    const { applyId } = await submitted(app);
    const a = await firstAuditor(app);
    const b = await firstAuditor(app);
    const held = await claimed(app, applyId, a);
    const work = {
      applyId,
      leaseToken: held.leaseToken,
      checks: [{ checkCode: 'Q01' as const, humanVerdict: 'AGREE' as const, note: '' }],
      certs: [{ id: '3', extracted: { certNo: '110330106099999' }, verifySource: 'MANUAL' as const }],
    };
    expect((await app.refused(claimQualApply, { applyId }, { as: b })).code).toBe('SCM07023');
    expect((await app.refused(releaseQualApply, { applyId, leaseToken: held.leaseToken }, { as: b })).code).toBe('SCM07026');
    await app.ok(saveQualApplyWork, work, { as: a });
    app.clock.advance(minutes(16));
    expect(
      (
        await app.refused(
          saveQualApplyWork,
          { ...work, checks: [{ checkCode: 'Q01' as const, humanVerdict: 'FAIL' as const, note: '' }] },
          { as: a },
        )
      ).code,
    ).toBe('SCM07026');
    const taken = await claimed(app, applyId, b);
    const detail = await app.ok(queryQualApplyDetail, { applyId }, { as: b });
    expect(detail.checks.find(({ checkCode }) => checkCode === 'Q01')).toMatchObject({ humanVerdict: 'AGREE' });
    expect(detail.certs.find(({ id }) => id === '3')).toMatchObject({ verifySource: 'MANUAL', confirmed: { certNo: '110********9999' } });
    expect((await app.ok(revealQualApply, { applyId }, { as: b })).certs.find(({ id }) => id === '3')?.confirmed).toBe('110330106099999');
    expect((await app.ok(queryQualApplyCounts, {}, { as: b })).MINE).toBe(1);
    expect(await app.ok(releaseQualApply, { applyId, leaseToken: taken.leaseToken }, { as: b })).toMatchObject({ state: 'PENDING' });
  });

  it('gives nobody his own entry', async () => {
    const doctor = await approved(app);
    const as = await enterer(app);
    const both = await app.staff({ permissions: Object.values(may).map(({ code }) => code) });
    const now = await doctorOf(doctor.doctorId);
    const change = {
      doctorId: doctor.doctorId,
      version: now.version,
      name: doctor.person.name,
      hospitalId: doctor.hospital.hospitalId,
      departmentId: doctor.hospital.departmentId,
      ...facts,
      practiceScope: '内科专业、全科医学专业',
      certs: [],
    };
    const { applyId } = await app.ok(modifyDoctorInfo, change, { as: both });
    expect((await app.refused(claimQualApply, { applyId: applyId! }, { as: both })).code).toBe('SCM07024');
    expect((await app.refused(modifyDoctorInfo, { ...change, version: now.version, practiceScope: '外科专业' }, { as })).code).toBe(
      'SCM07020',
    );
    expect(await doctorOf(doctor.doctorId)).toMatchObject({ qualState: 'APPROVED', practiceScope: '内科专业' });
    const a = await firstAuditor(app);
    await verdict(
      app,
      {
        ...(await claimed(app, applyId!, a)),
        action: 'reject',
        rejectReasons: ['N06'],
        opinion: '范围不符',
        doctorWording: '执业证上没有该范围',
      },
      a,
    );
    expect(await doctorOf(doctor.doctorId)).toMatchObject({ qualState: 'APPROVED', practiceScope: '内科专业', practiceOk: true });
    expect(await certsIn(doctor.doctorId)).toHaveLength(4);
  });
});

describe('a doctor of a hospital that is not in the list', () => {
  const inAudit = async () => {
    const person = freshPerson();
    const name = `${person.name}纪念医院`;
    const doctor = await register(app, person, {
      hospital: { name, level: 'L2A', kind: 'GENERAL', ownership: 'PRIVATE', adcode: '330106', address: '湖滨路8号' } as never,
    });
    const certs = await certsOf(app, await machineUploader(app), person, name);
    const { applyId } = await signed<{ applyId: string }>(app, submitDoctorQualification, {
      doctorId: doctor.doctorId,
      applyType: 'FIRST',
      facts,
      certs,
    });
    return { ...doctor, applyId, hospitalApplyId: doctor.hospitalApplyId!, person };
  };
  const decide = async (applyId: string, action: 'approve' | 'reject') => {
    const as = await app.staff({ permissions: Object.values(institutionPermissions).map(({ code }) => code) });
    const { version } = await app.ok(claimHospitalAudit, { applyId }, { as });
    await app.ok(auditHospital, { applyId, version, action, opinion: '已核对' }, { as });
    await app.runDue();
  };

  it('passes only after the hospital has', async () => {
    const { doctorId, applyId, hospitalApplyId, person } = await inAudit();
    const a = await firstAuditor(app);
    const held = await claimed(app, applyId, a);
    await judgeAll(app, { applyId, leaseToken: held.leaseToken }, a);
    expect(await refusedVerdict(app, { ...held, action: 'pass' }, a)).toMatchObject({
      code: 'SCM07029',
      message: '执业机构尚未审核通过，请先处理医院审核单',
    });
    await decide(hospitalApplyId, 'approve');
    const {
      rows: [place],
    } = await sql<{
      hospitalId: string;
      hospitalApplyId: string | null;
      name: string;
    }>`
      select d.hospital_id, d.hospital_apply_id, h.name
        from doctor_doctor d
        join institution_hospital h on h.id = d.hospital_id
        where d.id = ${doctorId}`.execute(app.db);
    expect(place).toMatchObject({ hospitalApplyId: null, name: `${person.name}纪念医院` });
    expect(await verdict(app, { ...held, action: 'pass' }, a)).toMatchObject({ state: 'RECHECK' });
    expect((await doctorOf(doctorId)).hospitalId).toBe(place!.hospitalId);
  });

  it('is asked again when the hospital is refused', async () => {
    const { doctorId, applyId, hospitalApplyId } = await inAudit();
    await claimed(app, applyId, await firstAuditor(app));
    await decide(hospitalApplyId, 'reject');
    expect(await stateOf(applyId)).toBe('RETURNED');
    expect(await doctorOf(doctorId)).toMatchObject({ qualState: 'RETURNED' });
  });
});

describe('registration', () => {
  it('answers the same request with the same doctor and refuses another body', async () => {
    const hospital = await makeHospital(app);
    const person = freshPerson();
    const input = { mobile: person.mobile, name: person.name, idNo: person.idNo, hospitalId: hospital.hospitalId };
    expect((await app.refused(registerDoctor, input)).code).toMatch(/^SCM/);
    const [one, two] = await Promise.all([signed(app, registerDoctor, input), signed(app, registerDoctor, input)]);
    expect(two).toEqual(one);
    expect(await signedRefusal(app, registerDoctor, { ...input, name: '别人' })).toMatchObject({ code: 'SCM90050' });
    expect(await signedRefusal(app, registerDoctor, { ...input, mobile: freshPerson().mobile, name: '别人' })).toMatchObject({
      code: 'SCM07022',
    });
  });
});

describe('the list', () => {
  it('hides what lies outside the region and counts its queues', async () => {
    const { applyId } = await submitted(app);
    const elsewhere = await app.staff({ permissions: [may['qual.view'].code], scope: { region: ['110000'] } });
    const here = await app.staff({ permissions: [may['qual.view'].code], scope: { region: ['330000'] } });
    expect((await app.ok(queryQualApplyList, { pageSize: 999 }, { as: elsewhere })).rows).toEqual([]);
    expect((await app.refused(queryQualApplyDetail, { applyId }, { as: elsewhere })).code).toBe('SCM90040');
    const { rows } = await app.ok(queryQualApplyList, { queue: 'WAITING', pageSize: 999 }, { as: here });
    expect(rows.find(({ id }) => id === applyId)).toMatchObject({ state: 'PENDING', overdue: false, failed: 0 });
    app.clock.advance(days(3));
    const later = await app.staff({ permissions: [may['qual.view'].code], scope: { region: ['330000'] } });
    expect(
      (await app.ok(queryQualApplyList, { queue: 'WAITING', overdue: true, pageSize: 999 }, { as: later })).rows.some(
        ({ id }) => id === applyId,
      ),
    ).toBe(true);
    expect((await app.ok(queryQualApplyCounts, {}, { as: later })).WAITING).toBeGreaterThan(0);
  });

  it('reckons anew when an application is due once the calendar says that the day is one of rest', async () => {
    const { applyId } = await submitted(app);
    const due = async () =>
      (await sql<{ dueAt: string }>`select due_at from doctor_qual_apply where id = ${applyId}`.execute(app.db)).rows[0]!.dueAt;
    const before = await due();
    const keeper = await app.staff({ role: 'SYS_ADMIN' });
    const day = dayOf(before);
    await app.ok(modifyWorkCalendar, { day, isWorkday: false, isBankday: false, note: '停电' }, { as: keeper });
    await app.runDue();
    const after = await due();
    expect(after > before).toBe(true);
    expect(dayOf(after)).not.toBe(day);
    await app.ok(modifyWorkCalendar, { day, isWorkday: true, isBankday: true, note: '' }, { as: keeper });
    await app.runDue();
    expect(await due()).toBe(before);
  });
});
