import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { makeAssistant } from '#domains/doctor/server/testing/staffing.ts';
import { queryGroupsOfPatient } from '../../contract/calls/groups.ts';
import { queryInquiryDetail, queryInquiryIdByGroupId } from '../../contract/calls/inquiry.ts';
import { queryMessageOriginal, queryStoredMessages, revokeMessageBySupervisor, searchMessages } from '../../contract/calls/messages.ts';
import { imEngine } from '../im/engine.ts';
import { recallMessage } from '../im/messages/changing.ts';
import { openSingleChat } from '../services/singleChat.ts';
import { withConsultation } from '../testing/imWorld.ts';
import { doctorUser, groupRowOf, makeColleague, makeInquiry, say, type Colleague, type Served } from '../testing/inquiryWorld.ts';

let app: TestApp;
let served: Served;
let conversationID: string;
let lead: Colleague;
/** An assistant who sees his own inquiries only. */
let stranger: { staff: TestStaff };
beforeAll(async () => {
  app = await startTestApp({ modules: withConsultation });
  served = await makeInquiry(app);
  conversationID = `GROUP${served.groupId}`;
  lead = await makeColleague(app, { lead: true });
  stranger = { staff: await app.staff({ role: 'ASSISTANT', scope: { own: true } }) };
  await makeAssistant(app, { userId: stranger.staff.userId });
  await app.runDue();
  for (const text of ['我最近胸闷气短', '夜里会醒', '吃过阿司匹林']) await say(app, served.groupId, `P${served.sufferer.operatorId}`, text);
});
afterAll(() => app.close());
const reads = async (userId: string) =>
  (
    await sql<{ n: number }>`select count(*)::int as n from identity_operation_log where user_id = ${userId} and kind = 'REVEAL'`.execute(
      app.db,
    )
  ).rows[0]!.n;
const texts = (messages: readonly { payload: Record<string, unknown> }[]) =>
  messages.flatMap(({ payload }) => (typeof payload['text'] === 'string' ? [payload['text']] : []));

describe('the stored history', () => {
  it('is for members, watchers and readers of visit records alone, and each read is logged', async () => {
    expect(await app.refused(queryStoredMessages, { conversationID }, { as: stranger.staff })).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(queryStoredMessages, { conversationID: 'GROUPYH99999999' }, { as: lead.staff })).toMatchObject({
      code: 'SCM90040',
    });
    const reader = await app.staff({ role: 'AUDITOR' });
    for (const as of [served.primary.staff, lead.staff, reader]) {
      const before = await reads(as.userId);
      const { messages } = await app.ok(queryStoredMessages, { conversationID }, { as });
      expect(texts(messages).slice(-3)).toEqual(['我最近胸闷气短', '夜里会醒', '吃过阿司匹林']);
      expect(await reads(as.userId)).toBe(before + 1);
    }
  });

  it('and the heads of its inquiries, are kept from readers of visit records whose scope does not hold them', async () => {
    const { groupId, serverId, sufferer } = served;
    const [near, far] = [await app.staff({ role: 'AUDITOR' }), await app.staff({ role: 'AUDITOR', scope: { region: ['650100'] } })];
    expect(await app.refused(queryStoredMessages, { conversationID }, { as: far })).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(queryInquiryDetail, { groupId }, { as: far })).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(queryInquiryIdByGroupId, { groupId }, { as: far })).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(queryInquiryDetail, { groupId }, { as: stranger.staff })).toMatchObject({ code: 'SCM90040' });
    expect(await app.ok(queryGroupsOfPatient, { patientId: sufferer.patientId }, { as: far })).toEqual([]);
    expect(await app.ok(queryInquiryDetail, { groupId }, { as: near })).toMatchObject({ serverId, chiefComplaint: null });
    expect((await app.ok(queryGroupsOfPatient, { patientId: sufferer.patientId }, { as: near })).map((row) => row.serverId)).toEqual([
      serverId,
    ]);
  });

  it('pages before, after and around a place', async () => {
    const all = (await app.ok(queryStoredMessages, { conversationID, pageSize: 100 }, { as: lead.staff })).messages;
    const last = all.at(-1)!.seq;
    const page = (wish: object) => app.ok(queryStoredMessages, { conversationID, ...wish }, { as: lead.staff });
    expect((await page({ beforeSeq: last, pageSize: 1 })).messages.map(({ seq }) => seq)).toEqual([last - 1]);
    expect(await page({ afterSeq: last - 1, pageSize: 5 })).toMatchObject({ messages: [{ seq: last }], isCompleted: true });
    expect((await page({ aroundSeq: last - 1, pageSize: 2 })).messages.map(({ seq }) => seq)).toEqual([last - 2, last - 1]);
  });

  it('of a single chat is for its own two', async () => {
    const pair = { assistantOperatorId: served.primary.imUserId.slice(1), suffererOperatorId: served.sufferer.operatorId };
    await app.kernel.transactions.run('test', (writing) => openSingleChat(app.kernel, writing, pair, app.kernel.clock.now()));
    const single = { conversationID: `C2CP${served.sufferer.operatorId}` };
    expect(await app.refused(queryStoredMessages, single, { as: lead.staff })).toMatchObject({ code: 'SCM90040' });
    expect(await app.ok(queryStoredMessages, single, { as: served.primary.staff })).toEqual({ messages: [], isCompleted: true });
  });
});

