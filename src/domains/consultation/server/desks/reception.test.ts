import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours, instantOf, minutes } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { payBySimulator } from '#domains/doctor/server/testing/orders.ts';
import { addDesk, disableDesk, enableDesk, modifyDesk, queryDeskList, routeToDoctor } from '../../contract/calls/desks.ts';
import { queryGroupNotes } from '../../contract/calls/notes.ts';
import { auditMyInquiry, changeMyDoctor, queryMyInquiry } from '../../contract/calls/participants.ts';
import { queryInquiryIdByGroupId } from '../../contract/calls/inquiry.ts';
import { own } from '../database.ts';
import { systemDeed } from '../deed.ts';
import { groupRowOf, makeColleague, makePractice, makeSufferer, say, type Colleague, type Sufferer } from '../testing/inquiryWorld.ts';
import { enter, guests, patientUser } from '../testing/participantWorld.ts';
import { defaultDesk } from './defaultDesk.ts';
import { openDeskGroup } from './open.ts';

let app: TestApp;
let manager: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  manager = await app.staff({ permissions: ['consultation.desk.manage', 'consultation.chat.send'] });
});
afterAll(() => app.close());

let serial = 0;
const source = () => ({ sourceType: 'CHANNEL' as const, sourceId: String(800_000 + (serial += 1)), sourceName: `渠道${serial}` });
const fields = (assistants: readonly Colleague[], more: object = {}) => ({
  deskName: `导诊台${(serial += 1)}`,
  assistantIds: assistants.map(({ assistantId }) => assistantId),
  dutyFrom: '08:30',
  dutyTo: '18:30',
  weekdays: [...defaultDesk.weekdays],
  welcomeText: '您好，请描述症状',
  offHoursText: '夜间请留言',
  ...more,
});
const code = () => `DESK_${(serial += 1)}`;
const arrive = (sufferer: Sufferer, from: ReturnType<typeof source> | null) =>
  app.kernel.transactions.run('test', (writing) =>
    openDeskGroup(systemDeed(writing, { kernel: app.kernel, now: app.clock.now(), traceId: 'test' }), {
      patientId: sufferer.patientId,
      operatorId: sufferer.operatorId,
      source: from && { type: from.sourceType, id: from.sourceId },
    }),
  );
/** A desk with one assistant, and a patient whom he serves there. */
async function received() {
  const colleague = await makeColleague(app);
  const from = source();
  const desk = await app.ok(addDesk, { deskCode: code(), ...fields([colleague], { sources: [from] }) }, { as: manager });
  const sufferer = await makeSufferer(app);
  const group = await arrive(sufferer, from);
  await app.runDue();
  return { colleague, from, desk, sufferer, groupId: group!.groupId };
}
const textsIn = async (groupId: string) => {
  const { convId } = await groupRowOf(app, groupId);
  const rows = await own(app.db)
    .selectFrom('consultationImMessage')
    .select(['payload', 'type'])
    .where('convId', '=', convId)
    .orderBy('seq')
    .execute();
  return rows.map(({ payload }) => {
    const { text, description } = payload as { text?: string; description?: string };
    return text ?? description ?? '';
  });
};
const routed = (groupId: string, openingId: string, as: TestStaff) =>
  ({
    call: routeToDoctor,
    input: { groupId, openingId, chiefComplaint: '咳嗽两周，有痰' },
    options: { as, idempotencyKey: `route-to-doctor-${(serial += 1)}` },
  }) as const;

