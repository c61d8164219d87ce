import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, hours, plusMs } from '#kernel/contract/time.ts';
import { jobContext } from '#testing/jobContext.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import * as calls from '../../contract/calls/participants.ts';
import * as tickets from '../../contract/calls/tickets.ts';
import { own } from '../database.ts';
import { deadlinesJob } from '../inquiries/jobs.ts';
import { connectRaw } from '../testing/imWorld.ts';
import { doctorUser, makeColleague, makeInquiry, refusedText, say, type Served } from '../testing/inquiryWorld.ts';
import { digitsOf, elsewhere, enter, guests, issue, patientUser, type Guest } from '../testing/participantWorld.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const exchange = (ticket: string, check?: string) =>
  app.refused(calls.exchangeTicket, { ticket, ...(check === undefined ? {} : { check }) }, elsewhere());
const rowOf = (id: string) =>
  own(app.db).selectFrom('consultationParticipantTicket').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const wrongFor = (right: string) => (right === '0000' ? '1111' : '0000');
const mineOf = (guest: Guest, served: Served) => app.ok(calls.queryMyInquiry, { groupId: served.groupId }, guest.options);
const audit = async (guest: Guest, served: Served, action: (typeof calls.myActions)[number], more: object = {}) => ({
  serverId: served.serverId,
  version: (await mineOf(guest, served)).version ?? 0,
  action,
  ...more,
});

describe('a link', () => {
  it('is locked by the fifth wrong try, opens on the fifth when that is right', async () => {
    const served = await makeInquiry(app);
    const user = patientUser(served);
    const right = await digitsOf(app, user);
    const [good, bad] = [await issue(app, served, user), await issue(app, served, user)];
    for (const left of [4, 3, 2, 1]) {
      for (const { token } of [good, bad])
        expect(await exchange(token, wrongFor(right))).toMatchObject({
          code: 'SCM10041',
          message: `手机号后四位不正确，还可尝试${left}次`,
        });
    }
    expect(await app.ok(calls.exchangeTicket, { ticket: good.token, check: right }, elsewhere())).toMatchObject({
      userID: user,
      userRole: 'PATIENT',
      groups: [{ groupId: served.groupId }],
      runtime: { mode: 'EMBEDDED' },
    });
    expect(await exchange(bad.token, wrongFor(right))).toMatchObject({ code: 'SCM10042' });
    expect(await exchange(bad.token, right)).toMatchObject({ code: 'SCM10042' });
    expect(await rowOf(bad.id)).toMatchObject({ state: 'LOCKED', wrongCount: 5, exchangeCount: 0 });
  });

  it('opens nothing without the digits, once it is old, taken back or unknown, nor too often from one address', async () => {
    const served = await makeInquiry(app);
    const user = patientUser(served);
    const check = await digitsOf(app, user);
    const [taken, old] = [await issue(app, served, user), await issue(app, served, user)];
    expect(await exchange(taken.token)).toMatchObject({ code: 'SCM90020', fields: [{ path: 'check' }] });
    expect(await exchange('nothing-of-the-kind', check)).toMatchObject({ code: 'SCM10040' });
    await app.ok(tickets.revokeParticipantTicket, { id: taken.id }, { as: served.primary.staff });
    expect(await exchange(taken.token, check)).toMatchObject({ code: 'SCM10040', message: '链接已失效，请向医助索取新链接' });
    const tries = await Promise.all(
      Array.from({ length: 11 }, () => app.send(calls.exchangeTicket, { ticket: 'nothing-of-the-kind' }, { ip: '10.9.9.9' })),
    );
    expect(tries.filter(({ envelope }) => envelope.code === 'SCM90011')).toHaveLength(1);
    const seen = () => app.ok(tickets.queryParticipantTickets, { groupId: served.groupId }, { as: served.primary.staff });
    expect(await seen()).toMatchObject([
      { id: old.id, state: 'ACTIVE' },
      { id: taken.id, state: 'REVOKED' },
    ]);
    await own(app.db).updateTable('consultationParticipantTicket').set({ expiresAt: app.clock.now() }).where('id', '=', old.id).execute();
    expect(await exchange(old.token, check)).toMatchObject({ code: 'SCM10040' });
    expect(await seen()).toMatchObject([
      { id: old.id, state: 'EXPIRED' },
      { id: taken.id, state: 'REVOKED' },
    ]);
  });

  it('is used up by twenty exchanges, and keeps who is in', async () => {
    const served = await makeInquiry(app);
    const user = patientUser(served);
    const check = await digitsOf(app, user);
    const { token, id } = await issue(app, served, user);
    let session = '';
    for (let time = 0; time < 20; time += 1)
      session = (await app.ok(calls.exchangeTicket, { ticket: token, check }, elsewhere())).participantToken;
    expect(await rowOf(id)).toMatchObject({ state: 'EXPIRED', exchangeCount: 20 });
    expect(await exchange(token, check)).toMatchObject({ code: 'SCM10040' });
    expect(await app.ok(calls.queryMyGroups, {}, { headers: { authorization: session } })).toMatchObject([{ groupId: served.groupId }]);
  });

  it('is given by members, for people of the group, with a reason', async () => {
    const [served, other] = [await makeInquiry(app), await makeInquiry(app)];
    const as = served.primary.staff;
    const wish = { imUserId: patientUser(served), groupId: served.groupId, reason: '电话约好' };
    const stranger = await makeColleague(app);
    expect(await app.refused(tickets.addParticipantTicket, wish, { as: stranger.staff })).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(tickets.addParticipantTicket, { ...wish, imUserId: patientUser(other) }, { as })).toMatchObject({
      code: 'SCM90040',
    });
    expect(await app.refused(tickets.addParticipantTicket, { ...wish, imUserId: served.primary.imUserId }, { as })).toMatchObject({
      fields: [{ path: 'imUserId' }],
    });
    expect(await app.refused(tickets.addParticipantTicket, { imUserId: wish.imUserId, reason: wish.reason }, { as })).toMatchObject({
      fields: [{ path: 'groupId' }],
    });
    expect(await app.refused(tickets.addParticipantTicket, { ...wish, reason: '' }, { as })).toMatchObject({ code: 'SCM90020' });
    const demo = await issue(app, served, wish.imUserId, { demo: true });
    expect(await app.ok(calls.queryTicket, { ticket: demo.token }, elsewhere())).toMatchObject({ checkNeeded: false });
    expect(await app.ok(calls.exchangeTicket, { ticket: demo.token }, elsewhere())).toMatchObject({ userID: wish.imUserId });
  });
});

