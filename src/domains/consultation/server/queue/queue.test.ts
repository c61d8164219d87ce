import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, hours, instantOf, minutes, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addGroupAssistant,
  delGroupMember,
  markGroupUnread,
  modifyGroupPriority,
  modifyGroupTags,
  modifySendPolicy,
  muteMember,
  queryGroupIdsByDoctorInfo,
  queryImMedicalGroupPage,
} from '../../contract/calls/groups.ts';
import {
  doneGroup,
  modifyDutyState,
  queryDutyBoard,
  queryQueue,
  releaseGroup,
  snoozeGroup,
  takeGroup,
  takeNextGroup,
  takeoverGroup,
  transferGroup,
} from '../../contract/calls/queue.ts';
import { auditInquiry } from '../../contract/calls/inquiry.ts';
import { queryGetUserSign } from '../../contract/calls/runtime.ts';
import { own } from '../database.ts';
import { systemDeed } from '../deed.ts';
import {
  detailOf,
  doctorUser,
  groupRowOf,
  makeColleague,
  makeInquiry,
  makePractice,
  say,
  type Colleague,
  type Served,
} from '../testing/inquiryWorld.ts';
import { findBroken } from '../nightly/module.ts';
import { attend } from './attend.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  expect(await findBroken({ kernel: app.kernel, db: app.db, now: app.clock.now() })).toEqual([]);
  await app.close();
});

const versionOf = async (groupId: string) => (await groupRowOf(app, groupId)).version;
/** A doctor's group back in the queue; the primary assistant passes for ten minutes. */
async function queued(practice?: Parameters<typeof makeInquiry>[1]): Promise<Served> {
  const served = await makeInquiry(app, practice);
  await app.ok(
    releaseGroup,
    { groupId: served.groupId, version: await versionOf(served.groupId), reason: '暂时离开' },
    { as: served.primary.staff },
  );
  return served;
}
const off = (colleague: Colleague) => app.ok(modifyDutyState, { state: 'OFF' }, { as: colleague.staff });

describe('a user without an assistant', () => {
  it('gets no sign', async () => {
    const nobody = await app.staff({ role: 'ASSISTANT' });
    expect(await app.refused(queryGetUserSign, {}, { as: nobody })).toMatchObject({ code: 'SCM10001' });
    const colleague = await makeColleague(app);
    const sign = await app.ok(queryGetUserSign, {}, { as: colleague.staff });
    expect(Object.keys(sign).toSorted()).toEqual(['sdkAppID', 'userID', 'userSig']);
    expect(sign.userID).toBe(colleague.imUserId);
  });
});

