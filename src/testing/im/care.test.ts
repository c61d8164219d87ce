import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imLimits, titleBadge } from '#domains/consultation/contract/im/limits.ts';
import type { ConversationID, ImMessage } from '#domains/consultation/contract/im/types.ts';
import { imEngine } from '#domains/consultation/server/im/engine.ts';
import type { EmbeddedImClient } from '#domains/consultation/web/im/embeddedImClient.ts';
import { indexedDbKeeper, keeperName } from '#domains/consultation/web/im/kept/indexedDbKeeper.ts';
import { embeddedWorld, makeClient, memoryKeeperOf, type EmbeddedWorld } from './embeddedWorld.ts';
import { listen } from './imClientSuite.ts';
import { testBrowser } from './tabs.ts';
import { withIndexedDb } from '../withIndexedDb.ts';

withIndexedDb();

/** Waits for what comes by itself. */
const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 15_000 });

// What people complain about elsewhere: lost and doubled messages, wrong counts, tabs that disagree.
let made: EmbeddedWorld;
beforeAll(async () => {
  made = await embeddedWorld();
  imEngine(made.world.kernel).limits = {
    ...imLimits,
    connections: { user: 500, address: 500, node: 500 },
    user: { count: 5_000, seconds: 10 },
    group: { count: 5_000, seconds: 1 },
  };
});
afterAll(() => made.close());

let serial = 20_000_000;
const openGroup = async (...users: string[]): Promise<{ groupID: string; id: ConversationID }> => {
  const groupID = `YH${(serial += 1)}`;
  await made.world.group(groupID, ...users);
  return { groupID, id: `GROUP${groupID}` };
};
const text = (client: EmbeddedImClient, groupID: string, words: string) =>
  client.createTextMessage({ to: groupID, conversationType: 'GROUP', payload: { text: words } });
const words = (messages: readonly ImMessage[]) => messages.map(({ payload }) => ('text' in payload ? payload.text : ''));
const history = async (client: EmbeddedImClient, id: ConversationID) =>
  words((await client.getMessageList({ conversationID: id })).data.messageList);

