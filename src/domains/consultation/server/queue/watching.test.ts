import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { modifyGroupTags } from '../../contract/calls/groups.ts';
import { queryStoredMessages, revokeMessageBySupervisor } from '../../contract/calls/messages.ts';
import { addGroupNote, queryGroupNotes } from '../../contract/calls/notes.ts';
import * as calls from '../../contract/calls/participants.ts';
import { previewGroup, queryQueue, releaseGroup, takeGroup } from '../../contract/calls/queue.ts';
import { queryGetUserSign, queryImRuntime } from '../../contract/calls/runtime.ts';
import type { LiveSignal } from '../../contract/im/wire.ts';
import { connectRaw, textSend } from '../testing/imWorld.ts';
import { doctorUser, groupRowOf, makeColleague, makeInquiry, makePractice, say, type Colleague } from '../testing/inquiryWorld.ts';
import { guests } from '../testing/participantWorld.ts';

let app: TestApp;
let address: string;
beforeAll(async () => {
  app = await startTestApp({ config: { trustedProxies: ['loopback'] } });
  address = await app.listen();
});
afterAll(() => app.close());

const enter = async ({ staff }: Colleague) => {
  const { userID, userSig } = await app.ok(queryGetUserSign, {}, { as: staff });
  return connectRaw(address, userID, userSig);
};
const membersOf = async (convId: string) =>
  (
    await sql<{
      imUserId: string;
      readSeq: string;
    }>`select im_user_id, read_seq from consultation_im_member where conv_id = ${convId} and left_at is null order by im_user_id`.execute(
      app.db,
    )
  ).rows;
const looks = async (userId: string) =>
  (
    await sql<{ n: number }>`select count(*)::int as n from identity_operation_log where user_id = ${userId} and kind = 'REVEAL'`.execute(
      app.db,
    )
  ).rows[0]!.n;

it('who may not chat gets neither a sign nor the queue', async () => {
  const outsider = await app.staff({ permissions: ['consultation.visit.view'] });
  for (const call of [queryGetUserSign, queryImRuntime, queryQueue])
    expect(await app.refused(call, {}, { as: outsider })).toMatchObject({ code: 'SCM90010' });
  expect(await app.refused(takeGroup, { groupId: 'YH99999999' }, { as: outsider })).toMatchObject({ code: 'SCM90010' });
});

it('a preview before taking moves no cursor, adds nobody and lets nobody write; each look is in the log', async () => {
  const [primary, backup] = [await makeColleague(app), await makeColleague(app)];
  const served = await makeInquiry(app, { practice: await makePractice(app, {}, primary) });
  const { groupId } = served;
  const { convId, version } = await groupRowOf(app, groupId);
  await say(app, groupId, `P${served.sufferer.operatorId}`, '我咳嗽得厉害');
  expect(await app.refused(previewGroup, { groupId }, { as: backup.staff })).toMatchObject({ code: 'SCM90040' });
  await app.ok(releaseGroup, { groupId, version, reason: '暂时离开' }, { as: primary.staff });
  await sql`
    insert into consultation_bind_copy (doctor_id, assistant_id, role, updated_at)
      values (${served.doctorId}, ${backup.assistantId}, 'BACKUP', ${app.clock.now()})`.execute(app.db);
  const [before, looked] = [await membersOf(convId), await looks(backup.staff.userId)];
  const shown = await app.ok(previewGroup, { groupId }, { as: backup.staff });
  expect(shown).toMatchObject({
    group: { groupId, canTake: true },
    inquiry: { allowedActions: [] },
    patient: { patientId: served.sufferer.patientId },
  });
  expect(JSON.stringify(shown.messages)).toContain('我咳嗽得厉害');
  expect(JSON.stringify(shown)).not.toMatch(/(?<!\d)1[3-9]\d{9}(?!\d)/);
  expect(await looks(backup.staff.userId)).toBe(looked + 1);
  const client = await enter(backup);
  expect(await client.ask('watch', { conversationID: `GROUP${groupId}`, on: true })).toMatchObject({ code: 0 });
  expect(await client.ask('send', textSend(`GROUP${groupId}`, '我来看看'))).toMatchObject({
    code: 10_007,
    message: '您不是该会话成员，不能发言',
  });
  expect(await membersOf(convId)).toEqual(before);
  client.socket.disconnect();
});

