import { PAGE } from '../../../contract/im/limits.ts';
import { messageTypes, type ConversationID, type ImMessage, type TipPayload } from '../../../contract/im/types.ts';
import { fromWire } from '../messages.ts';
import { asked } from './faults.ts';
import type { StorePort } from './ports.ts';
import { messageOf } from './shapes.ts';
import type { SdkMessage, VendorSdk } from './sdk.ts';

const FROM_STORE = 's:';
const LARGEST_PAGE = 100;
const MOST_PAGES = 20;

/** The vendor's own lines take numbers as messages do, but say nothing to us. */
export const isSilent = ({ type, payload }: ImMessage): boolean => type === messageTypes.TIP && (payload as TipPayload).text === '';

export interface HistoryParts {
  sdk: VendorSdk;
  store: StorePort;
  me: string;
}
type Page = { messageList: ImMessage[]; nextReqMessageID: string; isCompleted: boolean };

async function stored({ store, me }: HistoryParts, conversationID: ConversationID, pageSize: number, beforeSeq?: number): Promise<Page> {
  const { messages, isCompleted } = await store.history({ conversationID, pageSize, ...(beforeSeq === undefined ? {} : { beforeSeq }) });
  const first = messages[0]?.seq;
  const done = isCompleted || first === undefined;
  return {
    messageList: messages.map((message) => fromWire(message, me)),
    nextReqMessageID: done ? '' : `${FROM_STORE}${first}`,
    isCompleted: done,
  };
}

/** Place in our record before which a single chat goes on: its numbers there are ours, so the message is looked for by its id. */
async function placeOf({ store }: HistoryParts, conversationID: ConversationID, oldest: ImMessage): Promise<number | undefined> {
  let beforeSeq: number | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { messages, isCompleted } = await store.history({
      conversationID,
      pageSize: LARGEST_PAGE,
      ...(beforeSeq === undefined ? {} : { beforeSeq }),
    });
    const same = messages.find(({ clientMsgId }) => clientMsgId === oldest.clientMsgId);
    if (same) return same.seq;
    const older = messages.findLast(({ at }) => at < oldest.time * 1000);
    if (older) return older.seq + 1;
    beforeSeq = messages[0]?.seq;
    if (isCompleted || beforeSeq === undefined) return beforeSeq;
  }
  return beforeSeq;
}

/** A page of fifteen. Where the vendor's seven days end, our own record goes on; its cursors begin with `s:`. */
export async function pageOf(parts: HistoryParts, conversationID: ConversationID, nextReqMessageID: string | undefined): Promise<Page> {
  if (nextReqMessageID?.startsWith(FROM_STORE))
    return visible(await stored(parts, conversationID, PAGE.messages, Number(nextReqMessageID.slice(FROM_STORE.length))));
  const { sdk, me } = parts;
  const answer: { messageList: SdkMessage[]; nextReqMessageID: string; isCompleted: boolean } = await asked(
    sdk.getMessageList({ conversationID, ...(nextReqMessageID ? { nextReqMessageID } : {}) }),
  );
  const messageList = answer.messageList.map((message) => messageOf(message, me));
  if (!answer.isCompleted && answer.nextReqMessageID)
    return visible({ messageList, nextReqMessageID: answer.nextReqMessageID, isCompleted: false });
  const oldest = messageList[0];
  if (oldest && conversationID.startsWith('GROUP') && oldest.sequence <= 1)
    return visible({ messageList, nextReqMessageID: '', isCompleted: true });
  const beforeSeq = oldest && (conversationID.startsWith('GROUP') ? oldest.sequence : await placeOf(parts, conversationID, oldest));
  const room = PAGE.messages - messageList.length;
  if (room <= 0 && beforeSeq !== undefined)
    return visible({ messageList, nextReqMessageID: `${FROM_STORE}${beforeSeq}`, isCompleted: false });
  const older = await stored(parts, conversationID, Math.max(1, room), beforeSeq);
  return visible({ ...older, messageList: [...older.messageList, ...messageList] });
}

const visible = (page: Page): Page => ({ ...page, messageList: page.messageList.filter((message) => !isSilent(message)) });

/** From a place: the vendor's own days first, our record where he has nothing there any more. */
export async function hop(parts: HistoryParts, o: { conversationID: ConversationID; sequence?: number; time?: number; direction: 0 | 1 }) {
  const { sdk, store, me } = parts;
  const { conversationID, sequence, time, direction } = o;
  const place =
    sequence === undefined ? (time === undefined ? {} : { time }) : { sequence: direction === 0 ? sequence : Math.max(1, sequence - 1) };
  const answer: { messageList: SdkMessage[]; isCompleted: boolean } = await asked(
    sdk.getMessageListHopping({ conversationID, direction, ...place }),
  );
  const fits = (seq: number) => sequence === undefined || (direction === 0 ? seq < sequence : seq >= sequence);
  let messageList = answer.messageList
    .map((message) => messageOf(message, me))
    .filter((message) => fits(message.sequence))
    .toSorted((a, b) => a.sequence - b.sequence);
  let { isCompleted } = answer;
  const next = direction === 0 ? (sequence ?? 0) - 1 : sequence;
  const isWhole = direction === 0 ? messageList.at(-1)?.sequence === next : messageList[0]?.sequence === next;
  if (sequence !== undefined && conversationID.startsWith('GROUP') && next !== undefined && next >= 1 && !isWhole) {
    const older = await store.history({
      conversationID,
      pageSize: PAGE.messages,
      ...(direction === 0 ? { beforeSeq: sequence } : { afterSeq: sequence - 1 }),
    });
    if (older.messages.length > 0) {
      messageList = older.messages.map((message) => fromWire(message, me));
      ({ isCompleted } = older);
    }
  }
  const edge = direction === 0 ? messageList[0]?.sequence : messageList.at(-1) && messageList.at(-1)!.sequence + 1;
  return {
    messageList: messageList.filter((message) => !isSilent(message)),
    isCompleted,
    ...(edge === undefined ? {} : { nextMessageSeq: edge }),
  };
}
