import { expect, test } from 'vitest';
import { withIndexedDb } from '#testing/withIndexedDb.ts';
import { indexedDbKeeper, keeperName } from './indexedDbKeeper.ts';
import { forgetKept, unsentKept } from './kept.ts';
import type { OutboxEntry } from './keeper.ts';

withIndexedDb();

const entry = (clientMsgId: string): OutboxEntry => ({
  clientMsgId,
  conversationID: 'GROUPYH10000001',
  order: 1,
  writtenAt: 1,
  state: 'failed',
  send: { clientMsgId, conversationID: 'GROUPYH10000001', type: 'TIMTextElem', payload: { text: '您好' } },
});

test('what waits in the browser is counted and emptied, also of accounts that no tab shows any more', async () => {
  expect(await unsentKept()).toBe(0);
  const [mine, former] = [indexedDbKeeper('A1'), indexedDbKeeper('A2')];
  await mine.putOutbox(entry('a'));
  await mine.putOutbox(entry('b'));
  await former.putOutbox(entry('c'));
  former.close();
  await new Promise<void>((resolve) => {
    const other = indexedDB.open('somebody.else');
    other.onsuccess = () => {
      other.result.close();
      resolve();
    };
  });
  expect(await unsentKept()).toBe(3);
  await forgetKept();
  await expect.poll(async () => (await indexedDB.databases()).map(({ name }) => name)).toEqual(['somebody.else']);
  expect(await unsentKept()).toBe(0);
  expect(keeperName('A1')).not.toBe(keeperName('A2'));
});