describe('a demonstration link in production', () => {
  it('is neither given nor taken', async () => {
    const served = await makeInquiry(app);
    const demo = await issue(app, served, patientUser(served), { demo: true });
    const { mode } = app.kernel.config;
    Object.assign(app.kernel.config, { mode: 'production' });
    try {
      expect(
        await app.refused(
          tickets.addParticipantTicket,
          { imUserId: patientUser(served), groupId: served.groupId, reason: '演示', demo: true },
          { as: served.primary.staff },
        ),
      ).toMatchObject({ fields: [{ path: 'demo' }] });
      expect(await exchange(demo.token)).toMatchObject({ code: 'SCM10040' });
    } finally {
      Object.assign(app.kernel.config, { mode });
    }
  });
});

describe('who came by a link', () => {
  it('sees his own conversation alone, and nothing of the assistants’ work', async () => {
    const { served, patient, doctor } = await guests(app);
    const other = await makeInquiry(app);
    for (const call of [calls.queryMyInquiry, calls.openMyVideo] as const)
      expect(await app.refused(call, { groupId: other.groupId }, patient.options)).toMatchObject({ code: 'SCM90040' });
    expect(
      await app.refused(calls.auditMyInquiry, { serverId: other.serverId, version: 1, action: 'cancel' }, patient.options),
    ).toMatchObject({ code: 'SCM90040' });
    const seen = await mineOf(patient, served);
    expect(seen).toMatchObject({ serverStatus: '1', patient: null, allowedActions: ['cancel'] });
    expect(JSON.stringify(await app.ok(calls.queryMyGroups, {}, patient.options))).not.toMatch(/owner|tags|mobile|1\d{10}/);
    expect(await mineOf(doctor, served)).toMatchObject({
      patient: { patientId: served.sufferer.patientId, name: served.sufferer.name },
      allowedActions: ['accept', 'refuse'],
    });
  });

  it('with a link for one group reads no other group of the same doctor', async () => {
    const { served, doctor } = await guests(app);
    const second = await makeInquiry(app, { practice: served });
    expect(await doctorUser(app, second.groupId)).toBe(doctor.imUserId);
    expect(await app.refused(calls.queryMyInquiry, { groupId: second.groupId }, doctor.options)).toMatchObject({ code: 'SCM90040' });
    const wide = await enter(app, served, doctor.imUserId, { groupId: undefined });
    expect((await app.ok(calls.queryMyGroups, {}, wide.options)).map(({ groupId }) => groupId).toSorted()).toEqual(
      [served.groupId, second.groupId].toSorted(),
    );
  });

  it('is put out when the link is taken back, socket and all; staff stay logged in', async () => {
    const { served, patient } = await guests(app);
    const address = await app.listen();
    const { userSig } = await app.ok(calls.queryMySign, {}, patient.options);
    const client = await connectRaw(address, patient.imUserId, userSig, { device: 'wx' });
    const kicked = new Promise<{ reason: string }>((resolve) => void client.socket.once('kicked', resolve));
    await app.ok(tickets.revokeParticipantTicket, { id: patient.id }, { as: served.primary.staff });
    expect(await kicked).toEqual({ reason: 'userSigExpired' });
    expect(await app.refused(calls.queryMyGroups, {}, patient.options)).toMatchObject({ code: 'SCM90002' });
    await expect(connectRaw(address, patient.imUserId, userSig, { device: 'wx' })).rejects.toMatchObject({ data: { code: 70001 } });
    expect(await app.ok(tickets.queryParticipantTickets, { groupId: served.groupId }, { as: served.primary.staff })).not.toHaveLength(0);
  });

  it('is out after twelve hours', async () => {
    const { patient } = await guests(app);
    app.clock.advance(hours(12));
    expect(await app.refused(calls.queryMyGroups, {}, patient.options)).toMatchObject({ code: 'SCM90002' });
  });
});

