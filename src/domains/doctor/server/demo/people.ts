import { checkCharacter } from '#kernel/contract/idNumber.ts';
import type { AccountState, QualState } from '../../contract/states.ts';
import type { PracticeCategory, SourceType, TitleCode } from '../../contract/dictionaries.ts';

/** Department, its diseases (codes of the corpus), what the doctor is good at. */
export const demoFields: readonly (readonly [department: string, diseases: readonly string[], specialty: string, scope: string])[] = [
  ['心血管内科', ['I10', 'I25', 'I50', 'E78'], '高血压、冠心病、心力衰竭的诊断与长期管理', '内科专业'],
  ['呼吸内科', ['J45', 'J44', 'C34'], '哮喘、慢阻肺及肺部结节的规范化诊治', '内科专业'],
  ['消化内科', ['K21', 'K25', 'B18', 'K51'], '慢性胃病、乙肝、炎症性肠病的诊治与随访', '内科专业'],
  ['内分泌科', ['E11', 'E10', 'E05', 'E66'], '糖尿病、甲状腺疾病、肥胖症的综合管理', '内科专业'],
  ['普通外科', ['C50', 'C73', 'C18'], '乳腺、甲状腺及胃肠肿瘤的手术治疗', '外科专业'],
  ['骨科', ['M17', 'M81', 'M45'], '膝骨关节炎、骨质疏松的保守与手术治疗', '外科专业'],
  ['妇科', ['C53', 'C56', 'N80'], '子宫内膜异位症、妇科肿瘤的诊治', '妇产科专业'],
  ['儿科', ['J45', 'J30', 'L20'], '儿童哮喘、过敏性疾病的长期管理', '儿科专业'],
];

const SURNAMES =
  '李王陈张刘赵黄徐马朱胡郭林何高罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段章钱汤尹黎易常武乔贺赖龚文';
const GIVEN = [
  '建华',
  '志强',
  '晓东',
  '丽娟',
  '国栋',
  '思远',
  '静怡',
  '海波',
  '春梅',
  '文涛',
  '雅琴',
  '俊杰',
  '慧敏',
  '立新',
  '雪梅',
  '永康',
  '佳宁',
  '明哲',
  '秀英',
  '振宇',
  '桂芳',
  '一鸣',
  '欣然',
  '宏伟',
  '子涵',
  '晓燕',
  '德明',
  '若兰',
  '成林',
  '美玲',
];

export interface DemoDoctor {
  index: number;
  name: string;
  mobile: string;
  idNo: string;
  titleCode: TitleCode;
  category: PracticeCategory;
  qualState: QualState;
  accountState: AccountState;
  sourceType: SourceType;
  field: (typeof demoFields)[number];
  /** Days ago. */
  registered: number;
  /** Days from today to the end of the practice certificate. */
  practiceEnds: number;
  practiceSinceYears: number;
}

/** How many doctors of each state, one group after another. */
const GROUPS: readonly (readonly [count: number, qual: QualState, account: AccountState])[] = [
  [120, 'APPROVED', 'NORMAL'],
  [14, 'PENDING', 'NORMAL'],
  [10, 'RETURNED', 'NORMAL'],
  [8, 'REJECTED', 'NORMAL'],
  [6, 'EXPIRED', 'NORMAL'],
  [5, 'APPROVED', 'FROZEN'],
  [3, 'APPROVED', 'CANCELLED'],
  [14, 'NONE', 'NORMAL'],
];
/** Days to the end of certificates that will be reminded of; the first ones stand at a reminder day each. */
const SOON = [0, 1, 7, 30, 60, 3, 12, 18, 24, 41, 47, 55];
const REMINDED_FAR = 90;
export const EXPIRED_FROM = 152;
/** Of whom the stories tell. */
export const NAMED = { li: 0, chen: 1, zhou: 3, wang: 152 } as const;
const NAMES: Readonly<Record<number, string>> = {
  [NAMED.li]: '李文博',
  [NAMED.chen]: '陈立',
  [NAMED.zhou]: '周敏',
  [NAMED.wang]: '王海燕',
  7: '欧阳娜娜',
  12: '迪丽热巴·买买提',
};
const TITLES: readonly TitleCode[] = ['ASSOCIATE', 'CHIEF', 'ATTENDING', 'ATTENDING', 'ASSOCIATE', 'RESIDENT'];

const idNoOf = (index: number): string => {
  const birth = `${1965 + (index % 30)}${String(1 + (index % 12)).padStart(2, '0')}${String(1 + (index % 27)).padStart(2, '0')}`;
  const first = `3301${['02', '05', '06', '08'][index % 4]}${birth}${String(100 + index).padStart(3, '0')}`;
  return first + checkCharacter(first);
};

/** doctor.md §Demo data: 180 doctors, the same in every demonstration. */
export const demoDoctors: readonly DemoDoctor[] = GROUPS.flatMap(([count, qualState, accountState]) =>
  Array.from({ length: count }, () => ({ qualState, accountState })),
).map(({ qualState, accountState }, index) => {
  const soon = index >= 20 && index < 20 + SOON.length ? SOON[index - 20]! : index === 40 ? REMINDED_FAR : null;
  return {
    index,
    qualState,
    accountState,
    name: NAMES[index] ?? `${SURNAMES[(index * 7) % SURNAMES.length]!}${GIVEN[(index * 11) % GIVEN.length]!}`,
    mobile: `1370010${String(1000 + index)}`,
    idNo: idNoOf(index),
    titleCode: index === NAMED.wang ? 'ATTENDING' : TITLES[index % TITLES.length]!,
    category: index % 23 === 5 ? 'TCM' : 'CLINICAL',
    sourceType: (['SCAN', 'SCAN', 'INVITE', 'STAFF', 'IMPORT'] as const)[index % 5]!,
    field: demoFields[index % demoFields.length]!,
    registered: 175 - index + (index % 7),
    practiceEnds: index === EXPIRED_FROM ? -1 : qualState === 'EXPIRED' ? -1 - (index - EXPIRED_FROM) * 9 : (soon ?? 300 + index * 5),
    practiceSinceYears: index % 6 === 5 ? 2 : 5 + (index % 25),
  };
});
