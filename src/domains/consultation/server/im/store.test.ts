import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRaw, startImWorld, textSend, type ImWorld, type RawClient } from '../testing/imWorld.ts';
import { own } from '../database.ts';
import { endSigns, muteEverywhere } from './accounts/accounts.ts';
import { changeConversation, removeMembers } from './conversations/groups.ts';
import { findByClientMsgId, postStored, postTip } from './messages/posting.ts';
import { recallMessage } from './messages/changing.ts';
import { imEngine, useImHooks } from './engine.ts';

/** Waits for what comes by itself. */
const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 15_000 });
const seconds = (n: number): number => n * 1000;
let world: ImWorld;
let convId: string;
const GROUP = 'GROUPYH10000001';
const clients: RawClient[] = [];
const enter = async (userID: string, more: Record<string, unknown> = {}) => {
  const client = await connectRaw(world.address, userID, await world.sign(userID), more);
  clients.push(client);
  return client;
};

beforeAll(async () => {
  world = await startImWorld();
  convId = await world.group('YH10000001', 'P1', 'D1', 'A1');
  await world.accounts('P2', 'A2');
});
afterAll(async () => {
  for (const { socket } of clients) socket.disconnect();
  await world.close();
});

describe('entering', () => {
  it('refuses forged, foreign and outdated signs and more than five connections', async () => {
    const sign = await world.sign('P1');
    await expect(connectRaw(world.address, 'D1', sign)).rejects.toMatchObject({ data: { code: 70001 } });
    await expect(connectRaw(world.address, 'P1', `${sign.slice(0, 50)}x${sign.slice(51)}`)).rejects.toMatchObject({
      data: { code: 70001 },
    });
    await world.accounts('P9');
    const old = await world.sign('P9');
    const live = await enter('P9');
    const gone = new Promise((resolve) => live.socket.once('kicked', resolve));
    await world.write((writing, now) => endSigns(world.kernel, writing, 'P9', 'userSigExpired', now));
    await expect(gone).resolves.toEqual({ reason: 'userSigExpired' });
    await expect(connectRaw(world.address, 'P9', old)).rejects.toMatchObject({ data: { code: 70001 } });
    const connections = async () =>
      (await own(world.kernel.db).selectFrom('consultationImConnection').select('socketId').where('imUserId', '=', 'P9').execute()).length;
    // The connection that was ended is forgotten a moment after it heard of it.
    await soon(connections).toBe(0);
    world.app.clock.advance(seconds(2));
    const five = await Promise.all(Array.from({ length: 5 }, () => enter('P9')));
    await soon(connections).toBe(5);
    await expect(enter('P9')).rejects.toMatchObject({ data: { code: 2025 } });
    for (const { socket } of five) socket.disconnect();
  });

  it('counts connections by the address behind the proxy', async () => {
    const engine = imEngine(world.kernel);
    const { limits } = engine;
    engine.limits = { ...limits, connections: { ...limits.connections, address: 2 } };
    const from = async (address: string) => connectRaw(world.address, 'A2', await world.sign('A2'), {}, address);
    const entered = [await from('203.0.113.9'), await from('203.0.113.9')];
    await soon(async () =>
      (await own(world.kernel.db).selectFrom('consultationImConnection').select('ip').where('imUserId', '=', 'A2').execute()).map(
        ({ ip }) => ip,
      ),
    ).toEqual(['203.0.113.9', '203.0.113.9']);
    await expect(from('203.0.113.9')).rejects.toMatchObject({ data: { code: 2805 } });
    // What the caller writes before the proxy's own word changes nothing.
    await expect(from('198.51.100.1, 203.0.113.9')).rejects.toMatchObject({ data: { code: 2805 } });
    entered.push(await from('203.0.113.10'));
    for (const { socket } of entered) socket.disconnect();
    engine.limits = limits;
  });

  it('takes a new sign on the living connection, none of others and none of before a logout', async () => {
    await world.accounts('P8');
    const live = await enter('P8');
    expect(await live.ask('renew', { userSig: await world.sign('P1') })).toMatchObject({ code: 70001 });
    world.app.clock.advance(11 * 3_600_000);
    const fresh = await world.sign('P8');
    expect(await live.ask('renew', { userSig: fresh })).toMatchObject({
      code: 0,
      data: { endsAt: Date.parse(world.kernel.clock.now()) + 12 * 3_600_000 },
    });
    await world.write((writing, now) => endSigns(world.kernel, writing, 'P9', 'userSigExpired', now));
    const other = await enter('P2');
    expect(await other.ask('renew', { userSig: fresh })).toMatchObject({ code: 70001 });
  });
});

