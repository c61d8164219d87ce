import type { ImEvents } from '../../../contract/im/client.ts';
import { groupConversation, singleConversation } from '../../../contract/im/ids.ts';
import type { CustomPayload, ImConversation, ImMessage } from '../../../contract/im/types.ts';
import type { Emitter } from '../clientParts.ts';
import { ONLINE, sdkEvents, type SdkMessage, type VendorSdk } from './sdk.ts';
import { isSilent } from './history.ts';
import { conversationOf, messageOf, profileOf } from './shapes.ts';

const TYPING = 'user_typing_status';
export const typingData = (typing: boolean): CustomPayload => ({
  data: JSON.stringify({ businessID: TYPING, v: 1, typing }),
  description: '',
  extension: '',
});

function fieldsIn({ payload }: SdkMessage): Record<string, unknown> | null {
  try {
    const fields: unknown = JSON.parse(String((payload as Partial<CustomPayload> | undefined)?.data ?? ''));
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const MEMBER_TIPS: Readonly<Record<number, string>> = { 1: 'JOIN', 2: 'LEAVE', 3: 'LEAVE', 7: 'MUTE' };
const READERS = 100;

export interface IncomingParts {
  sdk: VendorSdk;
  me: string;
  emitter: Emitter;
  /** The list as the vendor knows it now. */
  listed(list: ImConversation[]): void;
  /** The sign is no longer good: true when a new one was taken. */
  renew(): Promise<boolean>;
  reconnected(): void;
}

type Data = { data: unknown };

/** Hears the SDK's events and says them in our own words. @returns the end of hearing. */
export function hearVendor(parts: IncomingParts): () => void {
  const { sdk, me, emitter } = parts;
  const ours = (list: SdkMessage[]) => list.map((message) => messageOf(message, me));

  const received = (list: SdkMessage[]) => {
    const messages: ImMessage[] = [];
    for (const message of list) {
      const fields = String(message.type) === 'TIMCustomElem' ? fieldsIn(message) : null;
      if (fields?.['businessID'] === TYPING) {
        if (message.from !== me)
          emitter.emit('onTyping', {
            conversationID: message.conversationID as ImMessage['conversationID'],
            userID: message.from,
            typing: fields['typing'] !== false,
          });
      } else if (fields && 'inviteID' in fields && 'actionType' in fields) {
        // The vendor's own signals; they are heard as invitations.
      } else if (String(message.type) === 'TIMGroupTipElem') memberTip(message);
      else messages.push(messageOf(message, me));
    }
    const visible = messages.filter((message) => !isSilent(message));
    if (visible.length > 0) emitter.emit('onMessageReceived', visible);
  };
  const memberTip = ({ conversationID, payload }: SdkMessage) => {
    const tip = payload as { operationType?: number; userIDList?: string[] };
    const change = MEMBER_TIPS[tip.operationType ?? 0];
    if (change)
      emitter.emit('onGroupMembersChanged', {
        conversationID: conversationID as ImMessage['conversationID'],
        change,
        userIDList: tip.userIDList ?? [],
      });
  };
  /** The vendor counts readers; who they are is asked for. */
  const receipts = async (list: { groupID?: string; messageID: string }[]) => {
    for (const { groupID, messageID } of list) {
      const message = sdk.findMessage(messageID);
      if (!groupID || !message) continue;
      const { data }: { data: { readUserIDList?: (string | { userID: string })[] } } = await sdk.getGroupMessageReadMemberList({
        message,
        cursor: '',
        filter: 0,
        count: READERS,
      });
      const readers = (data.readUserIDList ?? []).map((one) => (typeof one === 'string' ? one : one.userID));
      emitter.emit(
        'onMessageReadByPeer',
        readers.map((userID) => ({ conversationID: groupConversation(groupID), userID, readSeq: message.sequence })),
      );
    }
  };
  const kicked = async (type: ImEvents['kickedOut']['type']) => {
    if (type === 'userSigExpired' && (await parts.renew())) return;
    emitter.emit('kickedOut', { type });
  };
  let wasCut = false;

  const handlers: [string, (event: Data) => void][] = [
    [sdkEvents.READY, () => emitter.emit('sdkStateReady', null)],
    [sdkEvents.NOT_READY, () => emitter.emit('sdkStateNotReady', null)],
    [sdkEvents.RECEIVED, ({ data }) => received(data as SdkMessage[])],
    [sdkEvents.MODIFIED, ({ data }) => emitter.emit('onMessageModified', ours(data as SdkMessage[]))],
    [
      sdkEvents.REVOKED,
      ({ data }) =>
        emitter.emit(
          'onMessageRevoked',
          ours(data as SdkMessage[]).map((message) => ({ ...message, isRevoked: true, payload: { text: '' } })),
        ),
    ],
    [
      sdkEvents.READ_BY_PEER,
      ({ data }) =>
        emitter.emit(
          'onMessageReadByPeer',
          (data as SdkMessage[]).map(({ to, sequence }) => ({ conversationID: singleConversation(to), userID: to, readSeq: sequence })),
        ),
    ],
    [sdkEvents.READ_RECEIPT, ({ data }) => void receipts(data as { groupID?: string; messageID: string }[]).catch(() => {})],
    [
      sdkEvents.CONVERSATIONS,
      ({ data }) => {
        const find = (ID: string) => {
          const message = sdk.findMessage(ID);
          return message && messageOf(message, me);
        };
        const list = (data as Parameters<typeof conversationOf>[0][])
          .filter(({ conversationID }) => conversationID !== '@TIM#SYSTEM')
          .map((conversation) => conversationOf(conversation, find));
        parts.listed(list);
        emitter.emit('onConversationListUpdated', list);
      },
    ],
    [sdkEvents.PROFILE, ({ data }) => emitter.emit('onProfileUpdated', (data as Parameters<typeof profileOf>[0][]).map(profileOf))],
    [sdkEvents.BLACKLIST, ({ data }) => emitter.emit('blacklistUpdated', data as string[])],
    [
      sdkEvents.KICKED_OUT,
      ({ data }) => {
        const { type } = data as { type: string };
        void kicked(type === 'userSigExpired' || type === 'multipleDevice' ? type : 'multipleAccount');
      },
    ],
    [
      sdkEvents.NET_STATE,
      ({ data }) => {
        const { state } = data as ImEvents['netStateChange'];
        if (state === 'connected' && wasCut) parts.reconnected();
        wasCut = state !== 'connected';
        emitter.emit('netStateChange', { state });
      },
    ],
    [
      sdkEvents.STATUS,
      ({ data }) =>
        emitter.emit(
          'onUserStatusUpdated',
          (data as { userID: string; statusType: number }[]).map(({ userID, statusType }) => ({
            userID,
            statusType: statusType === ONLINE ? ('ONLINE' as const) : ('OFFLINE' as const),
          })),
        ),
    ],
    [
      sdkEvents.ERROR,
      ({ data }) => {
        const { code, message } = data as { code: number; message: string };
        emitter.emit('error', { code, message });
      },
    ],
  ];
  for (const [name, handler] of handlers) sdk.on(name, handler);
  return () => {
    for (const [name, handler] of handlers) sdk.off(name, handler);
  };
}