describe('taking', () => {
  it('is for one of the pool who is on and has a place; two at once get one winner', async () => {
    const practice = await makePractice(app);
    const served = await queued({ practice });
    const other = await makeColleague(app);
    // The doctor's own assistants are on, so the group is theirs.
    expect(await app.refused(takeGroup, { groupId: served.groupId }, { as: other.staff })).toMatchObject({ code: 'SCM90040' });
    await off(practice.primary);
    const [one, two] = [await makeColleague(app), await makeColleague(app)];
    const away = await makeColleague(app, { on: false });
    expect(await app.refused(takeGroup, { groupId: served.groupId }, { as: away.staff })).toMatchObject({ code: 'SCM10029' });
    const full = await makeColleague(app, { max: 1 });
    const busy = await makeInquiry(app, { practice: await makePractice(app, {}, full) });
    expect((await groupRowOf(app, busy.groupId)).ownerAssistantId).toBe(full.assistantId);
    expect(await app.refused(takeGroup, { groupId: served.groupId }, { as: full.staff })).toMatchObject({ code: 'SCM10022' });
    const answers = await Promise.all([one, two].map(({ staff }) => app.send(takeGroup, { groupId: served.groupId }, { as: staff })));
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM10021']);
    const winner = answers[0]!.envelope.code === '0000000' ? one : two;
    expect(await groupRowOf(app, served.groupId)).toMatchObject({ workState: 'SERVING', ownerAssistantId: winner.assistantId });
  });

  it('the next one gives two takers two groups, urgent ones first', async () => {
    const primary = await makeColleague(app);
    const practice = await makePractice(app, {}, primary);
    const [first, second] = [await queued({ practice }), await queued({ practice })];
    const lead = await makeColleague(app, { lead: true });
    await app.ok(
      modifyGroupPriority,
      { groupId: second.groupId, version: await versionOf(second.groupId), priority: 2 },
      { as: lead.staff },
    );
    await off(primary);
    const takers = [await makeColleague(app), await makeColleague(app)];
    const mine = await app.ok(queryQueue, {}, { as: takers[0]!.staff });
    expect(mine.rows.map(({ groupId }) => groupId).indexOf(second.groupId)).toBeLessThan(
      mine.rows.map(({ groupId }) => groupId).indexOf(first.groupId),
    );
    const answers = await Promise.all(takers.map(({ staff }) => app.ok(takeNextGroup, {}, { as: staff })));
    expect(new Set(answers.map(({ groupId }) => groupId)).size).toBe(2);
    expect(answers.map(({ groupId }) => groupId)).toContain(second.groupId);
  });

  it('the next one of an empty queue says so', async () => {
    // Whoever waits for a doctor whose own assistants are on is nobody else's.
    const colleague = await makeColleague(app);
    const { rows } = await app.ok(queryQueue, {}, { as: colleague.staff });
    for (let left = rows.filter(({ workState }) => workState === 'QUEUED').length; left > 0; left -= 1)
      await app.ok(takeNextGroup, {}, { as: colleague.staff });
    expect(await app.refused(takeNextGroup, {}, { as: colleague.staff })).toMatchObject({ code: 'SCM10020' });
  });
});

describe('the owner', () => {
  it('hands on with a reason, never to somebody who is away or full; a supervisor may force and take over', async () => {
    const served = await makeInquiry(app);
    const as = served.primary.staff;
    const away = await makeColleague(app, { on: false });
    const input = async (toAssistantId: string, more: object = {}) => ({
      groupId: served.groupId,
      version: await versionOf(served.groupId),
      toAssistantId,
      reason: '专科问题',
      ...more,
    });
    expect(await app.refused(transferGroup, await input(away.assistantId), { as })).toMatchObject({ code: 'SCM10023' });
    const full = await makeColleague(app, { max: 1 });
    await makeInquiry(app, { practice: await makePractice(app, {}, full) });
    expect(await app.refused(transferGroup, await input(full.assistantId, { force: true }), { as })).toMatchObject({ code: 'SCM10022' });
    const colleague = await makeColleague(app);
    expect(await app.refused(transferGroup, await input(colleague.assistantId), { as: colleague.staff })).toMatchObject({
      code: 'SCM90040',
    });
    await app.ok(transferGroup, await input(colleague.assistantId, { keepAsHelper: true }), { as });
    const lead = await makeColleague(app, { lead: true });
    await app.ok(transferGroup, await input(full.assistantId, { force: true }), { as: lead.staff });
    expect((await groupRowOf(app, served.groupId)).ownerAssistantId).toBe(full.assistantId);
    expect(
      await app.refused(takeoverGroup, { groupId: served.groupId, version: await versionOf(served.groupId), reason: '接管处理' }, { as }),
    ).toMatchObject({ code: 'SCM90010' });
    await app.ok(
      takeoverGroup,
      { groupId: served.groupId, version: await versionOf(served.groupId), reason: '接管处理' },
      { as: lead.staff },
    );
    expect((await groupRowOf(app, served.groupId)).ownerAssistantId).toBe(lead.assistantId);
    const notes = await own(app.db).selectFrom('consultationGroupNote').select('content').where('groupId', '=', served.groupId).execute();
    expect(notes.length).toBe(3);
  });

  it('snoozes for thirty days at most and is woken; a stale version is refused', async () => {
    const served = await makeInquiry(app);
    const as = served.primary.staff;
    const version = await versionOf(served.groupId);
    expect(
      await app.refused(snoozeGroup, { groupId: served.groupId, version, until: plusMs(app.clock.now(), days(31)) }, { as }),
    ).toMatchObject({ code: 'SCM10025' });
    await app.ok(snoozeGroup, { groupId: served.groupId, version, until: plusMs(app.clock.now(), hours(1)) }, { as });
    expect(
      await app.refused(snoozeGroup, { groupId: served.groupId, version, until: plusMs(app.clock.now(), hours(1)) }, { as }),
    ).toMatchObject({ code: 'SCM90030' });
    await say(app, served.groupId, `P${served.sufferer.operatorId}`, '还在吗');
    expect(await groupRowOf(app, served.groupId)).toMatchObject({
      workState: 'SERVING',
      ownerAssistantId: served.primary.assistantId,
      snoozeUntil: null,
    });
  });

  it('says why when he is done while somebody waits; a new message brings it back to him', async () => {
    const served = await makeInquiry(app);
    const as = served.primary.staff;
    const done = async (more: object = {}) => ({ groupId: served.groupId, version: await versionOf(served.groupId), ...more });
    await say(app, served.groupId, `P${served.sufferer.operatorId}`, '第一个问题');
    await say(app, served.groupId, `P${served.sufferer.operatorId}`, '第二个问题');
    expect(await app.refused(doneGroup, await done(), { as })).toMatchObject({ code: 'SCM10024', message: expect.stringContaining('2条') });
    await app.ok(doneGroup, await done({ reason: '已电话联系' }), { as });
    expect(await groupRowOf(app, served.groupId)).toMatchObject({
      workState: 'DONE',
      ownerAssistantId: null,
      lastAssistantId: served.primary.assistantId,
    });
    await say(app, served.groupId, `P${served.sufferer.operatorId}`, '第三个问题');
    expect(await groupRowOf(app, served.groupId)).toMatchObject({
      workState: 'SERVING',
      ownerAssistantId: served.primary.assistantId,
      unanswered: 1,
    });
  });
});

