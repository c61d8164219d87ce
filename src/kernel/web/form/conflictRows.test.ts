import dayjs from 'dayjs';
import { expect, test } from 'vitest';
import { conflictRows, displayBy } from './conflictRows.ts';

test('a conflict shows the fields of the form that stand otherwise now', () => {
  const mine = { name: '甲', days: 3, bands: { a: { min: 1, max: 2 }, b: undefined }, tags: ['a', 'b'], empty: '' };
  const current = { name: '乙', days: 3, bands: { a: { max: 2, min: 1 } }, tags: ['a'], empty: null, other: 'x' };
  expect(conflictRows(mine, current, { name: '名称', days: '天数', bands: '价格', tags: '标签', empty: '备注', other: '其他' })).toEqual([
    { label: '名称', mine: '甲', current: '乙' },
    { label: '标签', mine: 'a、b', current: 'a' },
  ]);
});

test('a conflict is told in words: amounts, rates, days and labels, never codes or numbers of records', () => {
  const roles = { label: (code: string) => ({ MAH: '上市许可持有人', MAKER: '生产企业' })[code] ?? code };
  const mine = {
    priceFen: 9900,
    rateBp: 898,
    startDate: dayjs('2026-11-21'),
    sameDay: dayjs('2026-11-20'),
    roles: ['MAH'],
    level: 'GRADE_3A',
    holderId: '7',
    hospitalIds: ['1', '2'],
    account: { bank: 'a' },
    staffNo: 'E1094',
  };
  const current = {
    priceFen: '12000',
    rateBp: 900,
    startDate: '2026-11-22',
    sameDay: '2026-11-20',
    roles: ['MAH', 'MAKER'],
    level: 'GRADE_2A',
    holderId: '9',
    holderName: '阿斯利康',
    hospitalIds: ['1'],
    account: null,
    staffNo: 'E1095',
  };
  const labels = {
    priceFen: '价格',
    rateBp: '折扣',
    startDate: '开始',
    sameDay: '当天',
    roles: '角色',
    level: '等级',
    holderId: '持有人',
    hospitalIds: '医院',
    account: '账户',
    staffNo: '工号',
  };
  expect(conflictRows(mine, current, labels, displayBy({ roles }))).toEqual([
    { label: '价格', mine: '99.00元', current: '120.00元' },
    { label: '折扣', mine: '8.98%', current: '9.00%' },
    { label: '开始', mine: '2026-11-21', current: '2026-11-22' },
    { label: '角色', mine: '上市许可持有人', current: '上市许可持有人、生产企业' },
    { label: '等级', mine: '您填写的内容', current: '与您的不同' },
    { label: '持有人', mine: '您填写的内容', current: '阿斯利康' },
    { label: '医院', mine: '您填写的内容', current: '与您的不同' },
    { label: '账户', mine: '您填写的内容', current: '（空）' },
    { label: '工号', mine: 'E1094', current: 'E1095' },
  ]);
});
