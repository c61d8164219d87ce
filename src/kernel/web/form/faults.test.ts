import { expect, test } from 'vitest';
import { sortFaults } from './faults.ts';

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