describe('cut networks', () => {
  it('delivers what was written meanwhile in order, once, and shows what others wrote', async () => {
    const { groupID, id } = await openGroup('P1', 'D1');
    const [patient, doctor] = [await made.enter('P1'), await made.enter('D1')];
    await doctor.getMessageList({ conversationID: id });
    const states = listen(patient, 'netStateChange');
    const heard = listen(patient, 'onMessageReceived');
    patient.cut();
    await soon(() => states.map(({ state }) => state)).toContain('disconnected');
    const sent = ['一', '二', '三'].map((word) => patient.sendMessage(text(patient, groupID, word)));
    expect(patient.undelivered(id)).toHaveLength(3);
    await doctor.sendMessage(text(doctor, groupID, '在吗'));
    await doctor.sendMessage(text(doctor, groupID, '请回复'));
    expect((await Promise.all(sent)).map(({ data }) => data.message.sequence)).toEqual([3, 4, 5]);
    expect(words(heard.flat())).toEqual(['在吗', '请回复']);
    expect(await history(doctor, id)).toEqual(['在吗', '请回复', '一', '二', '三']);
    expect(patient.undelivered()).toEqual([]);
  });

  it('stores a message once whose acknowledgement was lost', async () => {
    const { groupID, id } = await openGroup('P1', 'D1');
    const patient = await made.enter('P1');
    for (let n = 0; n < 10; n += 1) {
      const sending = patient.sendMessage(text(patient, groupID, `${n}`));
      // Cut at another moment each time: before it left, while it is stored, when the answer is on its way.
      for (let turn = 0; turn < n; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      patient.cut();
      expect((await sending).data.message.sequence).toBe(n + 1);
    }
    expect(await history(patient, id)).toEqual(Array.from({ length: 10 }, (_, n) => `${n}`));
  });

  it('keeps a refused message as failed, and sends it again only when asked', async () => {
    const { groupID, id } = await openGroup('P1', 'D1');
    const patient = await made.enter('P1');
    imEngine(made.world.kernel).hooks = { ...imEngine(made.world.kernel).hooks, riskWords: () => ({ block: ['加微信'], flag: [] }) };
    const message = text(patient, groupID, '加微信');
    await expect(patient.sendMessage(message)).rejects.toMatchObject({ code: 80001 });
    expect(patient.undelivered(id)).toEqual([
      expect.objectContaining({ status: 'fail', fault: { code: 80001, message: '消息含敏感内容，请修改后发送' } }),
    ]);
    imEngine(made.world.kernel).hooks = { ...imEngine(made.world.kernel).hooks, riskWords: () => ({ block: [], flag: [] }) };
    await Promise.all([patient.resendMessage(message), patient.resendMessage(message)]);
    expect(await history(patient, id)).toEqual(['加微信']);
    const other = text(patient, groupID, '算了');
    await patient.sendMessage(other);
    expect(patient.undelivered()).toEqual([]);
  });

  it('takes up the outbox and the cursor of the last visit', async () => {
    const { groupID, id } = await openGroup('P1', 'D1');
    const keeper = memoryKeeperOf();
    const first = await made.enter('P1', { keeper, clientId: 'browser-of-p1' });
    await first.sendMessage(text(first, groupID, '第一句'));
    await soon(async () => (await keeper('P1').load()).cursor).not.toBeNull();
    first.cut();
    first.sendMessage(text(first, groupID, '关闭前写的')).catch(() => {});
    await soon(async () => (await keeper('P1').outbox()).length).toBe(1);
    await first.destroy();
    const doctor = await made.enter('D1');
    await doctor.sendMessage(text(doctor, groupID, '您不在时'));
    const second = makeClient(made.world.address, { keeper, clientId: 'browser-of-p1' });
    made.clients.push(second);
    const heard = listen(second, 'onMessageReceived');
    await second.login({ userID: 'P1', userSig: await made.world.sign('P1') });
    await soon(() => history(second, id)).toEqual(['第一句', '您不在时', '关闭前写的']);
    expect(words(heard.flat())).toContain('您不在时');
    expect((await second.getConversationProfile(id)).data.conversation.unreadCount).toBe(1);
  });

  it('loads everything anew when the log does not reach back', async () => {
    const { groupID, id } = await openGroup('P1', 'D1');
    const keeper = memoryKeeperOf();
    const first = await made.enter('P1', { keeper });
    const doctor = await made.enter('D1');
    await doctor.sendMessage(text(doctor, groupID, '旧消息'));
    await first.getMessageList({ conversationID: id });
    await first.destroy();
    await keeper('P1').savePicture(1, [], []);
    made.advance(9 * 86_400_000);
    const late = await made.enter('D1');
    await late.sendMessage(text(late, groupID, '新消息'));
    const back = await made.enter('P1', { keeper });
    const found = (await back.getConversationList()).data.conversationList.find(({ conversationID }) => conversationID === id);
    expect(found).toMatchObject({ unreadCount: 2, lastSeq: 2 });
    expect(await history(back, id)).toEqual(['旧消息', '新消息']);
  });
});

describe('unread', () => {
  it('is the same on every device as a recount, whatever happened', async () => {
    const { groupID, id } = await openGroup('P1', 'D1', 'A1');
    const [one, other, doctor] = [await made.enter('A1'), await made.enter('A1'), await made.enter('D1')];
    const step = fc.constantFrom('send', 'send', 'send', 'own', 'read', 'readSome', 'recall', 'cut');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const sent: ImMessage[] = [];
        for (const what of steps) {
          if (what === 'send') sent.push((await doctor.sendMessage(text(doctor, groupID, '医生'))).data.message);
          else if (what === 'own') await one.sendMessage(text(one, groupID, '医助'));
          else if (what === 'read') await one.setMessageRead({ conversationID: id });
          else if (what === 'readSome' && sent[0])
            await other.readUpTo({ conversationID: id, readSeq: sent[Math.floor(sent.length / 2)]!.sequence });
          else if (what === 'recall' && sent.length > 0) await doctor.revokeMessage(sent.pop()!);
          else if (what === 'cut') {
            const back = new Promise((resolve) => other.on('netStateChange', ({ data }) => data.state === 'connected' && resolve(null)));
            other.cut();
            await back;
          }
        }
        const counted = (await (await made.enter('A1')).getConversationProfile(id)).data.conversation.unreadCount;
        const shown = async (client: EmbeddedImClient) =>
          (await client.getConversationList()).data.conversationList.find(({ conversationID }) => conversationID === id)?.unreadCount;
        await soon(() => shown(one)).toBe(counted);
        await soon(() => shown(other)).toBe(counted);
      }),
      { numRuns: 8 },
    );
  });

  it('shows the sum in the title, capped at ninety-nine', async () => {
    expect([0, 1, 99, 100, 250].map(titleBadge)).toEqual(['', '[1]', '[99]', '[99+]', '[99+]']);
    const { groupID } = await openGroup('D1', 'A9');
    const [assistant, doctor] = [await made.enter('A9'), await made.enter('D1')];
    await Promise.all(Array.from({ length: 130 }, (_, n) => doctor.sendMessage(text(doctor, groupID, `${n}`))));
    await soon(() => titleBadge(assistant.getTotalUnreadMessageCount())).toBe('[99+]');
  });
});