describe('search', () => {
  it('stays within what one may read and wants two letters outside a group', async () => {
    expect(await app.refused(searchMessages, { keyword: '胸' }, { as: lead.staff })).toMatchObject({ code: 'SCM90020' });
    expect(await app.refused(searchMessages, { keyword: '胸', groupId: served.groupId }, { as: stranger.staff })).toMatchObject({
      code: 'SCM90040',
    });
    expect((await app.ok(searchMessages, { keyword: '胸闷气' }, { as: stranger.staff })).hits).toEqual([]);
    for (const as of [served.primary.staff, lead.staff]) {
      const [hit, ...others] = (await app.ok(searchMessages, { keyword: '胸闷气' }, { as })).hits;
      expect(others).toEqual([]);
      expect(hit!.highlights.map(([from, to]) => hit!.snippet.slice(from, to))).toEqual(['胸闷气']);
    }
    expect(
      (await app.ok(searchMessages, { keyword: '胸', groupId: served.groupId, senderKind: 'PATIENT' }, { as: lead.staff })).hits,
    ).toHaveLength(1);
    expect(
      (await app.ok(searchMessages, { keyword: '胸', groupId: served.groupId, senderKind: 'DOCTOR' }, { as: lead.staff })).hits,
    ).toEqual([]);
    const first = await app.ok(searchMessages, { keyword: '吃过', groupId: served.groupId, pageSize: 1 }, { as: lead.staff });
    expect(
      (await app.ok(searchMessages, { keyword: '吃过', groupId: served.groupId, cursor: first.nextCursor! }, { as: lead.staff })).hits,
    ).toEqual([]);
  });
});

describe('recall by a supervisor', () => {
  it('needs the right and a reason; the text is then nowhere but in the original, whose reading is logged', async () => {
    const outcome = await say(app, served.groupId, await doctorUser(app, served.groupId), '含有隐私的一句');
    if (!('seq' in outcome)) throw new Error('it was not stored');
    const { seq } = outcome;
    expect(
      await app.refused(revokeMessageBySupervisor, { conversationID, seq, reason: '含隐私' }, { as: served.primary.staff }),
    ).toMatchObject({ code: 'SCM90010' });
    expect(await app.refused(revokeMessageBySupervisor, { conversationID, seq }, { as: lead.staff })).toMatchObject({ code: 'SCM90020' });
    expect(
      await app.refused(revokeMessageBySupervisor, { conversationID, seq: 9_999, reason: '含隐私' }, { as: lead.staff }),
    ).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(queryMessageOriginal, { conversationID, seq }, { as: lead.staff })).toMatchObject({ code: 'SCM90040' });
    for (let time = 0; time < 2; time += 1) {
      expect(
        (await app.ok(revokeMessageBySupervisor, { conversationID, seq, reason: '含隐私' }, { as: lead.staff })).message,
      ).toMatchObject({ isRevoked: true, revoker: lead.imUserId, revokeReason: '含隐私' });
    }
    expect(
      JSON.stringify(await app.ok(queryStoredMessages, { conversationID, pageSize: 100 }, { as: served.primary.staff })),
    ).not.toContain('一句');
    expect((await app.ok(searchMessages, { keyword: '隐私的' }, { as: lead.staff })).hits).toEqual([]);
    expect(await app.refused(queryMessageOriginal, { conversationID, seq }, { as: served.primary.staff })).toMatchObject({
      code: 'SCM90010',
    });
    const before = await reads(lead.staff.userId);
    expect((await app.ok(queryMessageOriginal, { conversationID, seq }, { as: lead.staff })).versions).toEqual([
      {
        modifyVersion: 0,
        type: 'TIMTextElem',
        payload: { text: '含有隐私的一句' },
        byName: expect.any(String),
        at: expect.any(String),
        reason: '含隐私',
      },
    ]);
    expect(await reads(lead.staff.userId)).toBe(before + 1);
  });

  it('leaves what its sender recalled himself as it is', async () => {
    const sender = `P${served.sufferer.operatorId}`;
    const outcome = await say(app, served.groupId, sender, '自己撤回');
    if (!('seq' in outcome)) throw new Error('it was not stored');
    const conv = (await imEngine(app.kernel).names.byId(app.db, (await groupRowOf(app, served.groupId)).convId))!;
    await app.kernel.transactions.run('test', (writing) =>
      recallMessage(writing, imEngine(app.kernel), conv, outcome.seq, { imUserId: sender, reason: null }, app.kernel.clock.now()),
    );
    expect(
      (await app.ok(revokeMessageBySupervisor, { conversationID, seq: outcome.seq, reason: '再次撤回' }, { as: lead.staff })).message,
    ).toMatchObject({ revoker: sender, revokeReason: '' });
  });
});
