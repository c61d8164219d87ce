import { describe, expect, it } from 'vitest';
import { regionRows } from '#domains/identity/server/reference/regions.ts';
import { bookOf } from './regionBook.ts';

const rows = regionRows();
const book = bookOf(rows.map(({ parent, pinyin: _pinyin, ...row }) => ({ ...row, parentAdcode: parent })));

describe('the book of regions', () => {
  it.each([
    ['浙江省', '杭州市', '上城区', '330102'],
    ['浙江省', '杭州市', '下城区', '330105'],
    ['浙江省', '杭州市', '江干区', '330102'],
    ['浙江省', '杭州市', '330103', '330105'],
    ['福建省', '三明市', '三元区', '350404'],
    ['福建省', '三明市', '梅列区', '350404'],
    ['福建省', '三明市', '沙县', '350405'],
    ['西藏自治区', '山南市', '错那市', '540581'],
    ['西藏自治区', '山南市', '错那县', '540581'],
    ['新疆维吾尔自治区', '白杨市', '', '659012'],
    ['新疆维吾尔自治区', '白杨市', '白杨市', '659012'],
    ['新疆维吾尔自治区', '和田地区', '和安县', '653228'],
    ['新疆维吾尔自治区', '和田地区', '和康县', '653229'],
    ['广东省', '东莞市', '', '441900'],
    ['广东省', '东莞市', '东莞市', '441900'],
    ['广东', '中山', '', '442000'],
    ['海南省', '儋州市', '', '460400'],
    ['河南省', '济源市', '', '419001'],
    ['河南省', '', '济源市', '419001'],
    ['湖北省', '仙桃市', '仙桃市', '429004'],
    ['湖北省', '省直辖县级行政区划', '仙桃市', '429004'],
    ['北京市', '北京市', '朝阳区', '110105'],
    ['北京市', '市辖区', '朝阳区', '110105'],
    ['北京市', '北京市', '', '110000'],
    ['重庆市', '重庆市', '城口县', '500229'],
    ['香港特别行政区', '香港特别行政区', '中西区', '810001'],
  ])('%s %s %s is %s', (province, city, district, adcode) => expect(book.find(province, city, district)?.adcode).toBe(adcode));

  it.each([
    ['浙江省', '杭州市', ''],
    ['浙江省', '', ''],
    ['浙江省', '杭州市', '不存在区'],
    ['广东省', '东莞市', '东城街道'],
    ['湖北省', '湖北省-自治区直辖县级行政区划', ''],
  ])('%s %s %s is no place', (province, city, district) => expect(book.find(province, city, district)).toBeNull());

  it('leads every abolished code to one that stands, and has every name once in its place', () => {
    const standing = rows.filter(({ retiredOn }) => retiredOn === null);
    const codes = new Set(standing.map(({ adcode }) => adcode));
    expect(rows.filter(({ retiredOn, replacedBy }) => retiredOn !== null && !codes.has(replacedBy ?? ''))).toEqual([]);
    expect(standing.filter(({ parent }) => parent !== null && !codes.has(parent))).toEqual([]);
    const named = Map.groupBy(standing, ({ parent, name }) => `${parent}${name}`);
    expect([...named.values()].filter((twice) => twice.length > 1)).toEqual([]);
    expect(standing.filter(({ name }) => name.includes('-'))).toEqual([]);
    expect(rows.filter(({ adcode }) => !/^\d{6}$/.test(adcode))).toEqual([]);
  });
});