describe('waiting', () => {
  it('begins with the first unanswered message, runs in duty time, and is ended by people alone', async () => {
    const served = await makeInquiry(app);
    await say(app, served.groupId, `P${served.sufferer.operatorId}`, '您好');
    const { waitingSince, slaDueAt } = await groupRowOf(app, served.groupId);
    expect(waitingSince).toBe(app.clock.now());
    expect(Date.parse(slaDueAt ?? '') - Date.parse(app.clock.now())).toBe(minutes(3));
    app.clock.advance(minutes(1));
    await say(app, served.groupId, `P${served.sufferer.operatorId}`, '在吗');
    expect(await groupRowOf(app, served.groupId)).toMatchObject({ waitingSince, slaDueAt, unanswered: 2 });
    await say(app, served.groupId, await doctorUser(app, served.groupId), '在的');
    expect(await groupRowOf(app, served.groupId)).toMatchObject({ waitingSince: null, slaDueAt: null, unanswered: 0 });
    const board = await own(app.db)
      .selectFrom('consultationGroupBoard')
      .select(['action', 'overSla'])
      .where('groupId', '=', served.groupId)
      .where('action', '=', 'FIRST_REPLY')
      .execute();
    expect(board.length).toBe(1);
  });

  it('outside duty time the patient is told so once', async () => {
    const served = await makeInquiry(app);
    const before = app.clock.now();
    app.clock.set(instantOf(Date.parse('2026-11-21T15:00:00.000Z')));
    const tips = () =>
      own(app.db)
        .selectFrom('consultationImMessage')
        .select('seq')
        .where('convId', '=', group.convId)
        .where('clientMsgId', 'like', 'offHours:%')
        .execute();
    const group = await groupRowOf(app, served.groupId);
    for (const text of ['晚上好', '有人吗']) await say(app, served.groupId, `P${served.sufferer.operatorId}`, text);
    expect((await tips()).length).toBe(1);
    app.clock.set(before);
  });
});

