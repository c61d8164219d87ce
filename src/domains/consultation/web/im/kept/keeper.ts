import type { WireConversation } from '../../../contract/im/wire.ts';

/** A message on its way: kept until the service has it, or the person lets it go. */
export interface OutboxEntry {
  clientMsgId: string;
  conversationID: string;
  /** Order in which it was written. */
  order: number;
  /** Body of the request. */
  send: { clientMsgId: string; conversationID: string; type: string; payload: Record<string, unknown>; [more: string]: unknown };
  writtenAt: number;
  state: 'waiting' | 'failed';
  fault?: { code: number; message: string };
}

interface Kept {
  cursor: number | null;
  conversations: WireConversation[];
  outbox: OutboxEntry[];
}

/** What a browser keeps for one account, over reloads and cut networks. */
export interface Keeper {
  load(): Promise<Kept>;
  /** Cursor and the conversations that changed with it, as one. */
  savePicture(cursor: number, changed: readonly WireConversation[], removed: readonly string[]): Promise<void>;
  /** Forgets the picture, not the outbox. */
  forgetPicture(): Promise<void>;
  putOutbox(entry: OutboxEntry): Promise<void>;
  dropOutbox(clientMsgId: string): Promise<void>;
  outbox(): Promise<OutboxEntry[]>;
  /** Everything of this account; for logout. */
  clear(): Promise<void>;
  close(): void;
}

/** For clients that live as long as their process. */
export function memoryKeeper(): Keeper {
  let cursor: number | null = null;
  const conversations = new Map<string, WireConversation>();
  const outbox = new Map<string, OutboxEntry>();
  const entries = () => [...outbox.values()].toSorted((a, b) => a.order - b.order);
  return {
    load: () => Promise.resolve({ cursor, conversations: [...conversations.values()], outbox: entries() }),
    savePicture(at, changed, removed) {
      cursor = at;
      for (const conversation of changed) conversations.set(conversation.conversationID, conversation);
      for (const id of removed) conversations.delete(id);
      return Promise.resolve();
    },
    forgetPicture() {
      cursor = null;
      conversations.clear();
      return Promise.resolve();
    },
    putOutbox: (entry) => Promise.resolve(void outbox.set(entry.clientMsgId, entry)),
    dropOutbox: (id) => Promise.resolve(void outbox.delete(id)),
    outbox: () => Promise.resolve(entries()),
    clear() {
      cursor = null;
      conversations.clear();
      outbox.clear();
      return Promise.resolve();
    },
    close() {},
  };
}