describe('a desk', () => {
  it('keeps at least one assistant, and no source of another live desk', async () => {
    const colleague = await makeColleague(app);
    const from = source();
    expect(await app.refused(addDesk, { deskCode: code(), ...fields([]) }, { as: manager })).toMatchObject({
      code: 'SCM10081',
      message: '导诊台至少保留一名医助',
    });
    expect((await app.refused(addDesk, { deskCode: code(), ...fields([colleague], { dutyTo: '08:00' }) }, { as: manager })).fields).toEqual(
      [{ path: 'dutyTo', message: '结束时间须晚于开始时间' }],
    );
    const first = fields([colleague], { sources: [from] });
    const made = await app.ok(addDesk, { deskCode: code(), ...first }, { as: manager });
    expect(await app.refused(addDesk, { deskCode: code(), ...fields([colleague], { sources: [from] }) }, { as: manager })).toMatchObject({
      code: 'SCM10080',
      message: `该来源已属于导诊台“${first.deskName}”`,
    });
    expect(
      (await app.refused(addDesk, { deskCode: code(), ...fields([colleague], { deskName: first.deskName }) }, { as: manager })).fields,
    ).toEqual([{ path: 'deskName', message: '导诊台名称已存在' }]);
    expect(await app.refused(modifyDesk, { id: made.id, version: made.version, ...fields([]) }, { as: manager })).toMatchObject({
      code: 'SCM10081',
    });
    // Two at the same moment: one of them.
    const wanted = source();
    const answers = await Promise.all(
      [1, 2].map(() => app.send(addDesk, { deskCode: code(), ...fields([colleague], { sources: [wanted] }) }, { as: manager })),
    );
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM10080']);
    // A source of a desk that is off is free, and the desk cannot come back with it.
    const off = await app.ok(disableDesk, { id: made.id, version: made.version }, { as: manager });
    await app.ok(addDesk, { deskCode: code(), ...fields([colleague], { sources: [from] }) }, { as: manager });
    expect(await app.refused(enableDesk, { id: made.id, version: off.version }, { as: manager })).toMatchObject({ code: 'SCM10080' });
    expect(await app.refused(disableDesk, { id: made.id, version: made.version }, { as: manager })).toMatchObject({ code: 'SCM90030' });
  });

  it('of its source receives a patient, once and with its words; the default one stays and receives all others', async () => {
    const standby = (await app.ok(queryDeskList, {}, { as: manager })).find(({ deskCode }) => deskCode === 'DEFAULT')!;
    expect(await app.refused(disableDesk, { id: standby.id, version: standby.version }, { as: manager })).toMatchObject({
      code: 'SCM90031',
    });
    const { sufferer, from, desk, groupId, colleague } = await received();
    expect(groupId).toMatch(/^DZT\d{8,18}$/);
    expect(await groupRowOf(app, groupId)).toMatchObject({
      deskId: desk.id,
      doctorId: null,
      workState: 'SERVING',
      ownerAssistantId: colleague.assistantId,
      sendPolicy: 'ALWAYS',
    });
    expect(await app.ok(queryInquiryIdByGroupId, { groupId }, { as: colleague.staff })).toEqual({
      inquiryId: null,
      inquiryUserId: sufferer.patientId,
    });
    expect((await arrive(sufferer, from))?.groupId).toBe(groupId);
    await app.runDue();
    expect((await textsIn(groupId)).filter((text) => text === '您好，请描述症状')).toHaveLength(1);
    expect(await arrive(await makeSufferer(app), source())).toMatchObject({ deskId: standby.id });
    expect(await arrive(await makeSufferer(app), null)).toMatchObject({ deskId: standby.id });
  });

  it('says outside its hours that nobody is there, once in twelve hours', async () => {
    const { groupId, sufferer } = await received();
    const day = app.clock.now();
    app.clock.set(instantOf(Date.parse('2026-11-21T15:00:00.000Z')));
    for (const text of ['有人吗', '在吗']) await say(app, groupId, `P${sufferer.operatorId}`, text);
    expect((await textsIn(groupId)).filter((text) => text === '夜间请留言')).toHaveLength(1);
    app.clock.set(instantOf(Date.parse('2026-11-22T15:00:00.000Z')));
    await say(app, groupId, `P${sufferer.operatorId}`, '又是晚上');
    expect((await textsIn(groupId)).filter((text) => text === '夜间请留言')).toHaveLength(2);
    app.clock.set(day);
  });
});

