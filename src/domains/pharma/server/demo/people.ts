const SURNAMES = '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧'.split('');
const GIVEN = [
  '敏',
  '伟',
  '芳',
  '娜',
  '秀英',
  '强',
  '磊',
  '军',
  '洋',
  '勇',
  '艳',
  '杰',
  '娟',
  '涛',
  '明',
  '超',
  '秀兰',
  '霞',
  '平',
  '刚',
  '桂英',
  '文博',
  '雨桐',
  '子轩',
  '思远',
  '嘉怡',
  '晓彤',
  '建国',
  '志强',
  '丽华',
  '海燕',
];
/** A name of its own for every number below 900. */
export const personName = (index: number): string =>
  SURNAMES[index % SURNAMES.length]! + GIVEN[(index * 7 + Math.floor(index / SURNAMES.length)) % GIVEN.length]!;

export const HOSPITALS = [
  '上海市胸科医院',
  '复旦大学附属肿瘤医院',
  '浙江省肿瘤医院',
  '江苏省人民医院',
  '南京鼓楼医院',
  '浙江大学医学院附属第一医院',
  '安徽省立医院',
  '山东省肿瘤医院',
];
export const REGIONS = ['310000', '320000', '330000', '340000', '370000'];
