import { expect, it } from 'vitest';
import { copyNameOf, faultOfName, faultsOfNewScenes } from './newScenes.ts';

it('names the tag first, then the name, then a double', () => {
  const row = { name: '甲', groupChat: true, singleChat: false };
  expect(
    faultsOfNewScenes(
      [
        { ...row, groupChat: false },
        { ...row, name: '', groupChat: false },
        { ...row, name: '  ' },
        { ...row, name: '一'.repeat(33) },
        { ...row, name: 'ABC' },
        row,
        { ...row, name: ' 甲 ' },
      ],
      ['abc'],
    ),
  ).toEqual([
    '请选择标签',
    '请选择标签',
    '请输入场景名称',
    '场景名称最多32个字符',
    '同一病种下已有同名场景',
    null,
    '同一病种下已有同名场景',
  ]);
});

it('an unchanged name of a renamed scene is none of the taken ones', () => {
  expect(faultOfName('甲', ['乙'])).toBeNull();
  expect(faultOfName('', [])).toBe('请输入场景名称');
});

it('a copy keeps its suffix within 32 characters', () => {
  expect(copyNameOf('血糖管理')).toBe('血糖管理-副本');
  expect(copyNameOf('一'.repeat(32))).toBe(`${'一'.repeat(29)}-副本`);
});
