import { expect, test } from 'vitest';
import { conflictRows, sortFaults } from './faults.ts';

test('field refusals go to the nearest field that is shown, the others above the form', () => {
  const faults = [
    { path: 'dataDetail.0.sceneName', message: '请输入场景名称' },
    { path: 'roles.1.scope.region', message: '区域编码不正确' },
    { path: 'version', message: '缺少版本号' },
    { path: 'roles.1.roleId', message: '请选择角色' },
  ];
  expect(sortFaults(faults, [['dataDetail', 0, 'sceneName'], ['roles']])).toEqual({
    inline: [
      { name: ['dataDetail', 0, 'sceneName'], errors: ['请输入场景名称'] },
      { name: ['roles'], errors: ['区域编码不正确', '请选择角色'] },
    ],
    other: ['缺少版本号'],
  });
});

test('a conflict shows the fields of the form that stand otherwise now', () => {
  const mine = { name: '甲', days: 3, tags: ['a', 'b'], empty: '' };
  const current = { name: '乙', days: 3, tags: ['a'], empty: null, other: 'x' };
  expect(conflictRows(mine, current, { name: '名称', days: '天数', tags: '标签', empty: '备注', other: '其他' })).toEqual([
    { label: '名称', mine: '甲', current: '乙' },
    { label: '标签', mine: 'a、b', current: 'a' },
  ]);
});