describe('an owner without a connection', () => {
  it('is away after three minutes: who waits for him goes to others, once, and no dialog is outdated by it', async () => {
    const primary = await makeColleague(app, { leaves: true });
    const served = await makeInquiry(app, { practice: await makePractice(app, {}, primary) });
    await say(app, served.groupId, `P${served.sufferer.operatorId}`, '您好');
    const { version } = await groupRowOf(app, served.groupId);
    const lead = await makeColleague(app, { lead: true });
    app.clock.advance(minutes(4));
    for (let time = 0; time < 3; time += 1) await app.runDue();
    // None of the doctor's own is on, so it goes to whoever is.
    const after = await groupRowOf(app, served.groupId);
    expect(after).toMatchObject({ workState: 'SERVING', ownerAssistantId: expect.any(String), version });
    expect(after.ownerAssistantId).not.toBe(primary.assistantId);
    expect(
      (await app.ok(queryDutyBoard, {}, { as: lead.staff })).find(({ assistantId }) => assistantId === primary.assistantId),
    ).toMatchObject({ state: 'AWAY' });
    const gone = await own(app.db)
      .selectFrom('consultationGroupBoard')
      .select('id')
      .where('groupId', '=', served.groupId)
      .where('action', '=', 'OWNER_GONE')
      .execute();
    expect(gone).toHaveLength(1);
  });
});

describe('the version of a group', () => {
  it('counts what operators decide, and neither messages nor what they cause', async () => {
    const served = await makeInquiry(app);
    const { groupId } = served;
    const as = served.primary.staff;
    const patient = `P${served.sufferer.operatorId}`;
    const version = await versionOf(groupId);
    await say(app, groupId, patient, '我突然胸痛');
    await say(app, groupId, await doctorUser(app, groupId), '请马上就医');
    const { version: inquiryVersion, serverId } = await detailOf(app, served);
    await app.ok(auditInquiry, { serverId: serverId ?? '', version: inquiryVersion ?? 0, action: 'accept' }, { as });
    await app.runDue();
    // A dialog that was open all the while is not outdated.
    expect(await app.ok(modifyGroupTags, { groupId, version, tags: ['胸痛'] }, { as })).toEqual({ groupId, version: version + 1 });
    await app.ok(snoozeGroup, { groupId, version: version + 1, until: plusMs(app.clock.now(), hours(1)) }, { as });
    await say(app, groupId, patient, '好些了');
    expect(await groupRowOf(app, groupId)).toMatchObject({ workState: 'SERVING', version: version + 2 });
    expect(await app.refused(modifyGroupTags, { groupId, version, tags: [] }, { as })).toMatchObject({ code: 'SCM90030' });
  });
});

