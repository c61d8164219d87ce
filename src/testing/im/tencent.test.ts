import { describe, expect, it, vi } from 'vitest';
import { vendorRefusal } from '#domains/consultation/contract/im/vendor.ts';
import { imClientSuite, listen } from './imClientSuite.ts';
import { tencentWorld } from './tencentWorld.ts';

imClientSuite('vendor service', () => Promise.resolve(tencentWorld()));

const EIGHT_DAYS = 8 * 86_400_000;

describe('the chat over the vendor', () => {
  const id = 'GROUPYH10000001';
  const say = async (client: Awaited<ReturnType<ReturnType<typeof tencentWorld>['enter']>>, text: string) =>
    (await client.sendMessage(client.createTextMessage({ to: 'YH10000001', conversationType: 'GROUP', payload: { text } }))).data.message;

  it('goes on from our own record where the vendor keeps nothing any more, without a gap', async () => {
    const world = tencentWorld();
    const doctor = await world.enter('D1');
    for (let n = 1; n <= 20; n += 1) await say(doctor, `旧${n}`);
    world.advance(EIGHT_DAYS);
    for (let n = 1; n <= 18; n += 1) await say(doctor, `新${n}`);
    const pages: number[][] = [];
    const cursors: string[] = [];
    let next = '';
    do {
      const { data } = await doctor.getMessageList({ conversationID: id, ...(next ? { nextReqMessageID: next } : {}) });
      pages.unshift(data.messageList.map(({ sequence }) => sequence));
      next = data.nextReqMessageID;
      cursors.push(next.startsWith('s:') ? 's:' : next && 'vendor');
      expect(data.isCompleted).toBe(next === '');
    } while (next);
    expect(pages.map(({ length }) => length)).toEqual([8, 15, 15]);
    expect(pages.flat()).toEqual(Array.from({ length: 38 }, (_, n) => n + 1));
    expect(cursors).toEqual(['vendor', 's:', '']);
    expect(
      (await doctor.getMessageListHopping({ conversationID: id, sequence: 10, direction: 0 })).data.messageList.map(
        ({ sequence }) => sequence,
      ),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await world.close();
  });

  it('finds the place in our record for single chats, whose numbers differ', async () => {
    const world = tencentWorld();
    const assistant = await world.enter('A1');
    const single = async (text: string) =>
      void (await assistant.sendMessage(assistant.createTextMessage({ to: 'P1', conversationType: 'C2C', payload: { text } })));
    for (const text of ['一', '二', '三']) await single(text);
    world.advance(EIGHT_DAYS);
    await single('四');
    const { data } = await assistant.getMessageList({ conversationID: 'C2CP1' });
    expect(data.messageList.map(({ payload }) => payload)).toEqual(['一', '二', '三', '四'].map((text) => ({ text })));
    expect(data.isCompleted).toBe(true);
    await world.close();
  });

  it('tells us how far was read, and nothing of typing', async () => {
    const world = tencentWorld();
    const [doctor, patient] = [await world.enter('D1'), await world.enter('P1')];
    const { sequence } = await say(doctor, '您好');
    const heard = listen(doctor, 'onMessageReceived');
    patient.sendTyping({ conversationID: id, typing: true });
    await patient.setMessageRead({ conversationID: id });
    expect(world.record.reads).toEqual([{ me: 'P1', conversationID: id, readSeq: sequence }]);
    expect(heard).toEqual([]);
    expect(world.vendor.talks.get('YH10000001')?.messages).toHaveLength(1);
    await world.close();
  });

  it('shows the refusal of our server in its own words, and sends the same message again', async () => {
    const world = tencentWorld();
    const patient = await world.enter('P1');
    world.vendor.before = () => ({ code: vendorRefusal('POLICY', 'GROUP'), info: '问诊已结束，如需继续咨询请重新购买服务' });
    const message = patient.createTextMessage({ to: 'YH10000001', conversationType: 'GROUP', payload: { text: '在吗' } });
    await expect(patient.sendMessage(message)).rejects.toMatchObject({ code: 10017, message: '问诊已结束，如需继续咨询请重新购买服务' });
    expect(message).toMatchObject({ status: 'fail', fault: { code: 10017 } });
    expect(patient.undelivered(id)).toEqual([message]);
    world.vendor.before = () => null;
    await patient.resendMessage(message);
    expect(message.status).toBe('success');
    expect(patient.undelivered()).toEqual([]);
    await world.close();
  });

  it('reading along hears what is said, and what is recalled, from our own record', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const world = tencentWorld();
      const [patient, watcher] = [await world.enter('P1'), await world.enter('A9')];
      const before = await say(patient, '先说的');
      await watcher.watch({ conversationID: id, on: true });
      const [heard, gone] = [listen(watcher, 'onWatchedMessage'), listen(watcher, 'onMessageRevoked')];
      await say(patient, '后说的');
      await vi.advanceTimersByTimeAsync(3_000);
      expect(heard).toMatchObject([{ payload: { text: '后说的' } }]);
      await patient.revokeMessage(before);
      await vi.advanceTimersByTimeAsync(6_000);
      expect(gone).toMatchObject([[{ sequence: before.sequence, isRevoked: true }]]);
      expect(heard).toHaveLength(1);
      await world.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('takes a new sign once the old one is over', async () => {
    const world = tencentWorld();
    const client = await world.enter('A1');
    const kicked = listen(client, 'kickedOut');
    world.vendor.tell(['A1'], 'kickedOut', () => ({ type: 'userSigExpired' }));
    await expect.poll(() => kicked).toEqual([{ type: 'userSigExpired' }]);
    await world.close();
  });
});