describe('sending', () => {
  it('numbers without a gap, tells every member once, and takes a repeated id once', async () => {
    const [patient, doctor] = [await enter('P1'), await enter('D1')];
    const send = textSend(GROUP, '医生您好，最近胸闷气短');
    const first = await patient.ask('send', send);
    expect(first).toMatchObject({ code: 0, data: { seq: 1, duplicate: false, ID: `${convId}-1` } });
    expect(await patient.ask('send', send)).toMatchObject({ code: 0, data: { seq: 1, duplicate: true } });
    expect(await patient.ask('send', { ...send, payload: { text: '另一句' } })).toMatchObject({ code: 2100 });
    const burst = await Promise.all(Array.from({ length: 9 }, (_, n) => doctor.ask('send', textSend(GROUP, `第${n}句`))));
    expect(burst.map(({ data }) => data.seq).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await soon(() => patient.events.filter(({ type }) => type === 'msg').length).toBe(10);
    expect(patient.events.map(({ n }) => n)).toEqual(patient.events.map((_, index) => patient.events[0]!.n + index));
    const rows = await own(world.kernel.db).selectFrom('consultationImMessage').select('seq').where('convId', '=', convId).execute();
    expect(rows).toHaveLength(10);
  });

  it('judges in the order of the design and stores nothing that is refused', async () => {
    const [patient, stranger, doctor] = [await enter('P1'), await enter('P2'), await enter('D1')];
    const before = await patient.ask('conversation', { id: GROUP });
    expect(await stranger.ask('send', textSend(GROUP, '你好'))).toMatchObject({ code: 10007, message: '您不是该会话成员，不能发言' });
    expect(await patient.ask('send', textSend('GROUPYH99999999', '你好'))).toMatchObject({ code: 10007 });
    expect(await patient.ask('send', { ...textSend(GROUP, 'x'), type: 'TIMGroupTipElem' })).toMatchObject({ code: 2105 });
    expect(await doctor.ask('send', textSend(GROUP, '字'.repeat(4096)))).toMatchObject({ code: 0 });
    expect(await doctor.ask('send', textSend(GROUP, `${'字'.repeat(4096)}a`))).toMatchObject({
      code: 80002,
      message: '消息过长，请分段发送',
    });
    expect(await doctor.ask('send', textSend(GROUP, 'a\u0000b'))).toMatchObject({ code: 2105 });
    useImHooks(world.kernel, {
      riskWords: () => ({ block: ['加微信'], flag: ['投诉'] }),
      sendPolicy: (_tx, wishes) => Promise.resolve(new Map(wishes.filter(({ senderId }) => senderId === 'P1').map((wish) => [wish, '']))),
    });
    expect(await doctor.ask('send', textSend(GROUP, '请加 微信联系'))).toMatchObject({
      code: 80001,
      message: '消息含敏感内容，请修改后发送',
    });
    expect(await doctor.ask('send', textSend(GROUP, '我要投诉'))).toMatchObject({ code: 0 });
    expect(await patient.ask('send', textSend(GROUP, '请加微信'))).toMatchObject({
      code: 10017,
      message: '问诊已结束，如需继续咨询请重新购买服务',
    });
    await world.write((writing, now) => muteEverywhere(writing, 'P1', '2027-01-01T00:00:00.000Z', '骚扰', now));
    expect(await patient.ask('send', textSend(GROUP, '你好'))).toMatchObject({ code: 10017, message: '您已被限制发言' });
    await world.write((writing, now) => muteEverywhere(writing, 'P1', null, null, now));
    useImHooks(world.kernel, { riskWords: () => ({ block: [], flag: [] }), sendPolicy: () => Promise.resolve(new Map()) });
    expect((await patient.ask('conversation', { id: GROUP })).data.conversation.lastSeq).toBe(before.data.conversation.lastSeq + 2);
  });

  it('takes twenty in ten seconds, then none until the window has moved; a stored one is answered all the same', async () => {
    world.app.clock.advance(seconds(60));
    await world.group('YH10000002', 'P2', 'D1', 'A1');
    const patient = await enter('P2');
    const sends = Array.from({ length: 21 }, (_, n) => textSend('GROUPYH10000002', `${n}`));
    const answers = [];
    for (const send of sends) answers.push(await patient.ask('send', send));
    expect(answers.map(({ code }) => code)).toEqual([...Array.from({ length: 20 }, () => 0), 2996]);
    expect(await patient.ask('send', sends[3])).toMatchObject({ code: 0, data: { duplicate: true, seq: 4 } });
    world.app.clock.advance(seconds(10));
    expect(await patient.ask('send', sends[20])).toMatchObject({ code: 0, data: { seq: 21 } });
  });

  it('opens a single chat with an assistant’s first message, which the patient may answer and refuse', async () => {
    const [assistant, patient] = [await enter('A2'), await enter('P2')];
    expect(await patient.ask('send', textSend('C2CA2', '在吗'))).toMatchObject({ code: 10007 });
    expect(await assistant.ask('send', textSend('C2CP2', '您好，我是医助'))).toMatchObject({ code: 0, data: { seq: 1 } });
    expect(await patient.ask('send', textSend('C2CA2', '您好'))).toMatchObject({ code: 0, data: { seq: 2 } });
    expect(await assistant.ask('send', textSend('C2CD1', '您好'))).toMatchObject({ code: 10007 });
    await patient.ask('blacklist', { add: ['A2'] });
    expect(await assistant.ask('send', textSend('C2CP2', '在吗'))).toMatchObject({ code: 20007, message: '对方已拒收您的消息' });
    await patient.ask('blacklist', { remove: ['A2'] });
    expect((await patient.ask('conversations', {})).data.conversations.map(({ conversationID }) => conversationID)).toContain('C2CA2');
  });
});

describe('reading', () => {
  it('counts the unread of the example and answers what was missed by the cursor', async () => {
    world.app.clock.advance(seconds(60));
    const conv = await world.group('YH10000003', 'P1', 'D1', 'A1');
    const id = 'GROUPYH10000003';
    const [patient, doctor] = [await enter('P1'), await enter('D1')];
    // Of ten messages three are my own, one is recalled and one is a tip.
    for (let n = 0; n < 6; n += 1) await doctor.ask('send', textSend(id, `医生${n}`));
    for (let n = 0; n < 3; n += 1) await patient.ask('send', textSend(id, `患者${n}`));
    await world.write((writing, now) => postTip(world.kernel, writing, { convId: conv, clientMsgId: 'tip:1', text: '提示' }, now));
    expect(await doctor.ask('revoke', { conversationID: id, seq: 2 })).toMatchObject({ code: 0, data: { message: { isRevoked: true } } });
    expect((await patient.ask('conversation', { id })).data.conversation).toMatchObject({ lastSeq: 10, readSeq: 0, unreadCount: 5 });
    expect((await patient.ask('read', { conversationID: id, readSeq: 4 })).data).toMatchObject({ readSeq: 4, unreadCount: 2 });
    expect((await patient.ask('read', { conversationID: id, readSeq: 1 })).data).toMatchObject({ readSeq: 4, unreadCount: 2 });
    expect((await patient.ask('read', { conversationID: id, readSeq: 999 })).data).toMatchObject({ readSeq: 10, unreadCount: 0 });
    const missed = await patient.ask('sync', { cursor: 0, limit: 500 });
    expect(missed.data.events.map(({ n }) => n)).toEqual(missed.data.events.map((_, index) => index + 1));
    expect(missed.data).toMatchObject({ more: false, reset: false });
    expect((await patient.ask('sync', { cursor: missed.data.nextCursor + 5, limit: 10 })).data.reset).toBe(true);
    world.app.clock.advance(seconds(9 * 86_400));
    expect((await connectSoon('P1', async (late) => (await late.ask('sync', { cursor: 0, limit: 10 })).data)).reset).toBe(true);
  });

  it('pages history and finds Chinese words with their places', async () => {
    const doctor = await enter('D1');
    const page = (await doctor.ask('history', { conversationID: GROUP, limit: 5 })).data;
    expect(page.messages).toHaveLength(5);
    expect(page.isCompleted).toBe(false);
    const older = (await doctor.ask('history', { conversationID: GROUP, beforeSeq: page.messages[0]!.seq, limit: 100 })).data;
    expect(older).toMatchObject({ isCompleted: true });
    expect(older.messages[0]!.seq).toBe(1);
    expect(
      (await doctor.ask('history', { conversationID: GROUP, afterSeq: 2, beforeSeq: 5, limit: 15 })).data.messages.map(({ seq }) => seq),
    ).toEqual([3, 4]);
    expect((await doctor.ask('history', { conversationID: GROUP, aroundSeq: 5, limit: 4 })).data.messages.map(({ seq }) => seq)).toEqual([
      3, 4, 5, 6,
    ]);
    const [hit, ...others] = (await doctor.ask('search', { keyword: '胸闷气', limit: 20 })).data.hits;
    expect(others).toEqual([]);
    expect(hit!.highlights.map(([from, to]) => hit!.snippet.slice(from, to))).toEqual(['胸闷气']);
    expect((await doctor.ask('search', { keyword: '胸短', limit: 20 })).data.hits).toEqual([]);
    expect(await doctor.ask('search', { keyword: '胸', limit: 20 })).toMatchObject({ code: 2105 });
    expect((await doctor.ask('search', { keyword: '胸', conversationID: GROUP, limit: 20 })).data.hits).toHaveLength(1);
    const stranger = await enter('P2');
    expect((await stranger.ask('search', { keyword: '胸闷', limit: 20 })).data.hits).toEqual([]);
    expect(await stranger.ask('history', { conversationID: GROUP, limit: 5 })).toMatchObject({ code: 10007 });
  });
});

describe('changing', () => {
  it('recalls within two minutes; the text is nowhere but in the original', async () => {
    const doctor = await enter('D1');
    const { data } = await doctor.ask('send', textSend(GROUP, '写错了的秘密'));
    world.app.clock.advance(seconds(119));
    expect(await doctor.ask('revoke', { conversationID: GROUP, seq: data.seq })).toMatchObject({ code: 0 });
    expect(JSON.stringify((await doctor.ask('history', { conversationID: GROUP, limit: 100 })).data)).not.toContain('秘密');
    expect((await doctor.ask('search', { keyword: '秘密', limit: 5 })).data.hits).toEqual([]);
    const kept = await own(world.kernel.db)
      .selectFrom('consultationImMessageOriginal')
      .select('payload')
      .where('convId', '=', convId)
      .where('seq', '=', String(data.seq))
      .execute();
    expect(kept).toEqual([{ payload: { text: '写错了的秘密' } }]);
    const late = await doctor.ask('send', textSend(GROUP, '晚了'));
    world.app.clock.advance(seconds(121));
    expect(await doctor.ask('revoke', { conversationID: GROUP, seq: late.data.seq })).toMatchObject({
      code: 20016,
      message: '已超过2分钟，不能撤回',
    });
    const conv = (await imEngine(world.kernel).names.byId(world.kernel.db, convId))!;
    expect(
      await world.write((writing, now) =>
        recallMessage(writing, imEngine(world.kernel), conv, late.data.seq, { imUserId: 'A1', reason: '含隐私' }, now),
      ),
    ).toMatchObject({ isRevoked: true, revokeReason: '含隐私' });
  });

  it('changes a card once per version', async () => {
    const doctor = await enter('D1');
    const card = { data: JSON.stringify({ businessID: 'medicine_suggestion', v: 1 }), description: '[用药建议]', extension: '' };
    const { data } = await doctor.ask('send', { ...textSend(GROUP, ''), type: 'TIMCustomElem', payload: card });
    const change = { conversationID: GROUP, seq: data.seq, payload: { ...card, extension: 'x' }, modifyVersion: 0 };
    expect(await doctor.ask('modify', change)).toMatchObject({ code: 0, data: { message: { modifyVersion: 1 } } });
    expect(await doctor.ask('modify', change)).toMatchObject({ code: 2480, message: '该消息已更新，请刷新' });
  });

  it('posts for engines once per key, refuses in closed conversations and after leaving', async () => {
    const post = {
      convId,
      senderId: 'A1',
      clientMsgId: 'corpus:task:812',
      type: 'TIMTextElem' as const,
      payload: { text: '今天记得服药' },
      sourceRef: 'corpus:task:812',
    };
    const first = await world.write((writing, now) => postStored(world.kernel, writing, post, now));
    expect(await world.write((writing, now) => postStored(world.kernel, writing, { ...post, senderId: 'SYSTEM' }, now))).toEqual({
      ...first,
      duplicate: true,
    });
    expect(await findByClientMsgId(world.kernel.db, convId, post.clientMsgId)).toMatchObject({ seq: first.seq });
    const assistant = await enter('A1');
    await world.write((writing, now) => changeConversation(world.kernel, writing, convId, { dissolved: true }, now));
    expect(await assistant.ask('send', textSend(GROUP, '还在吗'))).toMatchObject({ code: 10010, message: '会话不存在或已解散' });
    await world.write((writing, now) => changeConversation(world.kernel, writing, convId, { dissolved: false }, now));
    await world.write((writing, now) => removeMembers(world.kernel, writing, convId, ['A1'], now));
    expect(await assistant.ask('send', textSend(GROUP, '还在吗'))).toMatchObject({ code: 10007 });
  });
});

/** A client whose sign is of the moved clock. */
async function connectSoon<T>(userID: string, work: (client: RawClient) => Promise<T>): Promise<T> {
  const client = await enter(userID);
  return work(client);
}