describe('groups', () => {
  it("keep patient, doctor and one assistant; tags, policy, mutes and marks are the owner's", async () => {
    const served = await makeInquiry(app);
    const as = served.primary.staff;
    const { groupId } = served;
    const colleague = await makeColleague(app);
    expect(await app.refused(addGroupAssistant, { groupId, assistantId: colleague.assistantId }, { as: colleague.staff })).toMatchObject({
      code: 'SCM90040',
    });
    expect(await app.refused(delGroupMember, { groupId, imUserId: `P${served.sufferer.operatorId}` }, { as })).toMatchObject({
      code: 'SCM10027',
    });
    expect(await app.refused(delGroupMember, { groupId, imUserId: served.primary.imUserId }, { as })).toMatchObject({ code: 'SCM10026' });
    const { members } = await app.ok(addGroupAssistant, { groupId, assistantId: colleague.assistantId }, { as });
    expect(members.filter(({ helper }) => helper).map(({ imUserId }) => imUserId)).toEqual([colleague.imUserId]);
    expect((await app.ok(delGroupMember, { groupId, imUserId: colleague.imUserId }, { as })).members.length).toBe(3);
    await app.ok(modifyGroupTags, { groupId, version: await versionOf(groupId), tags: ['复诊', '复诊', '慢病'] }, { as });
    expect((await groupRowOf(app, groupId)).tags).toEqual(['复诊', '慢病']);
    expect(
      await app.refused(modifySendPolicy, { groupId, version: await versionOf(groupId), sendPolicy: 'ALWAYS', reason: '慢病随访' }, { as }),
    ).toMatchObject({ code: 'SCM90010' });
    await app.ok(
      muteMember,
      { groupId, imUserId: `P${served.sufferer.operatorId}`, until: plusMs(app.clock.now(), days(7)), reason: '辱骂医生' },
      { as },
    );
    expect(await say(app, groupId, `P${served.sufferer.operatorId}`, '喂')).toMatchObject({ refused: 'MUTED' });
    await app.ok(markGroupUnread, { groupId, unread: true }, { as });
    const { rows } = await app.ok(queryImMedicalGroupPage, { mine: true, tag: '慢病' }, { as });
    expect(rows.map((row) => row.groupId)).toEqual([groupId]);
    const doctorOperatorId = (await groupRowOf(app, groupId)).doctorOperatorId ?? '';
    expect(await app.ok(queryGroupIdsByDoctorInfo, { doctorOperatorId }, { as })).toEqual({ groupIds: [groupId] });
    expect((await detailOf(app, served)).serverStatus).toBe('1');
    const board = await app.ok(queryDutyBoard, {}, { as });
    expect(board.find(({ assistantId }) => assistantId === served.primary.assistantId)).toMatchObject({ state: 'ON', serving: 1 });
  });

  it('the board tells by the week who is to be there, whatever he has switched to', async () => {
    const [inside, outside] = [await makeColleague(app, { on: false }), await makeColleague(app)];
    // 2026-11-21 is a Saturday, ten in the morning.
    const week = (from: string, to: string) => JSON.stringify([{ weekday: 6, from, to }]);
    await sql`update doctor_assistant set duty_week = ${week('08:30', '18:30')}::jsonb where id = ${inside.assistantId}`.execute(app.db);
    await sql`update doctor_assistant set duty_week = ${week('18:30', '20:00')}::jsonb where id = ${outside.assistantId}`.execute(app.db);
    const board = new Map(
      (await app.ok(queryDutyBoard, {}, { as: inside.staff })).map(({ assistantId, state, inDutyWeek }) => [
        assistantId,
        { state, inDutyWeek },
      ]),
    );
    expect([board.get(inside.assistantId), board.get(outside.assistantId)]).toEqual([
      { state: 'OFF', inDutyWeek: true },
      { state: 'ON', inDutyWeek: false },
    ]);
  });

  it('where patients may always write, a service that ended keeps nobody silent', async () => {
    const served = await makeInquiry(app);
    const { groupId } = served;
    const patient = `P${served.sufferer.operatorId}`;
    const lead = await makeColleague(app, { lead: true });
    await app.ok(
      auditInquiry,
      {
        serverId: served.serverId,
        version: (
          await own(app.db).selectFrom('consultationInquiry').select('version').where('id', '=', served.serverId).executeTakeFirstOrThrow()
        ).version,
        action: 'refuse',
        reasonCode: 'C02',
        opinion: '请线下就诊',
      },
      { as: served.primary.staff },
    );
    expect(await say(app, groupId, patient, '在吗')).toMatchObject({
      refused: 'POLICY',
      message: '问诊已结束，如需继续咨询请重新购买服务',
    });
    await app.ok(
      modifySendPolicy,
      { groupId, version: await versionOf(groupId), sendPolicy: 'ALWAYS', reason: '慢病随访' },
      { as: lead.staff },
    );
    expect(await say(app, groupId, patient, '在吗')).not.toHaveProperty('refused');
  });

  it('a crisis word puts the group first and rings the supervisors', async () => {
    const served = await makeInquiry(app);
    await app.kernel.transactions.run('test', (writing) =>
      attend(systemDeed(writing, { kernel: app.kernel, now: app.clock.now(), traceId: 'test' }), served.groupId, 1),
    );
    await say(app, served.groupId, `P${served.sufferer.operatorId}`, '我突然胸痛，喘不上气');
    expect(await groupRowOf(app, served.groupId)).toMatchObject({ priority: 2 });
  });
});
