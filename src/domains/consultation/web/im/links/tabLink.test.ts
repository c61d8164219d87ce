import { expect, test } from 'vitest';
import { WatchWishes } from './tabLink.ts';

test('a conversation is watched until the last tab that watches it turns away or closes', () => {
  const wishes = new WatchWishes();
  const conversationID = 'GROUPYH10000001';
  for (const tab of ['first', 'second']) expect(wishes.wants(tab, { conversationID, on: true })).toBe(true);
  expect(wishes.wants('first', { conversationID, on: false })).toBe(false);
  expect(wishes.leave('first')).toEqual([]);
  expect(wishes.leave('second')).toEqual([conversationID]);
});
