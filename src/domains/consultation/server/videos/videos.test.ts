import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobContext } from '#testing/jobContext.ts';
import { startTestApp, type SendOptions, type TestApp } from '#testing/testApp.ts';
import * as participantCalls from '../../contract/calls/participants.ts';
import * as calls from '../../contract/calls/videos.ts';
import { own } from '../database.ts';
import { systemDeed } from '../deed.ts';
import { connectRaw } from '../testing/imWorld.ts';
import { makeColleague, makeInquiry, type Served } from '../testing/inquiryWorld.ts';
import { guests, type Guest } from '../testing/participantWorld.ts';
import { watchRoomsJob } from './jobs.ts';
import { endRooms } from './leave.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const SECOND = 1_000;
const inviteData = (roomId: string) => JSON.stringify({ businessID: 'video_call', roomId: Number(roomId) });
const watch = () => watchRoomsJob.run({}, jobContext(app));
const roomRow = (roomId: string) =>
  own(app.db).selectFrom('consultationVideoRoom').selectAll().where('roomId', '=', roomId).executeTakeFirstOrThrow();
const lastLine = async (served: Served) => {
  await app.runDue();
  const { convId } = await own(app.db)
    .selectFrom('consultationMedicalGroup')
    .select('convId')
    .where('groupId', '=', served.groupId)
    .executeTakeFirstOrThrow();
  const { payload } = await own(app.db)
    .selectFrom('consultationImMessage')
    .select('payload')
    .where('convId', '=', convId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return (payload as { text?: string }).text;
};
const cardOf = async (roomId: string) => {
  const { payload } = await own(app.db)
    .selectFrom('consultationImMessage')
    .select('payload')
    .where('clientMsgId', '=', `video:${roomId}`)
    .executeTakeFirstOrThrow();
  return JSON.parse((payload as { data: string }).data) as unknown;
};
const staffOf = (served: Served): SendOptions => ({ as: served.primary.staff });
const open = (served: Served) => app.ok(calls.openVideoRoom, { groupId: served.groupId }, staffOf(served));
const join = (guest: Guest, roomId: string) => app.ok(participantCalls.joinMyVideo, { roomId }, guest.options);
/** A quarter of an hour of video was sold. */
const limited = (served: Served, videoSecUsed = 0) =>
  own(app.db).updateTable('consultationInquiry').set({ videoSecLimit: 900, videoSecUsed }).where('id', '=', served.serverId).execute();
const beats = async (seconds: number, roomId: string, people: { staff?: SendOptions; guests?: readonly Guest[] }) => {
  for (let passed = 0; passed < seconds; passed += 30) {
    app.clock.advance(Math.min(30, seconds - passed) * SECOND);
    if (people.staff) await app.ok(calls.beatVideoRoom, { roomId }, people.staff);
    for (const guest of people.guests ?? []) await app.ok(participantCalls.beatMyVideo, { roomId, rttMs: 80, lostBp: 10 }, guest.options);
    await watch();
  }
};

describe('a video room', () => {
  it('is for members of the group, in a living service; patients do not open it', async () => {
    const { served, patient } = await guests(app);
    const stranger = await makeColleague(app);
    expect(await app.refused(calls.openVideoRoom, { groupId: served.groupId }, { as: stranger.staff })).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(participantCalls.openMyVideo, { groupId: served.groupId }, patient.options)).toMatchObject({
      code: 'SCM90010',
    });
    const { roomId } = await open(served);
    for (const call of [calls.joinVideoRoom, calls.beatVideoRoom, calls.endVideoRoom] as const)
      expect(await app.refused(call, { roomId }, { as: stranger.staff })).toMatchObject({ code: 'SCM90040' });
    const other = await guests(app);
    expect(await app.refused(participantCalls.joinMyVideo, { roomId }, other.patient.options)).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(calls.joinVideoRoom, { roomId: '9999999999' }, staffOf(served))).toMatchObject({ code: 'SCM90040' });
    await app.ok(calls.endVideoRoom, { roomId }, staffOf(served));
    await app.kernel.transactions.run('test', async (writing) => {
      await own(writing.tx)
        .updateTable('consultationMedicalGroup')
        .set({ currentInquiryId: null })
        .where('groupId', '=', served.groupId)
        .execute();
    });
    expect(await app.refused(calls.openVideoRoom, { groupId: served.groupId }, staffOf(served))).toMatchObject({ code: 'SCM90031' });
  });

  it('is one for a conversation, also when two call at the same moment, with a number up to 2^32 - 1', async () => {
    const { served, doctor } = await guests(app);
    const [staff, guest] = await Promise.all([
      app.send(calls.openVideoRoom, { groupId: served.groupId }, staffOf(served)),
      app.send(participantCalls.openMyVideo, { groupId: served.groupId }, doctor.options),
    ]);
    const [won, lost] = staff.envelope.code === '0000000' ? [staff, guest] : [guest, staff];
    const room = won.envelope.data as { roomId: string };
    expect(won.envelope.code).toBe('0000000');
    expect(Number(room.roomId)).toBeGreaterThanOrEqual(1);
    expect(Number(room.roomId)).toBeLessThanOrEqual(4_294_967_295);
    expect(lost.envelope).toMatchObject({ code: 'SCM10030', message: '该会话正在视频通话中，可直接加入', data: { roomId: room.roomId } });
  });

  it('is answered by the second person, and its length is what they had together: 450 s, 300 s with doctor and patient', async () => {
    const { served, patient, doctor } = await guests(app);
    await limited(served);
    const { roomId, videoSecLeft, state } = await app.ok(participantCalls.openMyVideo, { groupId: served.groupId }, doctor.options);
    expect({ state, videoSecLeft }).toEqual({ state: 'CALLING', videoSecLeft: 900 });
    expect(await app.ok(participantCalls.endMyVideo, { roomId }, patient.options)).toMatchObject({ state: 'CALLING' });
    expect(await join(patient, roomId)).toMatchObject({
      state: 'IN_CALL',
      participants: [{ userID: doctor.imUserId }, { userID: patient.imUserId }],
    });
    await beats(210, roomId, { guests: [patient, doctor] });
    await app.ok(calls.joinVideoRoom, { roomId }, staffOf(served));
    await beats(90, roomId, { staff: staffOf(served), guests: [patient, doctor] });
    expect(await app.ok(participantCalls.endMyVideo, { roomId }, doctor.options)).toMatchObject({ state: 'IN_CALL' });
    await beats(150, roomId, { staff: staffOf(served), guests: [patient] });
    expect(await app.ok(calls.endVideoRoom, { roomId }, staffOf(served))).toEqual({ state: 'ENDED', talkSec: 450 });
    expect(await roomRow(roomId)).toMatchObject({ state: 'ENDED', talkSec: 450, doctorPatientSec: 300, endReason: 'HANG_UP' });
    expect(
      await own(app.db).selectFrom('consultationInquiry').select('videoSecUsed').where('id', '=', served.serverId).executeTakeFirst(),
    ).toEqual({ videoSecUsed: 300 });
    expect(await lastLine(served)).toBe('视频通话 07:30');
    expect(await cardOf(roomId)).toMatchObject({ businessID: 'video_call', action: 'end', talkSec: 450 });
    expect(await app.refused(participantCalls.joinMyVideo, { roomId }, patient.options)).toMatchObject({ code: 'SCM10032' });
    expect(await app.ok(calls.endVideoRoom, { roomId }, staffOf(served))).toEqual({ state: 'ENDED', talkSec: 450 });
    expect(await open(served)).toMatchObject({ videoSecLeft: 600 });
  });

  it('is not opened once the time is used up', async () => {
    const { served } = await guests(app);
    await limited(served, 900);
    expect(await app.refused(calls.openVideoRoom, { groupId: served.groupId }, staffOf(served))).toMatchObject({
      code: 'SCM10034',
      message: '本次问诊视频时长已用完',
    });
  });

  it('takes four people', async () => {
    const { served, patient, doctor } = await guests(app);
    const { roomId } = await open(served);
    await join(patient, roomId);
    const now = app.clock.now();
    for (const imUserId of ['A900000001', 'A900000002'])
      await own(app.db).insertInto('consultationVideoParticipant').values({ roomId, imUserId, joinedAt: now, lastSeenAt: now }).execute();
    expect(await app.refused(participantCalls.joinMyVideo, { roomId }, doctor.options)).toMatchObject({
      code: 'SCM10031',
      message: '通话人数已满（4人）',
    });
    expect(await join(patient, roomId)).toMatchObject({ state: 'IN_CALL' });
  });
});

