import { expect, test } from 'vitest';
import type { ConversationID, ImConversation, ImMember, ImMessage } from '../../../contract/im/types.ts';
import { makeChooser, type ChooseParts, type ChooseView } from './choose.ts';

const A: ConversationID = 'GROUPYH10000001';
const B: ConversationID = 'GROUPYH10000002';
const C: ConversationID = 'GROUPYH10000003';
const DESK: ConversationID = 'GROUPDZT10000001';

const member = (userID: string): ImMember => ({
  userID,
  nick: userID,
  avatar: '',
  joinTime: 0,
  muteUntil: 0,
  readSeq: 0,
  memberCustomField: [{ key: 'userRole', value: '患者' }],
});

/** A client and a panel that write down what is asked; answers come when `answer` lets them. */
function world(members = [member('P12'), member('A7'), member('D34')]) {
  const calls: string[] = [];
  const shown: string[] = [];
  const gates = new Map<string, (() => void)[]>();
  const held = new Set<string>();
  let timers: { ms: number; act: () => void }[] = [];
  const asked = async <T>(name: string, data: T): Promise<T> => {
    calls.push(name);
    if (held.has(name)) await new Promise<void>((open) => gates.set(name, [...(gates.get(name) ?? []), open]));
    return data;
  };
  const ok = <T>(data: T): { code: 0; data: T } => ({ code: 0, data });
  const client: ChooseParts['client'] = {
    setMessageRead: async ({ conversationID }) => ok(await asked(`read ${conversationID}`, null)),
    getConversationProfile: async (id) => ok({ conversation: { conversationID: await asked(`profile ${id}`, id) } as ImConversation }),
    getMessageList: async ({ conversationID }) =>
      ok(
        await asked(`list ${conversationID}`, {
          messageList: [{ conversationID }] as ImMessage[],
          nextReqMessageID: '',
          isCompleted: true,
        }),
      ),
    getGroupMemberList: async ({ groupID, count = 30, offset = 0 }) => {
      const end = offset + count;
      const page = { memberList: members.slice(offset, end), offset: end < members.length ? end : 0 };
      return ok(await asked(`members ${groupID} ${count}${offset ? ` from ${offset}` : ''}`, page));
    },
  };
  const panel: ChooseParts['panel'] = {
    doctor: (id) => asked(`doctor ${id}`, 'doctor'),
    inquiry: (id) => asked(`inquiry ${id}`, 'inquiry'),
    inquiryId: (id) => asked(`inquiryId ${id}`, { inquiryUserId: '99' }),
    preview: (id) => asked(`preview ${id}`, 'preview'),
  };
  const view: ChooseView = {
    begin: ({ conversationID }) => shown.push(`begin ${conversationID}`),
    profile: (conversation) => shown.push(`profile ${conversation?.conversationID}`),
    emptied: () => shown.push('emptied'),
    messages: ({ messageList }) => shown.push(`messages ${messageList[0]?.conversationID}`),
    members: ({ memberList }) => shown.push(`members ${memberList.length}`),
    failed: (part) => shown.push(`failed ${part}`),
    opened: (operatorId) => shown.push(`opened ${operatorId}`),
    waiting: (section) => shown.push(`waiting ${section}`),
    section: (section) => shown.push(`section ${section}`),
    sectionFailed: (section) => shown.push(`sectionFailed ${section}`),
  };
  const chooser = makeChooser({
    client,
    panel,
    view,
    after(ms, act) {
      const timer = { ms, act };
      timers.push(timer);
      return () => void (timers = timers.filter((one) => one !== timer));
    },
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return {
    calls,
    shown,
    chooser,
    settle,
    hold: (name: string) => void held.add(name),
    /** Lets the answer come that was asked for last. */
    answer: async (name: string) => (gates.get(name)?.pop()?.(), settle()),
    timers: () => timers.map(({ ms }) => ms),
    fire: async () => {
      const due = timers;
      timers = [];
      for (const { act } of due) act();
      await settle();
    },
  };
}

test('the former conversation is read, then profile, emptying, 15 messages, 30 members, and the panel after 500 ms', async () => {
  const { calls, shown, chooser, settle, timers, fire } = world();
  await chooser.choose(A, 'MEMBER');
  await settle();
  calls.length = 0;
  shown.length = 0;
  await chooser.choose(B, 'MEMBER');
  await settle();
  expect(calls).toEqual([`read ${A}`, `profile ${B}`, `list ${B}`, 'members YH10000002 30']);
  expect(shown).toEqual([`begin ${B}`, `profile ${B}`, 'emptied', `messages ${B}`, 'members 3']);
  expect(timers()).toEqual([500]);
  calls.length = 0;
  shown.length = 0;
  await fire();
  expect(calls.toSorted()).toEqual(['doctor 34', 'inquiry YH10000002', 'inquiryId YH10000002']);
  // The record's sections ask for themselves once they may.
  expect(shown).toContain('opened 12');
});

test('doctor and patient are found behind the first thirty members; thirty are shown', async () => {
  const many = Array.from({ length: 58 }, (_, n) => member(`A${n + 100}`));
  const { calls, shown, chooser, settle, fire } = world([...many.slice(0, 40), member('P12'), ...many.slice(40), member('D34')]);
  await chooser.choose(B, 'MEMBER');
  await settle();
  await fire();
  expect(calls.filter((name) => name.startsWith('members'))).toEqual(['members YH10000002 30', 'members YH10000002 30 from 30']);
  expect(calls).toContain('doctor 34');
  expect(shown).toContain('members 30');
  expect(shown).toContain('opened 12');
});

test('another choice within 500 ms asks nothing for the panel of the former one', async () => {
  const { calls, shown, chooser, settle, fire } = world();
  await chooser.choose(B, 'MEMBER');
  await chooser.choose(C, 'MEMBER');
  await settle();
  await fire();
  expect(calls.filter((name) => /inquiry|doctor/.test(name)).toSorted()).toEqual([
    'doctor 34',
    'inquiry YH10000003',
    'inquiryId YH10000003',
  ]);
  expect(shown.filter((name) => name.startsWith('opened'))).toEqual(['opened 12']);
});

test('late answers of the former conversation are dropped', async () => {
  const { shown, chooser, settle, hold, answer, fire } = world();
  hold(`list ${B}`);
  hold('inquiry YH10000002');
  void chooser.choose(B, 'MEMBER');
  await settle();
  await fire();
  await chooser.choose(C, 'MEMBER');
  await settle();
  shown.length = 0;
  await answer(`list ${B}`);
  await answer('inquiry YH10000002');
  expect(shown).toEqual([]);
});

test('of two answers for one part of the panel the one that was asked for last counts', async () => {
  const { shown, chooser, settle, hold, answer, fire } = world();
  await chooser.choose(B, 'MEMBER');
  hold('inquiry YH10000002');
  await settle();
  await fire();
  void chooser.retry('inquiry');
  await settle();
  expect(shown.filter((name) => name === 'section inquiry')).toEqual([]);
  for (const _late of [false, true]) {
    await answer('inquiry YH10000002');
    expect(shown.filter((name) => name === 'section inquiry')).toHaveLength(1);
  }
});

test('a guidance desk has no doctor; a single chat has no panel; a preview loads masked facts alone and is never marked read', async () => {
  const { calls, chooser, settle, fire, timers } = world();
  await chooser.choose(DESK, 'MEMBER');
  await settle();
  await fire();
  expect(calls.some((name) => name.startsWith('doctor'))).toBe(false);
  await chooser.choose('C2CP12', 'MEMBER');
  expect(timers()).toEqual([]);
  calls.length = 0;
  await chooser.choose(A, 'PREVIEW');
  await settle();
  await fire();
  expect(calls).toEqual(['read C2CP12', `list ${A}`, 'members YH10000001 30', 'preview YH10000001', 'inquiry YH10000001']);
  calls.length = 0;
  await chooser.choose(B, 'WATCH');
  expect(calls).toEqual([`list ${B}`, 'members YH10000002 30']);
});
