import { expect, test } from 'vitest';
import { blockedOf } from './composing.ts';
import { kindOfFile } from './composing.ts';
import { matching, mentionAt, mentionedIn, unresolvedIn } from './composing.ts';

test('unfilled variables are named once each', () => {
  expect(unresolvedIn('您好{{患者称呼}}，{{医生姓名}}与{{患者称呼}}')).toEqual(['{{患者称呼}}', '{{医生姓名}}']);
  expect(unresolvedIn('您好{患者}')).toEqual([]);
});

test('a canned reply is found by shortcut, title or pinyin initials, the shortcut first', () => {
  const reply = (shortcut: string, title: string, titlePinyin: string, useCount = 0) => ({ shortcut, title, titlePinyin, useCount });
  const all = [reply('zl', '补充资料', 'bczl'), reply('wh', '问候', 'wh', 3), reply('yy', '温馨提示', 'wxts', 9)];
  expect(matching(all, 'wh').map(({ title }) => title)).toEqual(['问候']);
  expect(matching(all, 'w').map(({ title }) => title)).toEqual(['问候', '温馨提示']);
  expect(matching(all, '资料').map(({ title }) => title)).toEqual(['补充资料']);
  expect(matching(all, '').map(({ title }) => title)).toEqual(['温馨提示', '问候', '补充资料']);
});

test('a mention is what stands behind an @ at the caret, not an address', () => {
  expect(mentionAt('请 @王', 4)).toEqual({ from: 2, word: '王' });
  expect(mentionAt('a@b', 3)).toBeNull();
  expect(mentionAt('@王秀英 您好', 8)).toBeNull();
  expect(mentionedIn('@王秀英 您好', [{ nick: '王秀英' }, { nick: '陈立' }, { nick: '' }])).toEqual([{ nick: '王秀英' }]);
});

test('why one cannot write, the reason that holds first', () => {
  const free = { mode: 'MEMBER', isDissolved: false, isMuted: false, isKicked: false, isOnline: true };
  expect(blockedOf(free)).toEqual({ blocks: false, text: null });
  expect(blockedOf({ ...free, isOnline: false })).toEqual({ blocks: false, text: '网络已断开，消息将在恢复后发送' });
  expect(blockedOf({ ...free, mode: 'WATCH', isDissolved: true })).toEqual({ blocks: true, text: '旁听中不能发言，请先接入会话' });
  expect(blockedOf({ ...free, isDissolved: true }).text).toBe('该会话已解散，仅可查看历史');
  expect(['报告.PDF', '片子.JPG', '步态.mp4', 'x'].map((name) => kindOfFile({ name }))).toEqual(['file', 'image', 'video', 'file']);
});
