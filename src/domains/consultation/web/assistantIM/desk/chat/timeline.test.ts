import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageTypes, type ImMessage } from '../../../../contract/im/types.ts';
import type { NoteRow } from '../facts.ts';
import { afterAppend, afterPrepend, around, atEnd, merged, MOST_SHOWN, type Range, shiftDown, shiftUp, timelineOf } from './timeline.ts';

const message = (sequence: number, time: number, more: Partial<ImMessage> = {}): ImMessage =>
  ({
    ID: sequence ? `1-${sequence}` : `c${time}`,
    clientMsgId: sequence ? `m${sequence}` : `c${time}`,
    from: 'P1',
    sequence,
    time,
    type: messageTypes.TEXT,
    payload: { text: '' },
    ...more,
  }) as ImMessage;
const note = (id: string, afterSeq: number): NoteRow => ({
  id,
  groupId: 'YH10000001',
  afterSeq,
  content: '',
  mentions: [],
  authorName: '',
  mine: false,
  createdAt: `2026-11-21T08:00:0${id}.000Z`,
  editedAt: null,
});
const shape = (items: ReturnType<typeof timelineOf>) =>
  items.map((item) =>
    item.kind === 'divider'
      ? '--'
      : item.kind === 'note'
        ? `n${item.note.id}`
        : `${item.kind === 'tip' ? 't' : ''}${item.message.sequence}`,
  );

test('a divider after five minutes, notes behind their message, tips as lines', () => {
  const messages = [message(1, 1000), message(2, 1300), message(3, 1601, { type: messageTypes.TIP }), message(0, 1602)];
  expect(shape(timelineOf(messages, [note('2', 2), note('1', 0), note('3', 3)], { isFirst: true, isLast: true }))).toEqual([
    'n1',
    '--',
    '1',
    '2',
    'n2',
    '--',
    't3',
    'n3',
    '0',
  ]);
});

test('notes of the part that is not shown are left out', () => {
  expect(
    shape(
      timelineOf([message(16, 1000), message(17, 1000)], [note('1', 3), note('2', 16), note('3', 40)], { isFirst: false, isLast: false }),
    ),
  ).toEqual(['--', '16', 'n2', '17']);
});

test('messages stand by seq whatever order they come in, and an acknowledged one keeps its place in the list of keys', () => {
  const written = message(0, 50);
  const list = merged([message(1, 10), written], [message(3, 60), message(2, 70)]);
  expect(list.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 0]);
  expect(merged(list, [{ ...written, ID: '1-4', sequence: 4 }]).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
});

test('older ones join what is shown and the newest leave beyond the limit', () => {
  expect(afterPrepend(atEnd(15), 15, 30)).toEqual({ from: 0, to: 30 });
  expect(afterPrepend({ from: 0, to: MOST_SHOWN }, 15, MOST_SHOWN + 15)).toEqual({ from: 0, to: MOST_SHOWN });
});

test('whatever happens, at most 400 loaded messages stand in the page', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constantFrom('prepend', 'append'), n: fc.integer({ min: 1, max: 120 }) }),
    fc.record({ kind: fc.constantFrom('up', 'down', 'end', 'around'), n: fc.nat(5000) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let count = 15;
      let range: Range = atEnd(count);
      for (const { kind, n } of steps) {
        if (kind === 'prepend') [count, range] = [count + n, afterPrepend(range, n, count + n)];
        else if (kind === 'append') [range, count] = [afterAppend(range, count, count + n, n % 2 === 0), count + n];
        else if (kind === 'up') range = shiftUp(range, count);
        else if (kind === 'down') range = shiftDown(range, count);
        else range = kind === 'end' ? atEnd(count) : around(n % count, count);
        expect(range.from).toBeGreaterThanOrEqual(0);
        expect(range.to).toBeLessThanOrEqual(count);
        expect(range.to - range.from).toBeLessThanOrEqual(MOST_SHOWN);
        expect(range.to).toBeGreaterThan(range.from);
      }
    }),
  );
});