describe('routing to a doctor', () => {
  it('is the owner’s; with a fee by a card, and after the payment the desk has done its part', async () => {
    const { groupId, colleague, sufferer } = await received();
    const practice = await makePractice(app);
    const stranger = await makeColleague(app);
    const { call, input, options } = routed(groupId, practice.openingId, colleague.staff);
    expect(await app.refused(call, input, { ...options, as: stranger.staff })).toMatchObject({ code: 'SCM90040' });
    const made = await app.ok(call, input, options);
    expect(made).toMatchObject({ groupId: null, payUrl: expect.stringContaining('http') });
    await app.runDue();
    expect((await textsIn(groupId)).at(-1)).toMatch(/^\[医生名片\]/);
    expect(await groupRowOf(app, groupId)).toMatchObject({ workState: 'SERVING', routedGroupId: null });
    // Once more answers the same unpaid inquiry.
    const again = routed(groupId, practice.openingId, colleague.staff);
    expect((await app.ok(again.call, again.input, again.options)).serverId).toBe(made.serverId);
    await payBySimulator(app, made.payUrl ?? '');
    await app.runDue();
    const { groupId: doctorGroup } = await own(app.db)
      .selectFrom('consultationInquiry')
      .select('groupId')
      .where('id', '=', made.serverId)
      .executeTakeFirstOrThrow();
    expect(doctorGroup).toMatch(/^YH/);
    expect(await groupRowOf(app, doctorGroup ?? '')).toMatchObject({
      doctorId: practice.doctorId,
      suffererOperatorId: sufferer.operatorId,
    });
    expect(await groupRowOf(app, groupId)).toMatchObject({ workState: 'DONE', routedGroupId: doctorGroup, ownerAssistantId: null });
    expect((await textsIn(groupId)).at(-1)).toMatch(/^已为您转接.+医生$/);
    const live = routed(groupId, practice.openingId, (await makeColleague(app, { lead: true })).staff);
    expect(await app.refused(live.call, live.input, live.options)).toMatchObject({ code: 'SCM10010' });
  });

  it('free of charge opens the doctor’s group at once; of a stopped doctor it is refused', async () => {
    const { groupId, colleague } = await received();
    const free = await makePractice(app);
    await sql`update doctor_service_opening set price_fen = 0 where id = ${free.openingId}`.execute(app.db);
    const stopped = await makePractice(app);
    await sql`
      update doctor_doctor
        set accept_state = 'OFF', off_from = '2026-11-21', off_until = '2026-12-21'
        where id = ${stopped.doctorId}`.execute(app.db);
    const off = routed(groupId, stopped.openingId, colleague.staff);
    expect(await app.refused(off.call, off.input, off.options)).toMatchObject({ code: 'SCM07077' });
    const { call, input, options } = routed(groupId, free.openingId, colleague.staff);
    const made = await app.ok(call, input, options);
    expect(made).toMatchObject({ groupId: expect.stringMatching(/^YH/), payUrl: null });
    await app.runDue();
    expect(await groupRowOf(app, groupId)).toMatchObject({ workState: 'DONE', routedGroupId: made.groupId });
    // Card and line are said at the same moment: either may come first.
    expect((await textsIn(groupId)).slice(-2)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^已为您转接.+医生$/), expect.stringMatching(/^\[医生名片\]/)]),
    );
  });

  it('that is unpaid after half an hour reminds who serves him, once', async () => {
    const { groupId, colleague } = await received();
    const practice = await makePractice(app);
    for (let time = 0; time < 2; time += 1) {
      const { call, input, options } = routed(groupId, practice.openingId, colleague.staff);
      await app.ok(call, input, options);
    }
    const notes = async () =>
      (await app.ok(queryGroupNotes, { groupId }, { as: colleague.staff })).map(({ content, mentions }) => [
        content,
        mentions.map(({ assistantId }) => assistantId),
      ]);
    await app.advance(minutes(29));
    expect(await notes()).toEqual([]);
    await app.advance(minutes(2));
    expect(await notes()).toEqual([[expect.stringMatching(/超过30分钟，患者尚未支付/), [colleague.assistantId]]]);
    await app.advance(hours(1));
    expect(await notes()).toHaveLength(1);
    // Who paid in time is nobody's worry.
    const second = await received();
    const { call, input, options } = routed(second.groupId, practice.openingId, second.colleague.staff);
    const { payUrl } = await app.ok(call, input, options);
    await payBySimulator(app, payUrl ?? '');
    await app.advance(minutes(31));
    expect(
      (await app.ok(queryGroupNotes, { groupId: second.groupId }, { as: (await makeColleague(app, { lead: true })).staff })).length,
    ).toBe(0);
  });
});

it('换医生: whose inquiry is over is led to the desk, by a link of his own', async () => {
  const { served, patient, doctor } = await guests(app);
  const { groupId, serverId } = served;
  expect(await app.refused(changeMyDoctor, { groupId }, patient.options)).toMatchObject({ code: 'SCM90031' });
  expect(await app.refused(changeMyDoctor, { groupId }, doctor.options)).toMatchObject({ code: 'SCM90040' });
  const { version } = await app.ok(queryMyInquiry, { groupId }, patient.options);
  await app.ok(auditMyInquiry, { serverId, version: version ?? 0, action: 'cancel' }, patient.options);
  expect((await app.ok(queryMyInquiry, { groupId }, patient.options)).allowedActions).toContain('change');
  const moved = await app.ok(changeMyDoctor, { groupId }, patient.options);
  expect(moved).toMatchObject({ groupId: expect.stringMatching(/^DZT/), url: expect.stringMatching(/\/wx\/consult\?ticket=/) });
  expect(await groupRowOf(app, moved.groupId)).toMatchObject({ suffererOperatorId: served.sufferer.operatorId });
  const lead = await makeColleague(app, { lead: true });
  const guest = await enter(app, { ...served, groupId: moved.groupId, primary: lead }, patientUser(served));
  expect(await app.refused(queryMyInquiry, { groupId }, guest.options)).toMatchObject({ code: 'SCM90040' });
  expect(await app.ok(queryMyInquiry, { groupId: moved.groupId }, guest.options)).toMatchObject({ serverId: null });
});
