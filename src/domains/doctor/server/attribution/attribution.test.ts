import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, hours, plusDays, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { codeScanned } from '#events/channel.ts';
import { patientMerged, patientRegistered, patientUnmerged, realNameChanged } from '#events/patient.ts';
import { agentHandedOver } from '#events/pharma.ts';
import { changeChannelState } from '#domains/channel/contract/calls/channels.ts';
import { uploadTable } from '#testing/uploads.ts';
import { commitImportTask, queryImportResult, queryImportRowList } from '#domains/files/contract/calls/imports.ts';
import { resolvePatient } from '#domains/patient/contract/calls/intranet.ts';
import { makePatient } from '#domains/patient/server/testing/fixtures.ts';
import { makeChannel, operator as channelOperator } from '#domains/channel/server/testing/fixtures.ts';
import {
  addAttributionChange,
  auditAttributionChange,
  importAttributionChange,
  queryAttributionChangeList,
  queryAttributionTrail,
  queryChannelFunnel,
  queryDoctorChannelList,
  queryPatientChannelList,
} from '../../contract/calls/attribution.ts';
import { registerDoctor } from '../../contract/calls/register.ts';
import {
  acting,
  attributedDoctor,
  eventsOf,
  makeOffer,
  makeOrder,
  nextPatient,
  patientOf,
  payBySimulator,
  person,
  scanned,
  signed,
  stored,
} from '../testing/orders.ts';
import { freshPerson, makeHospital } from '../testing/qual.ts';
import { attributionModule } from './module.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  for (const [name, statement] of attributionModule.invariants ?? []) {
    if (name === '渠道归属不唯一') continue;
    const { rows } = await sql.raw<{ n: number }>(statement).execute(app.db);
    expect(rows[0]!.n, name).toBe(0);
  }
  await app.close();
});

const live = async (subjectType: string, id: string) =>
  (
    await sql<{
      channelId: string | null;
      method: string;
      viaDoctorId: string | null;
      agentId: string | null;
    }>`
      select channel_id, method, via_doctor_id, agent_id
        from doctor_attribution
        where subject_type = ${subjectType} and subject_id = ${id} and ended_at is null`.execute(app.db)
  ).rows[0]!;
const publish = <E extends Parameters<Parameters<Parameters<TestApp['kernel']['transactions']['run']>[1]>[0]['publish']>[0]>(
  event: E,
  id: string,
  payload: unknown,
) => acting(app, (ctx) => ctx.publish(event, id, payload as never));
const register = async (patientId: string, scanToken: string | null) => {
  await publish(patientRegistered, patientId, {
    patientId,
    operatorId: null,
    name: '张建国',
    mobileMasked: '138****1234',
    scanToken,
    source: 'SCAN',
  });
  await app.runDue();
};

