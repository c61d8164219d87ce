import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, hours, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { releaseGroup } from '../../contract/calls/queue.ts';
import { own } from '../database.ts';
import { changeConversation, muteMember } from '../im/conversations/groups.ts';
import * as consultation from '../index.ts';
import { withConsultation } from '../testing/imWorld.ts';
import { doctorUser, groupRowOf, makeColleague, makeInquiry, say, type Served } from '../testing/inquiryWorld.ts';

let app: TestApp;
let served: Served;
let conversationId: string;
let patient: string;
beforeAll(async () => {
  app = await startTestApp({ modules: withConsultation });
  served = await makeInquiry(app);
  conversationId = (await groupRowOf(app, served.groupId)).convId;
  patient = `P${served.sufferer.operatorId}`;
});
afterAll(() => app.close());
const write = <T>(work: (writing: Parameters<typeof consultation.postMessage>[1], now: string) => Promise<T>) =>
  app.kernel.transactions.run('test', (writing) => work(writing, app.kernel.clock.now()));
let serial = 0;
const message = (more: Partial<consultation.EngineMessage> = {}): consultation.EngineMessage => ({
  conversationId,
  senderRole: 'ASSISTANT',
  clientMsgId: `corpus:test:${(serial += 1)}`,
  bubble: { type: 'TIMTextElem', payload: { text: '今天记得服药' } },
  sourceRef: 'corpus:send:1',
  ...more,
});
const post = (wish: consultation.EngineMessage) => write((writing, now) => consultation.postMessage(app.kernel, writing, wish, now));
const stored = (seq: number) =>
  own(app.db)
    .selectFrom('consultationImMessage')
    .select(['senderId', 'auto', 'sourceRef', 'countsUnread'])
    .where('convId', '=', conversationId)
    .where('seq', '=', String(seq))
    .executeTakeFirstOrThrow();

describe('messages of engines', () => {
  it('are refused where there is no conversation, no membership, a mute or an end', async () => {
    await expect(post(message({ conversationId: '999999' }))).rejects.toMatchObject({ code: 'SCM90040' });
    const stranger = await makeColleague(app);
    await expect(post(message({ senderId: stranger.imUserId.slice(1) }))).rejects.toMatchObject({ code: 10007 });
    const { imUserId } = served.primary;
    await write((writing, now) => muteMember(app.kernel, writing, conversationId, imUserId, plusMs(now, hours(1)), now));
    await expect(post(message())).rejects.toMatchObject({ code: 10017 });
    await write((writing, now) => muteMember(app.kernel, writing, conversationId, imUserId, null, now));
    await write((writing, now) => changeConversation(app.kernel, writing, conversationId, { dissolved: true }, now));
    await expect(post(message())).rejects.toMatchObject({ code: 10010 });
    await write((writing, now) => changeConversation(app.kernel, writing, conversationId, { dissolved: false }, now));
    expect(await consultation.findByClientMsgId(app.db, conversationId, 'corpus:test:2')).toBeNull();
  });

  it('are written in the owner’s name, once for a key, marked as automatic and clear of the queue', async () => {
    const before = await groupRowOf(app, served.groupId);
    const wish = message();
    const first = await post(wish);
    expect(await stored(first.seq)).toEqual({
      senderId: served.primary.imUserId,
      auto: true,
      sourceRef: 'corpus:send:1',
      countsUnread: true,
    });
    expect(await consultation.findByClientMsgId(app.db, conversationId, wish.clientMsgId)).toMatchObject({ seq: first.seq, ID: first.ID });
    const { workState, ownerAssistantId, waitingSince } = await groupRowOf(app, served.groupId);
    expect({ workState, ownerAssistantId, waitingSince }).toEqual({
      workState: before.workState,
      ownerAssistantId: before.ownerAssistantId,
      waitingSince: before.waitingSince,
    });
    // The same key again is the same message, whoever is named and whatever has changed since.
    await write((writing, now) => changeConversation(app.kernel, writing, conversationId, { dissolved: true }, now));
    expect(await post({ ...wish, senderRole: 'SYSTEM' })).toEqual({ ...first, duplicate: true });
    await write((writing, now) => changeConversation(app.kernel, writing, conversationId, { dissolved: false }, now));
    const raced = message();
    const answers = await Promise.all([post(raced), post(raced), post(raced)]);
    expect(new Set(answers.map(({ seq }) => seq)).size).toBe(1);
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(await stored((await post(message({ senderRole: 'SYSTEM' }))).seq)).toMatchObject({ senderId: 'SYSTEM' });
  });

  it('are written in the primary assistant’s name where nobody owns the group', async () => {
    const other = await makeInquiry(app);
    const { convId, version } = await groupRowOf(app, other.groupId);
    await app.ok(releaseGroup, { groupId: other.groupId, version, reason: '暂时离开' }, { as: other.primary.staff });
    await post(message({ conversationId: convId }));
    const rows = await own(app.db)
      .selectFrom('consultationImMessage')
      .select('senderId')
      .where('convId', '=', convId)
      .where('auto', '=', true)
      .where('senderId', '<>', 'SYSTEM')
      .execute();
    expect(rows).toEqual([{ senderId: other.primary.imUserId }]);
  });
});