describe('the inquiry in the hands of patient and doctor', () => {
  it('keeps each to his own actions, on the version that he saw', async () => {
    const { served, patient, doctor } = await guests(app);
    for (const action of ['accept', 'refuse', 'requestEnd', 'end'] as const)
      expect(await app.refused(calls.auditMyInquiry, await audit(patient, served, action), patient.options)).toMatchObject({
        code: 'SCM90010',
      });
    for (const action of ['continue', 'confirmEnd', 'cancel'] as const)
      expect(await app.refused(calls.auditMyInquiry, await audit(doctor, served, action), doctor.options)).toMatchObject({
        code: 'SCM90010',
      });
    expect(
      await app.refused(calls.auditMyInquiry, { ...(await audit(doctor, served, 'accept')), version: 99 }, doctor.options),
    ).toMatchObject({ code: 'SCM90030' });
    expect(await app.refused(calls.auditMyInquiry, await audit(doctor, served, 'refuse'), doctor.options)).toMatchObject({
      fields: [{ path: 'reasonCode', message: '请选择退诊原因' }],
    });
  });

  it('goes from acceptance over the request to end to its end and five stars', async () => {
    const { served, patient, doctor } = await guests(app);
    expect(await app.ok(calls.auditMyInquiry, await audit(doctor, served, 'accept'), doctor.options)).toMatchObject({ serverStatus: '2' });
    expect(await app.refused(calls.auditMyInquiry, await audit(doctor, served, 'requestEnd'), doctor.options)).toMatchObject({
      code: 'SCM10013',
    });
    await say(app, served.groupId, patient.imUserId, '咳了两周');
    await say(app, served.groupId, doctor.imUserId, '有没有发热？');
    expect(await app.refused(calls.auditMyInquiry, await audit(patient, served, 'cancel'), patient.options)).toMatchObject({
      code: 'SCM10007',
    });
    await app.ok(calls.auditMyInquiry, await audit(doctor, served, 'requestEnd'), doctor.options);
    expect((await mineOf(patient, served)).allowedActions).toEqual(['continue', 'confirmEnd']);
    expect(await app.ok(calls.auditMyInquiry, await audit(patient, served, 'continue'), patient.options)).toMatchObject({
      serverStatus: '2',
    });
    await app.ok(calls.auditMyInquiry, await audit(doctor, served, 'requestEnd'), doctor.options);
    await own(app.db).updateTable('consultationInquiry').set({ roundUsed: 3, roundLimit: 3 }).where('id', '=', served.serverId).execute();
    expect((await mineOf(patient, served)).allowedActions).toEqual(['confirmEnd']);
    expect(await app.refused(calls.auditMyInquiry, await audit(patient, served, 'continue'), patient.options)).toMatchObject({
      code: 'SCM10009',
    });
    expect(await app.refused(calls.rateInquiry, { serverId: served.serverId, stars: 5 }, patient.options)).toMatchObject({
      code: 'SCM90031',
    });
    expect(await app.ok(calls.auditMyInquiry, await audit(patient, served, 'confirmEnd'), patient.options)).toMatchObject({
      serverStatus: '4',
    });
    expect(refusedText(await say(app, served.groupId, patient.imUserId, '还有一个问题'))).toBe('问诊已结束，如需继续咨询请重新购买服务');
    expect(await app.refused(calls.rateInquiry, { serverId: served.serverId, stars: 5 }, doctor.options)).toMatchObject({
      code: 'SCM90010',
    });
    for (const stars of [0, 6, 2.5])
      expect(await app.refused(calls.rateInquiry, { serverId: served.serverId, stars }, patient.options)).toMatchObject({
        code: 'SCM90020',
      });
    const rating = { serverId: served.serverId, stars: 5, tags: ['CLEAR' as const, 'CLEAR' as const, 'KIND' as const], text: '讲得很清楚' };
    const both = await Promise.all([1, 2].map(() => app.send(calls.rateInquiry, rating, patient.options)));
    expect(both.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM90031']);
    expect(await mineOf(patient, served)).toMatchObject({ rated: true, allowedActions: ['change'] });
    const row = await own(app.db)
      .selectFrom('consultationInquiry')
      .select(['stars', 'rateTags', 'rateText'])
      .where('id', '=', served.serverId)
      .executeTakeFirst();
    expect(row).toEqual({ stars: 5, rateTags: ['CLEAR', 'KIND'], rateText: '讲得很清楚' });
  });

  it('is rated within seven days, and asked for once more', async () => {
    const { served, patient, doctor } = await guests(app);
    await app.ok(calls.auditMyInquiry, await audit(doctor, served, 'accept'), doctor.options);
    await say(app, served.groupId, doctor.imUserId, '请按时服药');
    expect(
      await app.refused(calls.addMyInquiry, { groupId: served.groupId, chiefComplaint: '咳嗽又加重了' }, patient.options),
    ).toMatchObject({ code: 'SCM10010' });
    await app.ok(calls.auditMyInquiry, await audit(doctor, served, 'end'), doctor.options);
    await own(app.db)
      .updateTable('consultationInquiry')
      .set({ endedAt: plusMs(app.clock.now(), -days(7) - 1), settleAt: app.clock.now() })
      .where('id', '=', served.serverId)
      .execute();
    expect(await app.refused(calls.rateInquiry, { serverId: served.serverId, stars: 5 }, patient.options)).toMatchObject({
      fields: [{ path: 'stars', message: '已超过7天，不能评价' }],
    });
    await deadlinesJob.run({}, jobContext(app));
    expect((await mineOf(patient, served)).allowedActions).toEqual(['again', 'change']);
    expect(await app.refused(calls.addMyInquiry, { groupId: served.groupId, chiefComplaint: '咳嗽' }, patient.options)).toMatchObject({
      code: 'SCM90020',
    });
    const made = await app.ok(calls.addMyInquiry, { groupId: served.groupId, chiefComplaint: '咳嗽又加重了' }, patient.options);
    expect(made.payUrl).toMatch(/^http/);
    expect(await app.ok(calls.addMyInquiry, { groupId: served.groupId, chiefComplaint: '咳嗽又加重了' }, patient.options)).toEqual(made);
  });
});