describe('the watch over calls', () => {
  it('calls one missed that nobody took for a minute', async () => {
    const served = await makeInquiry(app);
    const { roomId } = await open(served);
    await beats(59, roomId, { staff: staffOf(served) });
    expect(await roomRow(roomId)).toMatchObject({ state: 'CALLING' });
    await beats(1, roomId, { staff: staffOf(served) });
    expect(await roomRow(roomId)).toMatchObject({ state: 'MISSED', talkSec: 0 });
    expect(await lastLine(served)).toBe('视频通话未接听');
  });

  it('takes out who was not heard of for 45 seconds, and ends what one alone is left in for a minute', async () => {
    const { served, patient, doctor } = await guests(app);
    const { roomId } = await app.ok(participantCalls.openMyVideo, { groupId: served.groupId }, doctor.options);
    await join(patient, roomId);
    await beats(90, roomId, { guests: [doctor, patient] });
    await beats(90, roomId, { guests: [doctor] });
    expect(await roomRow(roomId)).toMatchObject({ state: 'FAILED', talkSec: 90, doctorPatientSec: 90 });
    expect(await lastLine(served)).toBe('视频通话异常中断');
  });

  it('lets who lost the line come back within the minute, and counts the gap for nobody', async () => {
    const { served, patient, doctor } = await guests(app);
    const { roomId } = await app.ok(participantCalls.openMyVideo, { groupId: served.groupId }, doctor.options);
    await join(patient, roomId);
    await beats(60, roomId, { guests: [doctor, patient] });
    await beats(50, roomId, { guests: [doctor] });
    expect(await roomRow(roomId)).toMatchObject({ state: 'IN_CALL' });
    await join(patient, roomId);
    await beats(30, roomId, { guests: [doctor, patient] });
    await app.ok(participantCalls.endMyVideo, { roomId }, doctor.options);
    expect(await roomRow(roomId)).toMatchObject({ state: 'ENDED', talkSec: 90, doctorPatientSec: 90 });
  });

  it('knows a refused call from one that the caller gave up', async () => {
    const { served, patient, doctor } = await guests(app);
    const address = await app.listen();
    const sign = async (guest: Guest) => (await app.ok(participantCalls.queryMySign, {}, guest.options)).userSig;
    const caller = await connectRaw(address, doctor.imUserId, await sign(doctor), { device: 'wx' });
    const callee = await connectRaw(address, patient.imUserId, await sign(patient), { device: 'wx' });
    const call = async () => (await app.ok(participantCalls.openMyVideo, { groupId: served.groupId }, doctor.options)).roomId;
    const first = await call();
    const { data } = await caller.ask('invite', {
      groupID: served.groupId,
      inviteeList: [patient.imUserId],
      data: inviteData(first),
      timeout: 60,
    });
    expect(await callee.ask('reject', { inviteID: data.inviteID })).toMatchObject({ code: 0 });
    expect(await app.ok(participantCalls.endMyVideo, { roomId: first }, doctor.options)).toMatchObject({ state: 'REJECTED' });
    const second = await call();
    expect(await app.ok(participantCalls.endMyVideo, { roomId: second }, doctor.options)).toMatchObject({ state: 'CANCELLED' });
    // Signals pass only between people who stand in the same room.
    const third = await call();
    const signal = { roomId: Number(third), kind: 'offer', data: { sdp: 'x' } };
    expect(await callee.ask('rtc', { ...signal, to: doctor.imUserId })).toMatchObject({ code: 10_007 });
    await join(patient, third);
    const heard = new Promise((resolve) => void caller.socket.on('live', (live: { type: string }) => live.type === 'rtc' && resolve(live)));
    expect(await callee.ask('rtc', { ...signal, to: doctor.imUserId })).toMatchObject({ code: 0 });
    expect(await heard).toMatchObject({ type: 'rtc', from: patient.imUserId, kind: 'offer', data: { sdp: 'x' } });
    caller.socket.disconnect();
    callee.socket.disconnect();
  });

  it('lets a call end with its inquiry', async () => {
    const { served, patient, doctor } = await guests(app);
    const { roomId } = await app.ok(participantCalls.openMyVideo, { groupId: served.groupId }, doctor.options);
    await join(patient, roomId);
    await beats(60, roomId, { guests: [doctor, patient] });
    await app.kernel.transactions.run('test', (writing) =>
      endRooms(systemDeed(writing, { kernel: app.kernel, now: app.clock.now(), traceId: 'test' }), served.groupId, 'INQUIRY_ENDED'),
    );
    expect(await app.ok(participantCalls.beatMyVideo, { roomId }, patient.options)).toEqual({ state: 'ENDED', videoSecLeft: null });
    expect(await app.ok(calls.queryVideoList, { groupId: served.groupId, pageNo: 1, pageSize: 10 }, staffOf(served))).toMatchObject({
      total: 1,
      rows: [{ roomId, state: 'ENDED', talkSec: 60 }],
    });
  });
});
