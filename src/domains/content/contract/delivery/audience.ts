import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { id, text } from '#kernel/contract/fields.ts';
import { firstSeenOps, wishes } from './dictionaries.ts';

const MOST_REGIONS = 60;
const MOST_MARKS = 20;
export const MOST_TESTERS = 500;

const marks = (label: string) => field(label, z._default(z.array(id).check(z.maxLength(MOST_MARKS, `${label}最多${MOST_MARKS}个`)), []));
const clientVersion = (label: string) =>
  field(
    label,
    z._default(
      z.string(`${label}不正确`).check(z.trim(), z.maxLength(20), z.regex(/^$|^\d{1,4}(\.\d{1,4}){0,3}$/, `${label}的格式如3.12.0`)),
      '',
    ),
  );

/** Who is to see something; whatever is left out limits nothing. */
export const audienceIn = z.strictObject({
  adcodes: field(
    '地区',
    z._default(
      z.array(z.string().check(z.regex(/^\d{6}$/, '地区不正确'))).check(z.maxLength(MOST_REGIONS, `地区最多${MOST_REGIONS}个`)),
      [],
    ),
  ),
  marksAny: marks('含任一标签'),
  marksAll: marks('含全部标签'),
  marksNone: marks('不含标签'),
  realName: field('已实名', z._default(wishes.schema, 'ANY')),
  loggedIn: field('已登录', z._default(wishes.schema, 'ANY')),
  versionFrom: clientVersion('最低客户端版本'),
  versionTo: clientVersion('最高客户端版本'),
  firstSeen: field(
    '建档天数',
    z._default(
      z.nullable(
        z.strictObject({
          op: field('比较', firstSeenOps.schema),
          days: field('天数', z.int('天数须为整数').check(z.minimum(0, '天数不能为负'), z.maximum(3650, '天数最多3650'))),
        }),
      ),
      null,
    ),
  ),
  /** Numbers of people who see it whatever the rest says, to try it. */
  testNos: field(
    '测试名单',
    z._default(z.array(text('编号', 40, 1)).check(z.maxLength(MOST_TESTERS, `测试名单最多${MOST_TESTERS}个`)), []),
  ),
});
/** As it is kept: the people of the test list by their ids too. */
export const audience = z.extend(audienceIn, { testIds: z._default(z.array(z.string()), []) });
export type Audience = z.output<typeof audience>;
export const everybody: Audience = audience.parse({});

/** Whoever looks at a page, as far as a client says. */
export interface PageViewer {
  loggedIn: boolean;
  /** Of the person; null where nobody is logged in. */
  objectId: string | null;
  adcode: string | null;
  clientVersion: string | null;
  marks: ReadonlySet<string>;
  realName: boolean;
  /** Days since the person's record was made. */
  seenDays: number | null;
  /** Agreed to be addressed by what is known of him. */
  agrees: boolean;
}
export const stranger: PageViewer = {
  loggedIn: false,
  objectId: null,
  adcode: null,
  clientVersion: null,
  marks: new Set(),
  realName: false,
  seenDays: null,
  agrees: false,
};

/** Without consent a sponsor's content goes by region and time alone: marks and what is known of the person count for nothing. */
export const impersonal = (viewer: PageViewer): PageViewer => ({ ...viewer, marks: new Set(), realName: false, seenDays: null });

/** A province stands for its cities, a city for its districts. */
const withoutZeros = (adcode: string) => adcode.replace(/(00)+$/, '');

function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const meets = (wish: Audience['realName'], is: boolean) => wish === 'ANY' || (wish === 'YES') === is;

/** What of the audience does not hold for a viewer, in the words of its form; null: it is for him. Conditions are joined by "and". */
export function audienceFault(wanted: Audience, viewer: PageViewer): string | null {
  if (viewer.objectId !== null && wanted.testIds.includes(viewer.objectId)) return null;
  const { adcode, clientVersion: version, marks: carried } = viewer;
  if (wanted.adcodes.length > 0 && (adcode === null || !wanted.adcodes.some((one) => adcode.startsWith(withoutZeros(one))))) return '地区';
  if (wanted.marksAny.length > 0 && !wanted.marksAny.some((mark) => carried.has(mark))) return '含任一标签';
  if (!wanted.marksAll.every((mark) => carried.has(mark))) return '含全部标签';
  if (wanted.marksNone.some((mark) => carried.has(mark))) return '不含标签';
  if (!meets(wanted.realName, viewer.realName)) return '实名';
  if (!meets(wanted.loggedIn, viewer.loggedIn)) return '登录';
  if (wanted.versionFrom !== '' && (version === null || compareVersions(version, wanted.versionFrom) < 0)) return '客户端版本';
  if (wanted.versionTo !== '' && (version === null || compareVersions(version, wanted.versionTo) > 0)) return '客户端版本';
  if (wanted.firstSeen !== null) {
    const { op, days } = wanted.firstSeen;
    if (viewer.seenDays === null || (op === 'GE' ? viewer.seenDays < days : viewer.seenDays > days)) return '建档天数';
  }
  return null;
}

/** Whether two audiences can have a viewer in common, as far as regions tell. */
export const mayMeet = (a: Audience, b: Audience): boolean =>
  a.adcodes.length === 0 ||
  b.adcodes.length === 0 ||
  a.adcodes.some((one) =>
    b.adcodes.some((other) => withoutZeros(one).startsWith(withoutZeros(other)) || withoutZeros(other).startsWith(withoutZeros(one))),
  );

/** Everybody whom marks alone choose. */
export const marksOf = ({ marksAny, marksAll, marksNone }: Pick<Audience, 'marksAny' | 'marksAll' | 'marksNone'>): string[] => [
  ...new Set([...marksAny, ...marksAll, ...marksNone]),
];

/** An audience in words, names of regions and marks given. */
export function audienceText(wanted: Audience, nameOf: { region(adcode: string): string; mark(id: string): string }): string {
  const some = (label: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${label}${names.slice(0, 3).join('、')}${names.length > 3 ? `等${names.length}个` : ''}`];
  const parts = [
    ...some('', wanted.adcodes.map(nameOf.region)),
    ...some('含任一：', wanted.marksAny.map(nameOf.mark)),
    ...some('含全部：', wanted.marksAll.map(nameOf.mark)),
    ...some('不含：', wanted.marksNone.map(nameOf.mark)),
    ...(wanted.realName === 'ANY' ? [] : [wanted.realName === 'YES' ? '已实名' : '未实名']),
    ...(wanted.loggedIn === 'ANY' ? [] : [wanted.loggedIn === 'YES' ? '已登录' : '未登录']),
    ...(wanted.versionFrom === '' ? [] : [`版本不低于${wanted.versionFrom}`]),
    ...(wanted.versionTo === '' ? [] : [`版本不高于${wanted.versionTo}`]),
    ...(wanted.firstSeen === null ? [] : [`建档${firstSeenOps.label(wanted.firstSeen.op)}${wanted.firstSeen.days}天`]),
    ...(wanted.testNos.length === 0 ? [] : [`测试名单${wanted.testNos.length}人`]),
  ];
  return parts.length === 0 ? '全部用户' : parts.join('；');
}