describe('signs', () => {
  it('are asked for anew at four fifths of their life, by the service’s clock, and the connection lives on', async () => {
    await made.world.accounts('P6');
    const old = await made.world.sign('P6');
    const given: string[] = [];
    const renewSign = async () => {
      given.push(await made.world.sign('P6'));
      return given.at(-1)!;
    };
    const enter = async () => {
      const client = makeClient(made.world.address, { renewSign });
      made.clients.push(client);
      await client.login({ userID: 'P6', userSig: old });
      return client;
    };
    await (await enter()).destroy();
    made.advance(9 * 3_600_000);
    await (await enter()).destroy();
    expect(given).toEqual([]);
    made.advance(3_600_000);
    const client = await enter();
    const ends = () =>
      [...imEngine(made.world.kernel).hub.socketsOf('P6')].map((socket) => (socket.data as { sign: { endsAt: number } }).sign.endsAt);
    await soon(ends).toEqual([Date.parse(made.world.kernel.clock.now()) + 12 * 3_600_000]);
    expect(given).toHaveLength(1);
    expect(client.isReady()).toBe(true);
  });
});

describe('tabs', () => {
  it('hear each of whom they asked for, also after another took the lead', async () => {
    await made.world.accounts('P7', 'D7', 'D8');
    const browser = testBrowser();
    const tabs = [browser.tab(), browser.tab()];
    const clients: EmbeddedImClient[] = [];
    for (const { tools } of tabs) clients.push(await made.enter('P7', { tabs: tools, clientId: 'browser-of-p7' }));
    const [first, second] = clients as [EmbeddedImClient, EmbeddedImClient];
    const heard = clients.map((client) => listen(client, 'onUserStatusUpdated'));
    await first.subscribeUserStatus({ userIDList: ['D7'] });
    await second.subscribeUserStatus({ userIDList: ['D8'] });
    const last = () => heard.map((list) => list.at(-1));
    expect(last()).toEqual([[{ userID: 'D7', statusType: 'OFFLINE' }], [{ userID: 'D8', statusType: 'OFFLINE' }]]);
    const [one, other] = [await made.enter('D7'), await made.enter('D8')];
    await soon(last).toEqual([[{ userID: 'D7', statusType: 'ONLINE' }], [{ userID: 'D8', statusType: 'ONLINE' }]]);
    await first.unsubscribeUserStatus();
    tabs[0]!.die();
    first.cut();
    await first.destroy();
    await soon(() => second.isLeader && second.isReady()).toBe(true);
    await one.destroy();
    await other.destroy();
    await soon(() => heard[1]!.at(-1)).toEqual([{ userID: 'D8', statusType: 'OFFLINE' }]);
    expect(heard.map((list) => list.flat().some(({ userID }) => userID === 'D8'))).toEqual([false, true]);
  });

  it('share one connection; another takes over when the leading one dies; logging out ends all', async () => {
    const { groupID, id } = await openGroup('P5', 'D1');
    const browser = testBrowser();
    const tabs = [browser.tab(), browser.tab(), browser.tab()];
    const clients: EmbeddedImClient[] = [];
    for (const { tools } of tabs)
      clients.push(await made.enter('P5', { tabs: tools, clientId: 'browser-of-p5', keeper: (userID) => indexedDbKeeper(userID) }));
    const [first, second, third] = clients as [EmbeddedImClient, EmbeddedImClient, EmbeddedImClient];
    const sockets = () => imEngine(made.world.kernel).hub.socketsOf('P5').size;
    expect(sockets()).toBe(1);
    expect(clients.map(({ isLeader }) => isLeader)).toEqual([true, false, false]);
    const heard = [listen(second, 'onMessageReceived'), listen(third, 'onMessageReceived')];
    expect((await third.sendMessage(text(third, groupID, '从第三个标签'))).data.message.sequence).toBe(1);

    tabs[0]!.die();
    first.cut();
    await first.destroy();
    const doctor = await made.enter('D1');
    await doctor.sendMessage(text(doctor, groupID, '接管时'));
    await soon(() => second.isLeader && second.isReady()).toBe(true);
    await doctor.sendMessage(text(doctor, groupID, '接管后'));
    await soon(() => heard.map((list) => words(list.flat()))).toEqual([
      ['从第三个标签', '接管时', '接管后'],
      ['接管时', '接管后'],
    ]);
    expect(sockets()).toBe(1);
    await soon(() => history(third, id)).toEqual(['从第三个标签', '接管时', '接管后']);

    const left = listen(third, 'kickedOut');
    await second.logout();
    await soon(() => left.length).toBe(1);
    expect(third.isReady()).toBe(false);
    await soon(sockets).toBe(0);
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(keeperName('P5'));
  });
});