it('a supervisor who watches hears what is said, and leaves no trace in the chat', async () => {
  const served = await makeInquiry(app);
  const conversationID = `GROUP${served.groupId}`;
  const { convId } = await groupRowOf(app, served.groupId);
  const [lead, stranger] = [await makeColleague(app, { lead: true }), await makeColleague(app)];
  const foreign = await enter(stranger);
  expect(await foreign.ask('watch', { conversationID, on: true })).toMatchObject({ code: 10_007 });
  const client = await enter(lead);
  const before = await membersOf(convId);
  const heard: LiveSignal[] = [];
  client.socket.on('live', (signal: LiveSignal) => void heard.push(signal));
  await client.ask('watch', { conversationID, on: true });
  await say(app, served.groupId, `P${served.sufferer.operatorId}`, '有人在吗');
  await expect.poll(() => heard.filter(({ type }) => type === 'watchMsg')).toMatchObject([{ message: { payload: { text: '有人在吗' } } }]);
  expect(await client.ask('read', { conversationID, readSeq: 1 })).toMatchObject({ code: 10_007 });
  expect(await client.ask('send', textSend(conversationID, '插一句'))).toMatchObject({ code: 10_007 });
  await app.ok(queryStoredMessages, { conversationID }, { as: lead.staff });
  expect(await looks(lead.staff.userId)).toBe(1);
  expect(await membersOf(convId)).toEqual(before);
  for (const { socket } of [client, foreign]) socket.disconnect();
});

it('every watcher hears a recall, in another window and on another node, and none who turned away', async () => {
  const beside = await startTestApp({ config: { trustedProxies: ['loopback'] }, beside: app });
  const addresses = [address, await beside.listen()];
  const served = await makeInquiry(app);
  const conversationID = `GROUP${served.groupId}`;
  const said = await say(app, served.groupId, `P${served.sufferer.operatorId}`, '身份证号330106');
  if (!('seq' in said)) throw new Error('it was not stored');
  const [lead, other] = [await makeColleague(app, { lead: true }), await makeColleague(app, { lead: true })];
  const watching = await Promise.all(
    [lead, lead, other, other].map(async ({ staff }, index) => {
      const { userID, userSig } = await app.ok(queryGetUserSign, {}, { as: staff });
      const { socket, ask } = await connectRaw(addresses[index % 2]!, userID, userSig);
      const heard: LiveSignal[] = [];
      socket.on('live', (signal: LiveSignal) => void (signal.type === 'watchChanged' && heard.push(signal)));
      expect(await ask('watch', { conversationID, on: true })).toMatchObject({ code: 0 });
      return { socket, ask, heard };
    }),
  );
  await watching[3]!.ask('watch', { conversationID, on: false });
  await app.ok(revokeMessageBySupervisor, { conversationID, seq: said.seq, reason: '含隐私信息' }, { as: lead.staff });
  const expected = [
    {
      type: 'watchChanged',
      message: {
        conversationID,
        seq: said.seq,
        isRevoked: true,
        revoker: lead.imUserId,
        revokeReason: '含隐私信息',
        payload: { text: '' },
      },
    },
  ];
  for (const { heard } of watching.slice(0, 3)) await expect.poll(() => heard, { timeout: 10_000 }).toMatchObject(expected);
  expect(watching[3]!.heard).toEqual([]);
  for (const { socket } of watching) socket.disconnect();
  await beside.close();
});

it('what colleagues note stands neither on the participants’ page nor in what patients may be sent', async () => {
  const { served, patient, doctor } = await guests(app);
  const { groupId } = served;
  const note = { groupId, afterSeq: 1, content: '家属要求保密的病情' };
  await app.ok(addGroupNote, note, { as: served.primary.staff });
  await app.ok(
    modifyGroupTags,
    { groupId, version: (await groupRowOf(app, groupId)).version, tags: ['难缠'] },
    { as: served.primary.staff },
  );
  const outcome = await say(app, groupId, await doctorUser(app, groupId), '发错了的一句');
  if (!('seq' in outcome)) throw new Error('it was not stored');
  const lead = await makeColleague(app, { lead: true });
  await app.ok(revokeMessageBySupervisor, { conversationID: `GROUP${groupId}`, seq: outcome.seq, reason: '发错' }, { as: lead.staff });
  for (const guest of [patient, doctor]) {
    const { userID, userSig } = await app.ok(calls.queryMySign, {}, guest.options);
    const client = await connectRaw(address, userID, userSig, { device: 'wx' });
    const id = `GROUP${groupId}`;
    const page = [
      await app.ok(calls.queryMyGroups, {}, guest.options),
      await app.ok(calls.queryMyInquiry, { groupId }, guest.options),
      await client.ask('conversations', {}),
      await client.ask('history', { conversationID: id, limit: 100 }),
      await client.ask('members', { groupID: groupId, count: 30, offset: 0 }),
      await client.ask('sync', { cursor: 0, limit: 500 }),
    ];
    expect(JSON.stringify(page[3])).toContain('opened:');
    for (const hidden of ['家属要求保密', '难缠', '发错了的一句']) expect(JSON.stringify(page)).not.toContain(hidden);
    expect((await client.ask('search', { keyword: '发错', conversationID: id, limit: 20 })).data.hits).toEqual([]);
    expect(await app.refused(queryGroupNotes, { groupId }, guest.options)).toMatchObject({ code: expect.stringMatching(/^SCM9000/) });
    client.socket.disconnect();
  }
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from consultation_im_message where payload::text like '%保密%'`.execute(app.db);
  expect(rows[0]!.n).toBe(0);
});