describe('attribution', () => {
  it('goes to the newest valid scan within 30 days and stays', async () => {
    const [a, b, c] = [await makeChannel(app), await makeChannel(app), await makeChannel(app)];
    const doctorWithCode = await attributedDoctor(app);
    const visitor = 'visitor-1';
    const first = await scanned(app, a.id, visitor, plusMs(app.clock.now(), -days(3)));
    await scanned(app, b.id, visitor, plusMs(app.clock.now(), -hours(2)), doctorWithCode);
    const patientId = nextPatient();
    await register(patientId, first);
    expect(await live('PATIENT', patientId)).toMatchObject({ channelId: b.id, method: 'SCAN', viaDoctorId: doctorWithCode });
    await register(patientId, await scanned(app, c.id, visitor));
    expect(await live('PATIENT', patientId)).toMatchObject({ channelId: b.id });
    const { doctors } = await app.ok(queryAttributionTrail, { subjectType: 'PATIENT', subjectId: patientId }, { as: await person(app) });
    expect(doctors).toHaveLength(1);

    expect(await live('DOCTOR', await attributedDoctor(app, first))).toMatchObject({ channelId: c.id });
    // Older than 30 days, or forged: nobody brought him.
    expect(
      await live('DOCTOR', await attributedDoctor(app, await scanned(app, a.id, 'visitor-2', plusMs(app.clock.now(), -days(31))))),
    ).toMatchObject({ channelId: null, method: 'ORGANIC' });
    expect(await live('DOCTOR', await attributedDoctor(app, `${first}x`))).toMatchObject({ method: 'ORGANIC' });
  });

  it('is that of the last code scanned before a registration, of patients and of doctors (scenario 19)', async () => {
    const [a, b, c] = [await makeChannel(app), await makeChannel(app), await makeChannel(app)];
    const token = await scanned(app, a.id, 'visitor-registers', plusMs(app.clock.now(), -days(2)));
    await scanned(app, b.id, 'visitor-registers', plusMs(app.clock.now(), -hours(3)));
    const { name, mobile, idNo } = freshPerson();
    const { patientId } = await signed(app, resolvePatient, {
      externalRequestNo: 'registers-through-b',
      name: '张建国',
      mobile: '13711114444',
      scanToken: token,
    });
    const { doctorId } = await signed(app, registerDoctor, {
      name,
      mobile,
      idNo,
      hospitalId: (await makeHospital(app)).hospitalId,
      scanToken: token,
    });
    await app.runDue();
    expect(await live('PATIENT', patientId)).toMatchObject({ channelId: b.id, method: 'SCAN' });
    expect(await live('DOCTOR', doctorId)).toMatchObject({ channelId: b.id, method: 'SCAN' });
    const { rows } = await sql<{ channelId: string }>`select channel_id from doctor_doctor where id = ${doctorId}`.execute(app.db);
    expect(rows).toEqual([{ channelId: b.id }]);

    // A later scan is a visit to its doctor, no other origin.
    await publish(codeScanned, '1', {
      scanId: '1',
      codeId: '1',
      kind: 'SCENE',
      channelId: c.id,
      agentId: null,
      sceneCodeId: '1',
      sceneId: null,
      diseaseId: null,
      doctorId,
      itemId: null,
      patientId,
      patientOperatorId: null,
      deskSource: { type: 'CHANNEL', id: c.id },
      at: app.clock.now(),
    });
    await app.runDue();
    expect(await live('PATIENT', patientId)).toMatchObject({ channelId: b.id });
    const trail = await app.ok(queryAttributionTrail, { subjectType: 'PATIENT', subjectId: patientId }, { as: await person(app) });
    expect(trail.attributions).toHaveLength(1);
    expect(trail.doctors).toMatchObject([{ doctorId, orderCount: 0 }]);

    const late = await scanned(app, a.id, 'visitor-too-late', plusMs(app.clock.now(), -days(30) - hours(1)));
    const { patientId: nobodys } = await signed(app, resolvePatient, {
      externalRequestNo: 'registers-too-late',
      name: '李秀英',
      mobile: '13711115555',
      scanToken: late,
    });
    await app.runDue();
    expect(await live('PATIENT', nobodys)).toMatchObject({ channelId: null, method: 'ORGANIC' });
  });

  it('of one patient registered twice at once is one', async () => {
    const patientId = nextPatient();
    await Promise.all([1, 2, 3].map(() => makeOrder(app, { patient: patientOf(patientId) })));
    const { rows } = await sql`select 1 from doctor_attribution where subject_type = 'PATIENT' and subject_id = ${patientId}`.execute(
      app.db,
    );
    expect(rows).toHaveLength(1);
  });

  it('is changed by two people from the day they name: orders before it stay with the old channel', async () => {
    const maker = await person(app);
    const checker = await person(app, 'checker');
    const [old, next, closed] = [await makeChannel(app), await makeChannel(app), await makeChannel(app)];
    await app.ok(
      changeChannelState,
      { id: closed.id, version: 1, action: 'disable', opinion: '活动结束' },
      { as: await channelOperator(app) },
    );
    const patientId = nextPatient();
    await register(patientId, await scanned(app, old.id, 'visitor-3'));
    const wish = {
      subjectType: 'PATIENT' as const,
      subjectId: patientId,
      toChannelId: next.id,
      effectiveOn: '2026-11-22',
      reason: '代表交接',
    };
    expect(await app.refused(addAttributionChange, { ...wish, effectiveOn: '2026-11-20' }, { as: maker })).toMatchObject({
      code: 'SCM07083',
    });
    expect(await app.refused(addAttributionChange, { ...wish, toChannelId: closed.id }, { as: maker })).toMatchObject({ code: 'SCM07081' });
    expect((await app.refused(addAttributionChange, { ...wish, toChannelId: old.id }, { as: maker })).fields).toEqual([
      { path: 'toChannelId', message: '新归属与当前归属相同' },
    ]);
    const answers = await Promise.all([1, 2].map(() => app.send(addAttributionChange, wish, { as: maker })));
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM07082']);
    const { id } = answers.find(({ envelope }) => envelope.code === '0000000')!.envelope.data as { id: string };
    expect(await app.refused(auditAttributionChange, { id, version: 1, action: 'approve' }, { as: maker })).toMatchObject({
      code: 'SCM07075',
      message: '发起人与审批人不能为同一人',
    });
    await app.ok(auditAttributionChange, { id, version: 1, action: 'approve' }, { as: checker });
    expect(await app.refused(addAttributionChange, wish, { as: maker })).toMatchObject({ code: 'SCM07082' });

    const { openingId } = await makeOffer(app);
    const today = await makeOrder(app, { openingId, patient: patientOf(patientId) });
    await payBySimulator(app, today.payUrl!);
    expect(await live('PATIENT', patientId)).toMatchObject({ channelId: old.id });
    await app.advance(hours(24), ['doctor']);
    await app.runDue();
    const tomorrow = await makeOrder(app, { patient: patientOf(patientId) });
    await payBySimulator(app, tomorrow.payUrl!);
    expect([(await stored(app, today.orderId)).channelId, (await stored(app, tomorrow.orderId)).channelId]).toEqual([old.id, next.id]);
    expect(await eventsOf(app, 'doctor.attribution.changed', `PATIENT:${patientId}`)).toEqual([
      expect.objectContaining({ fromChannelId: null, toChannelId: old.id }),
      expect.objectContaining({ fromChannelId: old.id, toChannelId: next.id, effectiveOn: '2026-11-22' }),
    ]);
    const { attributions } = await app.ok(
      queryAttributionTrail,
      { subjectType: 'PATIENT', subjectId: patientId },
      { as: await person(app) },
    );
    expect(attributions.map(({ startedAt, endedAt }) => [startedAt, endedAt])).toEqual([
      ['2026-11-21T16:00:00.000Z', null],
      [expect.any(String), '2026-11-21T16:00:00.000Z'],
    ]);
  });

  it('follows a hand-over of the representative on its day, and a merge that can be undone', async () => {
    const channel = await makeChannel(app);
    const doctorId = await attributedDoctor(app, await scanned(app, channel.id, 'visitor-4'));
    await sql`update doctor_attribution set agent_id = 7001 where subject_type = 'DOCTOR' and subject_id = ${doctorId}`.execute(app.db);
    await publish(agentHandedOver, '7001', {
      handoverNo: 'JJ9',
      fromAgentId: '7001',
      toAgentId: '7002',
      reason: 'LEAVE',
      doctorIds: [doctorId],
      pairs: [],
      channelIds: [],
      effectiveOn: plusDays(app.clock.today(), 1),
    });
    await app.runDue();
    expect((await live('DOCTOR', doctorId)).agentId).toBe('7001');
    await app.advance(hours(24), ['doctor']);
    await app.runDue();
    expect((await live('DOCTOR', doctorId)).agentId).toBe('7002');

    const [from, into] = [nextPatient(), nextPatient()];
    const order = await makeOrder(app, { patient: patientOf(from) });
    await payBySimulator(app, order.payUrl!);
    await register(into, null);
    // Both run the same service; that of the first is over and waits for its settlement.
    const { openingId } = await stored(app, order.orderId);
    await payBySimulator(app, (await makeOrder(app, { openingId, patient: patientOf(into) })).payUrl!);
    await sql`update doctor_consult_order set ended_at = ${app.clock.now()} where id = ${order.orderId}`.execute(app.db);
    const ownerOf = async () =>
      (await sql<{ patientId: string }>`select patient_id from doctor_consult_order where id = ${order.orderId}`.execute(app.db)).rows[0]!
        .patientId;
    await publish(patientMerged, into, { fromId: from, intoId: into });
    await app.runDue();
    expect([await ownerOf(), await live('PATIENT', from)]).toEqual([into, undefined]);
    await publish(patientUnmerged, into, { fromId: from, intoId: into });
    await app.runDue();
    expect(await ownerOf()).toBe(from);
    expect(await live('PATIENT', from)).toMatchObject({ method: 'ORGANIC' });
  });

  it('is seen within the channels of the scope; the funnel lists whom it counts', async () => {
    const channel = await makeChannel(app);
    const other = await makeChannel(app);
    const seen = nextPatient();
    await register(seen, await scanned(app, channel.id, 'visitor-5'));
    await register(nextPatient(), await scanned(app, other.id, 'visitor-6'));
    const order = await makeOrder(app, { patient: patientOf(seen) });
    await payBySimulator(app, order.payUrl!);
    const as = await app.staff({ permissions: ['doctor.attribution.view'], scope: { channel: [channel.id] } });
    expect((await app.ok(queryPatientChannelList, {}, { as })).rows.map(({ subjectId }) => subjectId)).toEqual([seen]);
    expect((await app.ok(queryDoctorChannelList, {}, { as })).rows).toEqual([]);
    const today = app.clock.today();
    const [all, row] = await app.ok(
      queryChannelFunnel,
      { subjectType: 'PATIENT', from: today, to: today, channelIds: [channel.id] },
      { as },
    );
    expect(all!.steps.map(({ step, n }) => `${step} ${n}`).slice(1)).toEqual(['REGISTERED 1', 'VERIFIED 1', 'FIRST_ORDER 1', 'REPEAT 0']);
    expect(row).toMatchObject({ channelId: channel.id });
    expect((await app.ok(queryPatientChannelList, { channelId: channel.id, step: 'REPEAT' }, { as })).rows).toEqual([]);
    // Somebody who proved his name and bought nothing is that far; who bought without it is shown as he is.
    const proven = nextPatient();
    await register(proven, await scanned(app, channel.id, 'visitor-8'));
    await publish(realNameChanged, proven, { patientId: proven, state: 'VERIFIED', idType: null, idNoHash: null });
    await app.runDue();
    const [now] = await app.ok(queryChannelFunnel, { subjectType: 'PATIENT', from: today, to: today, channelIds: [channel.id] }, { as });
    expect(now!.steps.map(({ step, n }) => `${step} ${n}`).slice(1)).toEqual(['REGISTERED 2', 'VERIFIED 2', 'FIRST_ORDER 1', 'REPEAT 0']);
    expect(
      (await app.ok(queryPatientChannelList, { channelId: channel.id, step: 'VERIFIED' }, { as })).rows.map(
        ({ subjectId, verified, orders }) => [subjectId, verified, orders],
      ),
    ).toEqual([
      [proven, true, 0],
      [seen, false, 1],
    ]);
  });

  it('is seen within the regions of the scope: of doctors by their own, of patients by the doctors whom they follow', async () => {
    const [inside, outside] = [await attributedDoctor(app), await attributedDoctor(app)];
    await sql`
      update doctor_doctor
        set adcode = case when id = ${inside} then '310104' else '110101' end
        where id in (${inside}, ${outside})`.execute(app.db);
    const [follower, stranger] = [nextPatient(), nextPatient()];
    for (const patientId of [follower, stranger]) await register(patientId, null);
    await sql`
      insert into doctor_patient (doctor_id, patient_id, first_source, first_at, last_at, order_count, state, created_at, updated_at)
        select d, p, 'CARD', ${app.clock.now()}, ${app.clock.now()}, 0, 'FOLLOWING', ${app.clock.now()}, ${app.clock.now()}
          from (
            values (${inside}::bigint, ${follower}::bigint), (${outside}::bigint, ${follower}::bigint),
              (${outside}::bigint, ${stranger}::bigint)
          ) as v (d, p)`.execute(app.db);
    const permissions = ['doctor.attribution.view', 'doctor.attribution.edit', 'doctor.attribution.audit'];
    const as = await app.staff({ permissions, scope: { region: ['310000'] } });
    const maker = await person(app);
    const change = async (subjectType: 'DOCTOR' | 'PATIENT', subjectId: string) => ({
      subjectType,
      subjectId,
      toChannelId: (await makeChannel(app)).id,
      effectiveOn: plusDays(app.clock.today(), 1),
      reason: '线下协议归属',
    });

    for (const [subjectType, subjectId] of [
      ['DOCTOR', outside],
      ['PATIENT', stranger],
    ] as const) {
      const missing = { subjectType, subjectId: '999999999' };
      const refusal = await app.refused(queryAttributionTrail, missing, { as });
      expect(refusal).toMatchObject({ code: 'SCM90040' });
      expect(await app.refused(queryAttributionTrail, { subjectType, subjectId }, { as })).toEqual(refusal);
      expect(await app.refused(addAttributionChange, await change(subjectType, subjectId), { as })).toMatchObject({ code: 'SCM90040' });
      const { id } = await app.ok(addAttributionChange, await change(subjectType, subjectId), { as: maker });
      expect(await app.refused(auditAttributionChange, { id, version: 1, action: 'approve' }, { as })).toMatchObject({ code: 'SCM90040' });
    }
    const doctors = await app.ok(queryDoctorChannelList, { pageSize: 999 }, { as });
    expect(doctors.rows.map(({ subjectId }) => subjectId)).toEqual([inside]);
    const patients = await app.ok(queryPatientChannelList, { pageSize: 999 }, { as });
    expect(patients.rows.map(({ subjectId }) => subjectId)).toEqual([follower]);
    expect((await app.ok(queryAttributionChangeList, {}, { as })).rows).toEqual([]);
    // Of his doctors he shows those of the region.
    const trail = await app.ok(queryAttributionTrail, { subjectType: 'PATIENT', subjectId: follower }, { as });
    expect(trail.doctors.map(({ doctorId }) => doctorId)).toEqual([inside]);
    await app.ok(addAttributionChange, await change('PATIENT', follower), { as });
  });

  it('of patients is found by mobile before any order, shown and imported by the number that people know', async () => {
    const channel = await makeChannel(app);
    const { id, patientNo } = await makePatient(app, { mobile: '13711112222' });
    await app.runDue();
    const as = await person(app);
    expect((await app.ok(queryPatientChannelList, { mobile: '13711112222' }, { as })).rows).toMatchObject([
      { subjectId: id, subjectNo: patientNo, channelName: null },
    ]);
    expect((await app.ok(queryPatientChannelList, { mobile: '13711112223' }, { as })).rows).toEqual([]);
    const upload = async (...subjectNos: string[]) => {
      const lines = subjectNos.map((subjectNo) => ['患者', subjectNo, channel.no, app.clock.today(), '线下协议归属']);
      const { importTaskId } = await app.ok(
        importAttributionChange,
        { fileId: await uploadTable(app, as, [['对象类型', '对象编号', '新渠道编号', '生效日期', '变更原因'], ...lines]) },
        { as },
      );
      await app.runDue();
      const { rows } = await app.ok(queryImportRowList, { importTaskId, hasError: true }, { as });
      return {
        importTaskId,
        checked: await app.ok(queryImportResult, { importTaskId }, { as }),
        faults: rows.flatMap(({ errors }) => errors.map(({ message }) => message)),
      };
    };
    expect(await upload(id)).toMatchObject({ checked: { errorRows: 1 }, faults: ['归属对象不存在'] });
    expect((await upload(patientNo, patientNo)).faults).toEqual(['对象与第2行重复']);
    const { importTaskId, checked } = await upload(patientNo);
    expect(checked).toMatchObject({ errorRows: 0, newRows: 1 });
    // What is imported is asked for, and decided by somebody else.
    await app.ok(commitImportTask, { importTaskId, version: checked.version }, { as, idempotencyKey: 'commit-of-attributions' });
    await app.runDue();
    expect(await live('PATIENT', id)).toMatchObject({ channelId: null });
    const [change] = (await app.ok(queryAttributionChangeList, { channelId: channel.id }, { as })).rows;
    expect(change).toMatchObject({ subjectId: id, makerId: as.userId, state: 'PENDING' });
    expect(
      await app.refused(auditAttributionChange, { id: change!.id, version: change!.version, action: 'approve' }, { as }),
    ).toMatchObject({ code: 'SCM07075' });
    await app.ok(
      auditAttributionChange,
      { id: change!.id, version: change!.version, action: 'approve' },
      { as: await person(app, 'checker') },
    );
    expect(await live('PATIENT', id)).toMatchObject({ channelId: channel.id, method: 'IMPORT' });
  });
});