describe('open conversations', () => {
  it('are found by account and by person, with who answers and when each has spoken', async () => {
    const kinds = ['DOCTOR', 'DESK', 'C2C'] as const;
    expect(await consultation.listOpenConversations(app.db, { operatorIds: ['999999999'], kinds })).toEqual([]);
    const pair = { assistantOperatorId: served.primary.imUserId.slice(1), suffererOperatorId: served.sufferer.operatorId };
    await expect(
      write((writing, now) => consultation.openSingleChat(app.kernel, writing, { ...pair, assistantOperatorId: '999999999' }, now)),
    ).rejects.toMatchObject({ code: 'SCM90040' });
    const single = await write((writing, now) => consultation.openSingleChat(app.kernel, writing, pair, now));
    await say(app, served.groupId, patient, '在吗');
    const found = await consultation.listOpenConversations(app.db, { operatorIds: [served.sufferer.operatorId], kinds });
    expect(found).toEqual([
      {
        conversationId,
        groupId: served.groupId,
        kind: 'DOCTOR',
        suffererOperatorId: served.sufferer.operatorId,
        patientId: served.sufferer.patientId,
        doctorId: served.doctorId,
        assistantId: served.primary.assistantId,
        assistantOperatorId: pair.assistantOperatorId,
        openedAt: expect.any(String),
        lastHumanMessageAt: { PATIENT: expect.any(String), DOCTOR: null, ASSISTANT: null },
      },
      expect.objectContaining({
        conversationId: single,
        groupId: null,
        kind: 'C2C',
        patientId: served.sufferer.patientId,
        doctorId: null,
        assistantId: served.primary.assistantId,
      }),
    ]);
    expect(await consultation.listOpenConversations(app.db, { patientIds: [served.sufferer.patientId], kinds: ['DOCTOR'] })).toEqual(
      found.slice(0, 1),
    );
    expect(await consultation.getGroup(app.db, { groupId: served.groupId })).toEqual(
      await consultation.getGroup(app.db, { conversationId }),
    );
    expect(await consultation.getGroup(app.db, { conversationId: single })).toBeNull();
  });
});

describe('facts of conversations', () => {
  it('are counted from people’s messages alone; nothing known is no row', async () => {
    const other = await makeInquiry(app);
    const { convId } = await groupRowOf(app, other.groupId);
    const read = async (...codes: string[]) =>
      (await consultation.factsFor(app.db, [convId], codes, app.kernel.clock.now())).map(({ code, value }) => [code, value]);
    expect(await read('patient.daysSinceReply', 'doctor.hoursSinceMessage', 'patient.daysSinceRevisit', 'unknown')).toEqual([]);
    expect(await read('patient.groupDays', 'doctor.messagesIn7Days', 'assistant.groupCount', 'doctor.patientCount')).toEqual([
      ['patient.groupDays', '0'],
      ['doctor.messagesIn7Days', '0'],
      ['assistant.groupCount', '1'],
      ['doctor.patientCount', '1'],
    ]);
    await say(app, other.groupId, `P${other.sufferer.operatorId}`, '在吗');
    await say(app, other.groupId, await doctorUser(app, other.groupId), '在');
    await post(message({ conversationId: convId }));
    expect(await read('patient.unreadFollowUps', 'doctor.messagesIn7Days', 'assistant.hoursSinceMessage')).toEqual([
      ['patient.unreadFollowUps', '1'],
      ['doctor.messagesIn7Days', '1'],
    ]);
    const later = plusMs(app.kernel.clock.now(), days(2) + hours(1));
    const facts = await consultation.factsFor(
      app.db,
      [convId],
      ['patient.daysSinceReply', 'doctor.hoursSinceMessage', 'patient.groupDays'],
      later,
    );
    expect(facts.map(({ code, value, sourceType }) => [code, value, sourceType])).toEqual([
      ['patient.daysSinceReply', '2', 'message'],
      ['doctor.hoursSinceMessage', '49', 'message'],
      ['patient.groupDays', '2', 'conversation'],
    ]);
  });
});
