import { expect, test } from 'vitest';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import type { ImConversation } from '../../../contract/im/types.ts';
import { digestPieces, passes, sorted, tabOf, type ListRow } from './listing.ts';
import { clockText, slaOf, spanText } from './sla.ts';

const row = (id: string, group: Partial<GroupRow> | null, conversation: Partial<ImConversation> = {}): ListRow => ({
  id: id as ListRow['id'],
  mode: 'MEMBER',
  name: id,
  conversation: { unreadCount: 0, lastMessageTime: 0, draftText: '', lastMessage: null, ...conversation } as ImConversation,
  group: group as GroupRow | null,
});

test('a group stands with its owner, in 稍后处理 when he put it off, in 协助 at everybody else', () => {
  expect(tabOf(row('GROUPYH10000001', { ownerAssistantId: '7', workState: 'SERVING' }), '7')).toBe('mine');
  expect(tabOf(row('GROUPYH10000001', { ownerAssistantId: '7', workState: 'SNOOZED' }), '7')).toBe('snoozed');
  expect(tabOf(row('GROUPYH10000001', { ownerAssistantId: '8', workState: 'SERVING' }), '7')).toBe('helping');
  expect(tabOf(row('GROUPYH10000001', { ownerAssistantId: null, workState: 'DONE' }), '7')).toBe('mine');
  expect(tabOf(row('C2CP1', null), '7')).toBe('mine');
});

test('the limit is orange under 30 % of it and red when past', () => {
  const due = { slaDueAt: '2026-11-21T10:03:00.000Z', waitingSince: '2026-11-21T10:00:00.000Z', queuedAt: null };
  const at = (time: string) => slaOf(due, Date.parse(`2026-11-21T${time}Z`));
  expect(at('10:00:45')).toEqual({ text: '剩余 2:15', tone: 'calm' });
  expect(at('10:02:07')).toEqual({ text: '剩余 0:53', tone: 'soon' });
  expect(at('10:07:10')).toEqual({ text: '超时 4:10', tone: 'over' });
  expect(slaOf({ ...due, slaDueAt: null }, 0)).toBeNull();
  expect([spanText(3735), spanText(90_000), clockText(85_270), clockText(172_799), clockText(7_765_200)]).toEqual([
    '1:02:15',
    '1天1小时',
    '23:41:10',
    '47:59:59',
    '89天21小时',
  ]);
});

test('pinned first, then the chosen order', () => {
  const rows = [
    row('GROUPYH10000001', { waitingSince: null, priority: 0 } as GroupRow, { lastMessageTime: 30 }),
    row('GROUPYH10000002', { waitingSince: '2026-11-21T10:00:00Z', slaDueAt: null, priority: 2 } as GroupRow, { lastMessageTime: 10 }),
    row('GROUPYH10000003', null, { lastMessageTime: 5, isPinned: true }),
  ];
  const ids = (orderBy?: 'waiting' | 'sla') =>
    sorted(rows, orderBy)
      .map(({ id }) => id.at(-1))
      .join('');
  expect([ids(), ids('waiting'), ids('sla')]).toEqual(['312', '321', '321']);
});

test('filters of kind, unread, limit and doctor', () => {
  const one = row(
    'GROUPYH10000001',
    { kind: 'DOCTOR', serverStatus: '2', slaDueAt: '2026-11-21T10:00:00Z', tags: ['回访'], suffererName: '王秀英' } as GroupRow,
    { unreadCount: 1 },
  );
  const now = Date.parse('2026-11-21T10:00:01Z');
  const through = (filters: Parameters<typeof passes>[1], groups: ReadonlySet<string> | null = null) => passes(one, filters, now, groups);
  expect([
    through({}),
    through({ kind: 'DOCTOR', onlyUnread: true, onlyOverSla: true, tag: '回访', serverStatus: ['2'], suffererName: '秀英' }),
  ]).toEqual([true, true]);
  expect([
    through({ kind: 'DESK' }),
    through({ serverStatus: ['4'] }),
    through({ tag: '其他' }),
    through({}, new Set(['YH10000009'])),
    through({ suffererName: '张' }),
  ]).toEqual([false, false, false, false, false]);
  expect([passes(row('C2CP1', null), { kind: 'C2C' }, now, null), passes(row('C2CP1', null), { onlyOverSla: true }, now, null)]).toEqual([
    true,
    false,
  ]);
});

test('a draft stands before the last message, a mention only while it is unread', () => {
  expect(digestPieces(row('GROUPYH10000001', { lastMessageDigest: '您好' } as GroupRow, { draftText: '稍等' }))).toEqual({
    mark: '[草稿]',
    text: '稍等',
  });
  expect(digestPieces(row('GROUPYH10000001', { lastMessageDigest: '您好' } as GroupRow, { isMentioned: true, unreadCount: 2 }))).toEqual({
    mark: '[有人@我]',
    text: '您好',
  });
});
