import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImClient, ImEvents } from '#domains/consultation/contract/im/client.ts';
import type { ConversationID, ImMessage } from '#domains/consultation/contract/im/types.ts';

/** A world in which one adapter is tried: accounts P1, P2, D1, A1 exist, and a group of P1, D1 and A1. */
export interface SuiteWorld {
  groupID: string;
  /** A logged-in client of this account, on a device of its own. */
  enter(userID: string): Promise<ImClient>;
  /** Moves the service's time. */
  advance(ms: number): void;
  close(): Promise<void>;
}

/** Waits for what comes by itself. */
const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 15_000 });

/** Gathers what a client says. */
export function listen<E extends keyof ImEvents>(client: ImClient, name: E): ImEvents[E][] {
  const heard: ImEvents[E][] = [];
  client.on(name, ({ data }) => void heard.push(data));
  return heard;
}

/** What every implementation of the chat must do alike; run unchanged against each. */
export function imClientSuite(name: string, make: () => Promise<SuiteWorld>): void {
  describe(`the chat client (${name})`, () => {
    let world: SuiteWorld;
    let id: ConversationID;
    beforeAll(async () => {
      world = await make();
      id = `GROUP${world.groupID}`;
    });
    afterAll(() => world.close());
    const text = (client: ImClient, words: string): ImMessage =>
      client.createTextMessage({ to: world.groupID, conversationType: 'GROUP', payload: { text: words } });
    const say = async (client: ImClient, words: string) => (await client.sendMessage(text(client, words))).data.message;

    it('creates at once, stores once, and tells the others', async () => {
      const [patient, doctor] = [await world.enter('P1'), await world.enter('D1')];
      const heard = listen(doctor, 'onMessageReceived');
      const message = text(patient, '医生您好');
      expect(message).toMatchObject({
        type: 'TIMTextElem',
        flow: 'out',
        status: 'unSend',
        conversationID: id,
        from: 'P1',
        to: world.groupID,
        payload: { text: '医生您好' },
      });
      const { data } = await patient.sendMessage(message);
      expect(data.message).toBe(message);
      expect(message).toMatchObject({ status: 'success', isRevoked: false });
      expect(message.sequence).toBeGreaterThan(0);
      await soon(() => heard.flat().map(({ payload, flow, sequence, from }) => ({ payload, flow, sequence, from }))).toEqual([
        { payload: { text: '医生您好' }, flow: 'in', sequence: message.sequence, from: 'P1' },
      ]);
      expect(doctor.findMessage(message.ID)).toMatchObject({ payload: { text: '医生您好' } });
      // A second sending of the same message changes nothing.
      expect((await patient.resendMessage(message)).data.message.sequence).toBe(message.sequence);
      expect(heard.flat()).toHaveLength(1);
    });

    it('passes what is meant for those who are there, and keeps nothing of it', async () => {
      const [stranger, patient, doctor] = [await world.enter('P2'), await world.enter('P1'), await world.enter('D1')];
      await expect(stranger.sendMessage(text(stranger, '你好'), { onlineUserOnly: true })).rejects.toMatchObject({ code: 10007 });
      const [heard, own] = [listen(doctor, 'onMessageReceived'), listen(patient, 'onMessageReceived')];
      const profile = async () => {
        const { lastSeq, unreadCount } = (await doctor.getConversationProfile(id)).data.conversation;
        return { lastSeq, unreadCount };
      };
      const before = await profile();
      const { data } = await patient.sendMessage(text(patient, '只给在线的人'), { onlineUserOnly: true });
      expect(data.message.status).toBe('success');
      await soon(() => heard.flat().map(({ payload, from }) => ({ payload, from }))).toEqual([
        { payload: { text: '只给在线的人' }, from: 'P1' },
      ]);
      expect(own).toEqual([]);
      expect(await profile()).toEqual(before);
      const { messageList } = (await doctor.getMessageList({ conversationID: id })).data;
      expect(messageList.some(({ payload }) => 'text' in payload && payload.text === '只给在线的人')).toBe(false);
    });

    it('counts unread until it was read, and tells how far others have read', async () => {
      const [patient, doctor] = [await world.enter('P1'), await world.enter('D1')];
      await doctor.setMessageRead({ conversationID: id });
      const unread = async () => (await doctor.getConversationProfile(id)).data.conversation.unreadCount;
      expect(await unread()).toBe(0);
      const last = [await say(patient, '一'), await say(patient, '二'), await say(doctor, '三')].at(-1)!;
      await soon(unread).toBe(2);
      await soon(() => doctor.getTotalUnreadMessageCount()).toBe(2);
      await doctor.setMessageRead({ conversationID: id });
      expect(await unread()).toBe(0);
      await soon(() => doctor.getTotalUnreadMessageCount()).toBe(0);
      const heard = listen(doctor, 'onMessageReadByPeer');
      await patient.setMessageRead({ conversationID: id });
      await patient.sendMessageReadReceipt([last]);
      await soon(() => heard.flat().some(({ userID, readSeq }) => userID === 'P1' && readSeq >= last.sequence)).toBe(true);
    });

    it('pages fifteen at a time, oldest first, to the end, and hops to a place', async () => {
      const doctor = await world.enter('D1');
      for (let n = 0; n < 18; n += 1) await say(doctor, `第${n}条`);
      world.advance(60_000);
      const first = (await doctor.getMessageList({ conversationID: id })).data;
      expect(first.messageList).toHaveLength(15);
      expect(first.messageList.at(-1)!.payload).toEqual({ text: '第17条' });
      const all = [...first.messageList];
      for (let next = first.nextReqMessageID; next;) {
        const page = (await doctor.getMessageList({ conversationID: id, nextReqMessageID: next })).data;
        all.unshift(...page.messageList);
        expect(page.isCompleted).toBe(page.nextReqMessageID === '');
        next = page.nextReqMessageID;
      }
      const seqs = all.map(({ sequence }) => sequence);
      expect(seqs).toEqual(seqs.map((_, index) => seqs[0]! + index));
      const middle = seqs[5]!;
      expect(
        (await doctor.getMessageListHopping({ conversationID: id, sequence: middle, direction: 1 })).data.messageList[0]!.sequence,
      ).toBe(middle);
      expect(
        (await doctor.getMessageListHopping({ conversationID: id, sequence: middle, direction: 0 })).data.messageList.at(-1)!.sequence,
      ).toBe(middle - 1);
    });

    it('recalls within two minutes and never after', async () => {
      const [patient, doctor] = [await world.enter('P1'), await world.enter('D1')];
      const heard = listen(doctor, 'onMessageRevoked');
      const [quick, late] = [await say(patient, '写错了'), await say(patient, '晚了')];
      await soon(() => doctor.findMessage(quick.ID)).not.toBeNull();
      world.advance(119_000);
      expect((await patient.revokeMessage(quick)).data.message).toMatchObject({ isRevoked: true });
      await soon(() => heard.flat().map(({ ID, isRevoked }) => ({ ID, isRevoked }))).toEqual([{ ID: quick.ID, isRevoked: true }]);
      world.advance(2_000);
      await expect(patient.revokeMessage(late)).rejects.toMatchObject({ code: 20016, message: '已超过2分钟，不能撤回' });
      await expect(doctor.revokeMessage(late)).rejects.toMatchObject({ name: 'ImError' });
    });

    it('changes cards, once per version', async () => {
      const [patient, doctor] = [await world.enter('P1'), await world.enter('D1')];
      const heard = listen(patient, 'onMessageModified');
      const payload = {
        data: JSON.stringify({ businessID: 'inspection_request', v: 1, requestId: '1', items: [], dueOn: null }),
        description: '[检查资料请求]',
        extension: '',
      };
      const { message } = (await doctor.sendMessage(doctor.createCustomMessage({ to: world.groupID, conversationType: 'GROUP', payload })))
        .data;
      const stale = { ...message };
      await doctor.modifyMessage({ ...message, payload: { ...payload, extension: '已上传' } });
      await soon(() => heard.flat().map((one) => one.payload)).toEqual([{ ...payload, extension: '已上传' }]);
      await expect(doctor.modifyMessage(stale)).rejects.toMatchObject({ code: 2480 });
    });

    it('stores files before it sends and refuses what is too large or of a wrong kind before that', async () => {
      const patient = await world.enter('P1');
      const shares: number[] = [];
      const picture = (size: number, file = '报告.png') =>
        patient.createImageMessage({
          to: world.groupID,
          conversationType: 'GROUP',
          file: { name: file, size, type: 'image/png' },
          onProgress: (share) => void shares.push(share),
        });
      const { message } = (await patient.sendMessage(picture(1_000))).data;
      expect(message.payload).toMatchObject({ fileName: '报告.png' });
      expect(shares.at(-1)).toBe(1);
      await expect(patient.sendMessage(picture(21 * 1024 * 1024))).rejects.toMatchObject({
        code: 2402,
        message: '文件过大，图片不超过20MB、文件不超过100MB',
      });
      const program = patient.createFileMessage({
        to: world.groupID,
        conversationType: 'GROUP',
        file: { name: 'a.exe', size: 10, type: '' },
      });
      await expect(patient.sendMessage(program)).rejects.toMatchObject({ message: '不支持的文件类型' });
    });

    it('refuses who is no member and what is too long, and marks the message as failed', async () => {
      const stranger = await world.enter('P2');
      const message = text(stranger, '你好');
      await expect(stranger.sendMessage(message)).rejects.toMatchObject({ code: 10007 });
      expect(message.status).toBe('fail');
      const patient = await world.enter('P1');
      await expect(say(patient, 'a'.repeat(12_289))).rejects.toMatchObject({ code: 80002, message: '消息过长，请分段发送' });
      expect((await say(patient, 'a'.repeat(12_288))).status).toBe('success');
    });

    it('keeps pin, draft, reminder and hiding on all devices of one person', async () => {
      const [one, other] = [await world.enter('A1'), await world.enter('A1')];
      await one.pinConversation({ conversationID: id, isPinned: true });
      await one.setConversationDraft({ conversationID: id, draftText: '草稿' });
      await one.setMessageRemindType({ conversationID: id, messageRemindType: 'AcceptNotNotify' });
      const seen = async () =>
        (await other.getConversationList()).data.conversationList.find(({ conversationID }) => conversationID === id);
      await soon(seen).toMatchObject({ isPinned: true, remindType: 'AcceptNotNotify' });
      expect(one.getTotalUnreadMessageCount()).toBe(0);
      await one.setMessageRemindType({ conversationID: id, messageRemindType: 'AcceptAndNotify' });
      await one.pinConversation({ conversationID: id, isPinned: false });
      await one.deleteConversation(id);
      await soon(seen).toBeUndefined();
      world.advance(60_000);
      await say(await world.enter('D1'), '新消息');
      await soon(seen).toMatchObject({ unreadCount: 1 });
      expect((await one.getMessageList({ conversationID: id })).data.messageList).toHaveLength(1);
    });

    it('lists members by thirty with their roles, profiles and the group', async () => {
      const doctor = await world.enter('D1');
      const { memberList, offset } = (await doctor.getGroupMemberList({ groupID: world.groupID, count: 30, offset: 0 })).data;
      expect(offset).toBe(0);
      expect(Object.fromEntries(memberList.map(({ userID, memberCustomField }) => [userID, memberCustomField]))).toEqual({
        P1: [{ key: 'userRole', value: '患者' }],
        D1: [{ key: 'userRole', value: '医生' }],
        A1: [{ key: 'userRole', value: '医助' }],
      });
      expect(
        (await doctor.getGroupMemberProfile({ groupID: world.groupID, userIDList: ['P1'] })).data.memberList.map(({ userID }) => userID),
      ).toEqual(['P1']);
      expect((await doctor.getGroupProfile({ groupID: world.groupID })).data.group).toMatchObject({
        groupID: world.groupID,
        memberCount: 3,
      });
      expect((await doctor.getMyProfile()).data).toMatchObject({ userID: 'D1' });
      expect((await doctor.getUserProfile({ userIDList: ['P1', 'A1'] })).data).toHaveLength(2);
      await expect(
        doctor.setGroupMemberCustomField({ groupID: world.groupID, userID: 'P1', memberCustomField: [{ key: 'userRole', value: '医生' }] }),
      ).rejects.toMatchObject({ code: 10007 });
    });

    it('refuses whom somebody does not want to hear, and tells who is there', async () => {
      const [assistant, patient] = [await world.enter('A1'), await world.enter('P1')];
      const single = (words: string) =>
        assistant.sendMessage(assistant.createTextMessage({ to: 'P1', conversationType: 'C2C', payload: { text: words } }));
      expect((await single('您好')).data.message).toMatchObject({ conversationID: 'C2CP1', conversationType: 'C2C' });
      expect((await patient.addToBlacklist({ userIDList: ['A1'] })).data).toEqual(['A1']);
      await expect(single('在吗')).rejects.toMatchObject({ code: 20007, message: '对方已拒收您的消息' });
      expect((await patient.removeFromBlacklist({ userIDList: ['A1'] })).data).toEqual([]);
      expect((await assistant.getUserStatus({ userIDList: ['P1', 'P7'] })).data).toEqual([
        { userID: 'P1', statusType: 'ONLINE' },
        { userID: 'P7', statusType: 'OFFLINE' },
      ]);
    });

    it('rings, and tells the caller who answered', async () => {
      const [doctor, patient] = [await world.enter('D1'), await world.enter('P1')];
      const [rung, answered] = [listen(patient, 'onInvite'), listen(doctor, 'onInvite')];
      const { inviteID } = (
        await doctor.inviteInGroup({
          groupID: world.groupID,
          inviteeList: ['P1'],
          data: JSON.stringify({ businessID: 'video_call', roomId: 7 }),
          timeout: 60,
        })
      ).data;
      await soon(() => rung.map(({ state, inviter }) => ({ state, inviter }))).toEqual([{ state: 'OPEN', inviter: 'D1' }]);
      await patient.accept({ inviteID });
      await soon(() => answered.at(-1)).toMatchObject({ inviteID, state: 'ACCEPTED', by: 'P1' });
      await expect(doctor.cancel({ inviteID })).rejects.toMatchObject({ name: 'ImError' });
    });

    it('shows typing to the others alone', async () => {
      const [doctor, patient] = [await world.enter('D1'), await world.enter('P1')];
      const [heard, own] = [listen(patient, 'onTyping'), listen(doctor, 'onTyping')];
      doctor.sendTyping({ conversationID: id, typing: true });
      await soon(() => heard).toEqual([{ conversationID: id, userID: 'D1', typing: true }]);
      expect(own).toEqual([]);
    });

    it('is not ready before login and after logout', async () => {
      const client = await world.enter('P1');
      expect(client.isReady()).toBe(true);
      expect((await client.login({ userID: 'P1', userSig: 'unused' })).data).toEqual({ repeatLogin: true });
      await client.logout();
      expect(client.isReady()).toBe(false);
      expect(() => text(client, '')).toThrow(expect.objectContaining({ code: 2999 }));
    });
  });
}
