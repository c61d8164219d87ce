import { expect, test } from 'vitest';
import { conflictRows } from '#kernel/web/form/conflictRows.ts';
import { portraitFiles, withPortrait } from './portrait.ts';

interface Values {
  avatar?: ReturnType<typeof portraitFiles>;
  groupName?: string;
}

test('a portrait that a colleague changed is told as a conflict and taken over with the rest of the record', () => {
  const mine = { groupName: '一组', avatar: portraitFiles('5') };
  const taken = withPortrait<Values>({ groupName: '一组', avatarFileId: '6' });
  expect(taken).toEqual({ groupName: '一组', avatar: portraitFiles('6') });
  expect(conflictRows(mine, { ...taken }, { groupName: '分组', avatar: '头像' })).toEqual([
    { label: '头像', mine: '您填写的内容', current: '与您的不同' },
  ]);
});

test('a portrait that stands as before is no conflict; a record that does not tell of it leaves the field alone', () => {
  expect(conflictRows({ avatar: portraitFiles('5') }, { ...withPortrait<Values>({ avatarFileId: '5' }) }, { avatar: '头像' })).toEqual([]);
  expect(withPortrait<Values>({ avatarFileId: null })).toEqual({ avatar: [] });
  expect(withPortrait<Values>({ groupName: '一组' })).toEqual({ groupName: '一组' });
});
