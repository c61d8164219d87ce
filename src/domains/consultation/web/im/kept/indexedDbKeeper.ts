import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { WireConversation } from '../../../contract/im/wire.ts';
import type { Keeper, OutboxEntry } from './keeper.ts';
import { KEPT_PREFIX } from './kept.ts';

interface Schema extends DBSchema {
  facts: { key: string; value: number };
  conversations: { key: string; value: WireConversation };
  outbox: { key: string; value: OutboxEntry };
}

export const keeperName = (userID: string): string => `${KEPT_PREFIX}${userID}`;

const open = (name: string): Promise<IDBPDatabase<Schema>> =>
  openDB<Schema>(name, 1, {
    upgrade(db) {
      db.createObjectStore('facts');
      db.createObjectStore('conversations', { keyPath: 'conversationID' });
      db.createObjectStore('outbox', { keyPath: 'clientMsgId' });
    },
    // Another tab logs out: this one must not stand in the way.
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
    },
  });

/** Keeps cursor, conversations and outbox in the browser's database, one for each account. */
export function indexedDbKeeper(userID: string): Keeper {
  const name = keeperName(userID);
  let opened: Promise<IDBPDatabase<Schema>> | null = null;
  const database = () => (opened ??= open(name));
  const outbox = async () => (await (await database()).getAll('outbox')).toSorted((a, b) => a.order - b.order);
  const close = () => {
    opened?.then((db) => db.close()).catch(() => {});
    opened = null;
  };
  return {
    outbox,
    close,
    async load() {
      const db = await database();
      const [cursor, conversations] = await Promise.all([db.get('facts', 'cursor'), db.getAll('conversations')]);
      return { cursor: cursor ?? null, conversations, outbox: await outbox() };
    },
    async savePicture(cursor, changed, removed) {
      const transaction = (await database()).transaction(['facts', 'conversations'], 'readwrite');
      const conversations = transaction.objectStore('conversations');
      await Promise.all([
        transaction.objectStore('facts').put(cursor, 'cursor'),
        ...changed.map((conversation) => conversations.put(conversation)),
        ...removed.map((id) => conversations.delete(id)),
        transaction.done,
      ]);
    },
    async forgetPicture() {
      const transaction = (await database()).transaction(['facts', 'conversations'], 'readwrite');
      await Promise.all([transaction.objectStore('facts').clear(), transaction.objectStore('conversations').clear(), transaction.done]);
    },
    async putOutbox(entry) {
      await (await database()).put('outbox', entry);
    },
    async dropOutbox(clientMsgId) {
      await (await database()).delete('outbox', clientMsgId);
    },
    async clear() {
      close();
      await deleteDB(name);
    },
  };
}
