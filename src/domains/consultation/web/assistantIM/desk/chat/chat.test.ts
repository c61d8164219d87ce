import { createStore } from 'zustand/vanilla';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { provideToasts } from '#kernel/web/feedback/toast.ts';
import type { ImMessage } from '../../../../contract/im/types.ts';
import type { DeskClient } from '../facts.ts';
import { freshChat, noDesk, type DeskState } from '../state.ts';
import { NO_MORE_HISTORY, OpenChat } from './chat.ts';
import { MOST_SHOWN } from './timeline.ts';

const ID = 'C2CP12';
const messageAt = (sequence: number, from = 'P12'): ImMessage => ({
  ID: `1-${sequence}`,
  clientMsgId: `m${sequence}`,
  type: 'TIMTextElem',
  payload: { text: `第${sequence}句` },
  conversationID: ID,
  conversationType: 'C2C',
  from,
  to: 'A7',
  flow: from === 'A7' ? 'out' : 'in',
  time: sequence,
  sequence,
  status: 'success',
  isRevoked: false,
  revoker: '',
  revokeReason: '',
  isModified: false,
  modifyVersion: 0,
  nick: from,
  avatar: '',
  cloudCustomData: '',
  quoteSeq: null,
  atUserList: [],
  needReadReceipt: false,
  countsUnread: true,
  auto: false,
  progress: 0,
});
const LENGTH = 38;
const STEP = 15;

const opened: OpenChat[] = [];
afterEach(() => {
  // What still waits to be marked as read would be marked while others are tested.
  for (const chat of opened.splice(0)) chat.stop();
});

/** A conversation, and what is asked of the service about it. */
function world(length = LENGTH) {
  const asked: string[] = [];
  const store = createStore<DeskState>(() => noDesk);
  const page = (before: number) => {
    const from = Math.max(1, before - STEP);
    const messageList = Array.from({ length: before - from }, (_, n) => messageAt(from + n));
    return { messageList, nextReqMessageID: from === 1 ? '' : `1-${from}`, isCompleted: from === 1 };
  };
  const client = {
    userID: 'A7',
    capabilities: { search: true, edit: true, liveWatch: true },
    subscribeUserStatus: () => Promise.resolve({ code: 0, data: null }),
    getMessageList: ({ nextReqMessageID = '' }: { nextReqMessageID?: string }) => {
      asked.push(nextReqMessageID);
      return Promise.resolve({ code: 0, data: page(nextReqMessageID === '' ? length + 1 : Number(nextReqMessageID.split('-')[1])) });
    },
  } as Partial<DeskClient> as DeskClient;
  const chat = new OpenChat(store, () => client);
  opened.push(chat);
  const heard = new Map<string, (event: { data: unknown }) => void>();
  chat.listen({
    ...client,
    on: (name: string, hear: (event: { data: unknown }) => void) => void heard.set(name, hear),
  } as Partial<DeskClient> as DeskClient);
  store.setState({ net: 'connected', chat: freshChat({ conversationID: ID, mode: 'MEMBER', switchNo: 1 }, null) });
  const view = chat.view();
  return {
    store,
    chat,
    asked,
    view,
    arrive: (...messages: ImMessage[]) => heard.get('onMessageReceived')?.({ data: messages }),
    first: async () => view.messages((await client.getMessageList({ conversationID: ID })).data),
  };
}
const toasts = vi.fn();
beforeEach(() => {
  toasts.mockClear();
  provideToasts(toasts);
});

test('38 messages come as 15, 15 and 8; then one is told at each arrival that there are no more, and nothing is asked', async () => {
  const { store, chat, asked, first } = world();
  await first();
  const shown = () => store.getState().chat!;
  expect(shown().messages.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 15 }, (_, n) => 24 + n));
  // What is shown stays what it was: the range moves by what was put before it.
  const top = () => shown().messages[shown().range.from]!.sequence;
  await chat.loadOlder();
  expect([shown().messages.length, top()]).toEqual([30, 9]);
  await chat.loadOlder();
  expect([shown().messages.length, top(), shown().isCompleted]).toEqual([38, 1, true]);
  expect(asked).toEqual(['', '1-24', '1-9']);
  expect(toasts).not.toHaveBeenCalled();
  await chat.loadOlder();
  await chat.loadOlder();
  expect(toasts).toHaveBeenCalledExactlyOnceWith('info', NO_MORE_HISTORY, 2);
  chat.leftTop();
  await chat.loadOlder();
  await chat.loadOlder();
  expect(toasts).toHaveBeenCalledTimes(2);
  expect(asked).toHaveLength(3);
});

test('of 5,000 messages, read from the last to the first and back, at most 400 stand in the page, each of them once', async () => {
  const { store, chat, first } = world(5_000);
  await first();
  const shown = () => {
    const { messages, range } = store.getState().chat!;
    return messages.slice(range.from, range.to).map(({ sequence }) => sequence);
  };
  const walk = async (step: () => Promise<void>, until: number) => {
    const seen = new Set(shown());
    let most = 0;
    while (!shown().includes(until)) {
      await step();
      for (const sequence of shown()) seen.add(sequence);
      most = Math.max(most, shown().length);
    }
    return [seen.size, most];
  };
  expect(await walk(() => chat.loadOlder(), 1)).toEqual([5_000, MOST_SHOWN]);
  expect(await walk(() => chat.loadNewer(), 5_000)).toEqual([5_000, MOST_SHOWN]);
});

test('what others wrote while one was not looking is counted until it is looked at', async () => {
  const { store, chat, arrive, first } = world();
  await first();
  const unseen = () => store.getState().chat!.unseen;
  chat.seen(38, true, true);
  arrive(messageAt(39));
  expect(unseen()).toEqual([]);
  // The tab is hidden, then the network is gone: two more, and one's own counts for nothing.
  chat.seen(39, true, false);
  arrive(messageAt(40));
  store.setState({ net: 'disconnected' });
  chat.seen(40, true, true);
  arrive(messageAt(41), messageAt(42, 'A7'));
  expect(unseen()).toEqual([40, 41]);
  chat.looked();
  expect(unseen()).toEqual([]);
});

test('a message that a supervisor emptied stands as recalled, also where nobody tells the tab', async () => {
  const { store, chat, first } = world();
  await first();
  chat.emptied(messageAt(30), { revoker: 'A9', revokeReason: '含隐私' });
  expect(store.getState().chat!.messages.find(({ sequence }) => sequence === 30)).toMatchObject({
    isRevoked: true,
    revoker: 'A9',
    revokeReason: '含隐私',
  });
});
