import dayjs from 'dayjs';
import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { dictionary } from '../../contract/dictionary.ts';
import { field } from '../../contract/field.ts';
import { fen, id, text, version } from '../../contract/fields.ts';
import { conflictRows, displayBy } from './conflictRows.ts';

test('a conflict shows the fields of the form that stand otherwise now', () => {
  const mine = { name: '甲', days: 3, bands: { a: { min: 1, max: 2 }, b: undefined }, tags: ['a', 'b'], empty: '' };
  const current = { name: '乙', days: 3, bands: { a: { max: 2, min: 1 } }, tags: ['a'], empty: null, other: 'x' };
  const labels = { name: '名称', days: '天数', bands: '价格', tags: '标签', empty: '备注', other: '其他' };
  expect(conflictRows(mine, current, { labels }).rows).toEqual([
    { name: 'name', label: '名称', mine: '甲', current: '乙' },
    { name: 'tags', label: '标签', mine: 'a、b', current: 'a' },
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
  const { rows } = conflictRows(mine, current, { labels, display: displayBy({ roles }) });
  expect(rows.map(({ name: _, ...row }) => row)).toEqual([
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

test('names, dictionaries and kinds of values are the contract’s, also within a part of the record', () => {
  const levels = dictionary('级别', { HIGH: '高', LOW: '低' });
  const input = z.strictObject({
    id,
    version,
    title: text('名称', 20),
    level: field('级别', levels.schema),
    levels: field('各级', z.array(levels.schema)),
    price: field('单价', fen),
    open: field('启用', z.boolean()),
    terms: field('条款', z.strictObject({ days: field('天数', z.int()), fee: field('费用', fen) })),
  });
  const mine = { id: '7', version: 3, title: '甲', level: 'HIGH', levels: ['HIGH'], price: 9900, open: true, terms: { days: 3, fee: 100 } };
  const current = {
    version: 4,
    title: '甲',
    level: 'LOW',
    levels: ['HIGH', 'LOW'],
    price: 12000,
    open: false,
    terms: { days: 3, fee: 250 },
  };
  expect(conflictRows(mine, current, { input })).toEqual({
    rows: [
      { name: 'level', label: '级别', mine: '高', current: '低' },
      { name: 'levels', label: '各级', mine: '高', current: '高、低' },
      { name: 'price', label: '单价', mine: '99.00元', current: '120.00元' },
      { name: 'open', label: '启用', mine: '是', current: '否' },
      { name: 'terms', label: '条款：费用', mine: '1.00元', current: '2.50元' },
    ],
    untold: [],
    isAct: false,
  });
});

test('a field of which the record does not tell is named, and is no difference', () => {
  const input = z.strictObject({ id, version, title: text('名称', 20), note: text('备注', 20) });
  expect(conflictRows({ title: '甲', note: '丙' }, { title: '乙' }, { input })).toEqual({
    rows: [{ name: 'title', label: '名称', mine: '甲', current: '乙' }],
    untold: ['备注'],
    isAct: false,
  });
  expect(conflictRows({ id: '1', note: '丙' }, { version: 2, state: 'ON' }, { input })).toEqual({
    rows: [],
    untold: ['备注'],
    isAct: true,
  });
});
