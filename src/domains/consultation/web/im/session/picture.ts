import { UNREAD_CAP } from '../../../contract/im/limits.ts';
import type { WireConversation, WireEvent } from '../../../contract/im/wire.ts';

export interface PictureChange {
  changed: Set<string>;
  removed: Set<string>;
  /** Conversations that this picture does not hold, or whose unread it can no longer tell. */
  unknown: Set<string>;
}
export const noChange = (): PictureChange => ({ changed: new Set(), removed: new Set(), unknown: new Set() });

const conversationOfEvent = (event: WireEvent): string | null => {
  if (event.type === 'msg' || event.type === 'msgModified') return event.message.conversationID;
  return 'conversationID' in event ? event.conversationID : null;
};

/**
 * A user's conversations at the number of one event. Unread is derived: counted by the service at a number, then moved by every
 * later event, so that it is the same on every device whatever way the events came.
 */
export class Picture {
  readonly me: string;
  readonly conversations = new Map<string, WireConversation>();

  constructor(me: string) {
    this.me = me;
  }

  /** Takes over what the service or the browser's database told; an older picture never replaces a newer one. */
  put(conversation: WireConversation): boolean {
    const known = this.conversations.get(conversation.conversationID);
    if (known && known.asOf > conversation.asOf) return false;
    this.conversations.set(conversation.conversationID, conversation);
    return true;
  }

  /** Sum over what rings; each conversation as far as it is counted. */
  totalUnread(): number {
    let sum = 0;
    for (const { unreadCount, remindType } of this.conversations.values()) if (remindType === 'AcceptAndNotify') sum += unreadCount;
    return sum;
  }

  apply(event: WireEvent, change: PictureChange): void {
    const id = conversationOfEvent(event);
    if (id === null) return;
    const known = this.conversations.get(id);
    if (!known) {
      if (event.type !== 'convRemoved') change.unknown.add(id);
      return;
    }
    if (event.n <= known.asOf) return;
    if (event.type === 'convRemoved') {
      this.conversations.delete(id);
      change.changed.delete(id);
      change.removed.add(id);
      return;
    }
    const next = this.#after(known, event, change);
    this.conversations.set(id, { ...next, asOf: event.n });
    change.changed.add(id);
  }

  #after(known: WireConversation, event: WireEvent, change: PictureChange): WireConversation {
    switch (event.type) {
      case 'msg': {
        const { message } = event;
        const counts = this.#counts(known, message.from, message.countsUnread, message.seq);
        return {
          ...known,
          lastSeq: Math.max(known.lastSeq, message.seq),
          lastMessage: message.seq > known.lastSeq ? message : known.lastMessage,
          unreadCount: counts ? Math.min(UNREAD_CAP, known.unreadCount + 1) : known.unreadCount,
          isMentioned: known.isMentioned || (counts && message.atUserList.includes(this.me)),
        };
      }
      case 'msgModified':
        return known.lastMessage?.seq === event.message.seq ? { ...known, lastMessage: event.message } : known;
      case 'msgRevoked': {
        const counts = this.#counts(known, event.from, event.countsUnread, event.seq);
        // 100 means 100 or more: what is left is for the service to count.
        if (counts && known.unreadCount >= UNREAD_CAP) change.unknown.add(known.conversationID);
        const lastMessage =
          known.lastMessage?.seq === event.seq
            ? { ...known.lastMessage, isRevoked: true, revoker: event.revoker, revokeReason: event.reason, payload: { text: '' } }
            : known.lastMessage;
        return {
          ...known,
          lastMessage,
          unreadCount: counts && known.unreadCount < UNREAD_CAP ? Math.max(0, known.unreadCount - 1) : known.unreadCount,
        };
      }
      case 'readSelf':
        return {
          ...known,
          readSeq: Math.max(known.readSeq, event.readSeq),
          unreadCount: event.unreadCount,
          isMarked: false,
          isMentioned: event.unreadCount > 0 && known.isMentioned,
        };
      case 'conv':
        return { ...known, ...event.change };
      case 'member':
        if (event.change === 'JOIN') return { ...known, memberCount: known.memberCount + event.userIDs.length };
        return event.change === 'LEAVE' ? { ...known, memberCount: known.memberCount - event.userIDs.length } : known;
      default:
        return known;
    }
  }

  #counts(known: WireConversation, from: string, countsUnread: boolean, seq: number): boolean {
    return from !== this.me && countsUnread && seq > known.readSeq && seq > known.clearedSeq;
  }
}
