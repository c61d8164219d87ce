import { afterAll, beforeAll, expect, it } from 'vitest';
import { days, hours, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { exportCertExpireList, queryCertExpireList } from '../../contract/calls/certs.ts';
import { createConsultOrder } from '../../contract/calls/consultOrders.ts';
import { modifyDoctorInfo } from '../../contract/calls/doctors.ts';
import { changeOpeningState } from '../../contract/calls/openings.ts';
import { queryQualApplyDetail } from '../../contract/calls/qual.ts';
import { addRecommendation } from '../../contract/calls/recommendations.ts';
import { broken } from '../nightly.ts';
import { keeper, recordOf } from '../testing/doctors.ts';
import { advance, paidOrder, patientOf, signedRefusal, stored } from '../testing/orders.ts';
import { approved, certsOf, claimed, enterer, facts, firstAuditor, judgeAll, secondAuditor, verdict } from '../testing/qual.ts';
import { openFor, operator } from '../testing/services.ts';
import { certsModule } from './module.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

it('the day after a practice certificate ends nothing is sold any more; its renewal brings services back as they were (scenario 8)', async () => {
  const doctor = await approved(app, { certs: { PRACTICE: { validTo: '2026-11-21' } } });
  const { doctorId } = doctor;
  const [on, paused] = [await openFor(app, { doctorId }), await openFor(app, { doctorId })];
  await app.ok(changeOpeningState, { id: paused.id, version: 2, action: 'pause' }, { as: await operator(app) });
  await app.ok(
    addRecommendation,
    { position: 'HOME', scopeKey: '*', doctorId, startAt: app.clock.now(), endAt: plusMs(app.clock.now(), days(30)) },
    { as: await operator(app) },
  );
  const order = await paidOrder(app, { openingId: on.id });
  const statesOf = async () => {
    const { qualState, practiceOk, certs, openings, recommendations } = await recordOf(app, doctorId);
    const opening = (id: string) => openings.find(({ openingId }) => openingId === id)!.state;
    return {
      qualState,
      practiceOk,
      practice: certs.filter(({ certType }) => certType === 'PRACTICE').map(({ state }) => state),
      openings: [opening(on.id), opening(paused.id)],
      recommendations: recommendations.map(({ state }) => state),
    };
  };
  expect(await statesOf()).toEqual({
    qualState: 'APPROVED',
    practiceOk: true,
    practice: ['VALID'],
    openings: ['ON', 'PAUSED'],
    recommendations: ['ON'],
  });

  await app.advance(hours(16));
  expect(app.clock.today()).toBe('2026-11-22');
  expect(await statesOf()).toEqual({
    qualState: 'EXPIRED',
    practiceOk: false,
    practice: ['EXPIRED'],
    openings: ['SUSPENDED', 'SUSPENDED'],
    recommendations: ['OFF'],
  });
  expect(await signedRefusal(app, createConsultOrder, { patient: patientOf(), openingId: on.id })).toMatchObject({ code: 'SCM07077' });
  // What was paid before runs on.
  expect((await stored(app, order.orderId)).state).toBe('PAID');
  expect(await advance(app, order.orderId, 'ACCEPT')).toMatchObject({ state: 'SERVING' });

  const as = await enterer(app);
  const auditor = await firstAuditor(app);
  const plain = {
    doctorId,
    specialty: '',
    intro: '',
    diseaseIds: [],
    avatarFileId: null,
    ...facts,
    practiceScope: '内科专业、全科医学专业',
    name: doctor.person.name,
    hospitalId: doctor.hospital.hospitalId,
    hospitalApplyId: null,
    departmentId: doctor.hospital.departmentId,
  };
  // Another fact that two persons let pass does not make it valid again.
  const update = await app.ok(modifyDoctorInfo, { ...plain, version: (await recordOf(app, doctorId)).version, certs: [] }, { as });
  const first = await claimed(app, update.applyId!, auditor);
  await judgeAll(app, { applyId: first.applyId, leaseToken: first.leaseToken }, auditor, {
    Q06: { humanVerdict: 'OVERRIDE', note: '执业证延续手续办理中' },
  });
  const passed = await verdict(app, { ...first, action: 'pass' }, auditor);
  expect(passed).toMatchObject({ state: 'RECHECK', recheckReason: 'OVERRIDE' });
  await verdict(app, { applyId: first.applyId, version: passed.version, action: 'recheckPass' }, await secondAuditor(app));
  expect(await statesOf()).toMatchObject({ qualState: 'EXPIRED', practiceOk: false, openings: ['SUSPENDED', 'SUSPENDED'] });

  const renewed = (await certsOf(app, as.userId, doctor.person, doctor.hospital.name)).filter(({ certType }) => certType === 'PRACTICE');
  const { version } = await recordOf(app, doctorId);
  const { applyId } = await app.ok(modifyDoctorInfo, { ...plain, version, certs: renewed }, { as });
  expect((await app.ok(queryQualApplyDetail, { applyId: applyId! }, { as: auditor })).applyType).toBe('RENEW');
  const held = await claimed(app, applyId!, auditor);
  await judgeAll(app, { applyId: held.applyId, leaseToken: held.leaseToken }, auditor);
  expect(await verdict(app, { ...held, action: 'pass' }, auditor)).toMatchObject({ state: 'APPROVED' });
  expect(await statesOf()).toEqual({
    qualState: 'APPROVED',
    practiceOk: true,
    practice: ['VALID', 'REPLACED'],
    openings: ['ON', 'PAUSED'],
    recommendations: ['OFF'],
  });
});

it('certificates that end are exported in the order of their ends', async () => {
  const as = await keeper(app);
  const ends = ['2026-12-20', '2026-12-05'];
  const people = [];
  for (const validTo of ends) people.push((await approved(app, { certs: { PRACTICE: { validTo } } })).person);
  const { rows } = await app.ok(queryCertExpireList, { days: 60 }, { as });
  const { body } = await app.file(
    exportCertExpireList,
    { days: 60, format: 'CSV', columns: ['name', 'certType', 'validTo', 'state'] },
    { as },
  );
  const lines = body.toString().split('\r\n');
  expect(lines.filter((line) => line.includes('医师执业证'))).toEqual(
    rows.filter(({ certType }) => certType === 'PRACTICE').map(({ name, validTo }) => `${name},医师执业证,${validTo},有效`),
  );
  expect(rows.map(({ name }) => name)).toEqual([people[1]!.name, people[0]!.name]);
});

it('the nightly check lets a citizen’s card be over for 30 days, not longer', async () => {
  const { doctorId } = await approved(app, { certs: { ID_CARD: { validTo: '2027-01-31' } } });
  await app.database.asOwner(`update doctor_cert set state = 'EXPIRED' where doctor_id = ${doctorId} and cert_type = 'ID_CARD'`);
  const [[, statement] = ['', '']] = certsModule.invariants ?? [];
  expect([await broken(app.db, statement, '2027-03-02'), await broken(app.db, statement, '2027-03-03')]).toEqual([0, 1]);
});
