import type { TypedVariable } from '#kernel/contract/rules/groups.ts';
import { bizLines, orderTypes } from '../orderDictionaries.ts';

const PROVINCES: readonly (readonly [adcode: string, name: string])[] = [
  ['110000', '北京市'],
  ['120000', '天津市'],
  ['130000', '河北省'],
  ['140000', '山西省'],
  ['150000', '内蒙古自治区'],
  ['210000', '辽宁省'],
  ['220000', '吉林省'],
  ['230000', '黑龙江省'],
  ['310000', '上海市'],
  ['320000', '江苏省'],
  ['330000', '浙江省'],
  ['340000', '安徽省'],
  ['350000', '福建省'],
  ['360000', '江西省'],
  ['370000', '山东省'],
  ['410000', '河南省'],
  ['420000', '湖北省'],
  ['430000', '湖南省'],
  ['440000', '广东省'],
  ['450000', '广西壮族自治区'],
  ['460000', '海南省'],
  ['500000', '重庆市'],
  ['510000', '四川省'],
  ['520000', '贵州省'],
  ['530000', '云南省'],
  ['540000', '西藏自治区'],
  ['610000', '陕西省'],
  ['620000', '甘肃省'],
  ['630000', '青海省'],
  ['640000', '宁夏回族自治区'],
  ['650000', '新疆维吾尔自治区'],
  ['710000', '台湾省'],
  ['810000', '香港特别行政区'],
  ['820000', '澳门特别行政区'],
];

const variable = (
  code: string,
  name: string,
  kind: TypedVariable['kind'],
  more: Partial<Pick<TypedVariable, 'unit' | 'options'>> = {},
): TypedVariable => ({ code, name, kind, unit: '', options: [], ...more });
const optionsOf = ({ options }: { options: readonly { value: string; label: string }[] }) =>
  options.map(({ value, label }) => ({ value, label }));

/** What a rule may ask of an order (R3). */
export const orderVariables: readonly TypedVariable[] = [
  variable('payableFen', '应付金额', 'MONEY', { unit: '元' }),
  variable('selfPayFen', '自付金额', 'MONEY', { unit: '元' }),
  variable('pieces', '商品总件数', 'NUMBER', { unit: '件' }),
  variable('goodsCodes', '商品编码', 'SET'),
  variable('bizLine', '业务线', 'OPTION', { options: optionsOf(bizLines) }),
  variable('orderType', '订单类型', 'OPTION', { options: optionsOf(orderTypes) }),
  variable('productCode', '产品编码', 'OPTION'),
  variable('provinceCode', '收货省份', 'OPTION', { options: PROVINCES.map(([value, label]) => ({ value, label })) }),
  variable('coldChain', '含冷链药品', 'BOOL'),
  variable('rxRequired', '含处方药', 'BOOL'),
  variable('patientAge', '患者年龄', 'NUMBER', { unit: '岁' }),
  variable('hourOfDay', '下单时刻', 'NUMBER', { unit: '点' }),
  variable('isFirstOrder', '患者首单', 'BOOL'),
  variable('daysSinceLastSameGoods', '距上次购买同种商品', 'NUMBER', { unit: '天' }),
  variable('sameGoods30d', '30天内已购同种商品件数', 'NUMBER', { unit: '件' }),
  variable('orders24hSameAddress', '24小时内同地址其他订单数', 'NUMBER', { unit: '单' }),
  variable('orders24hSameMobile', '24小时内同手机号其他订单数', 'NUMBER', { unit: '单' }),
  variable('patients30dSameAddress', '30天内同地址其他患者数', 'NUMBER', { unit: '人' }),
];

export const orderVariable = (code: string): TypedVariable | undefined => orderVariables.find((one) => one.code === code);
