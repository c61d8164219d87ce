import { plusDays, type Day } from '#kernel/contract/time.ts';
import { checkCharacter } from '#domains/patient/contract/idNumber.ts';
import type { ListSpec } from './listSpecs.ts';

export const LIST_HEADERS = ['姓名', '证件号码', '出生日期', '手机号', '计划', '生效日期', '减员日期', '操作'] as const;

/** Somebody whom a policy covers. */
export interface Covered {
  name: string;
  idNo: string;
  planCode: string;
  coverageStart: Day;
}
export interface ListPlace {
  today: Day;
  policy: { coverageStart: Day; coverageEnd: Day };
  planCode: string;
  covered: readonly Covered[];
  /** 0, 1, 2 … over all lists. */
  serial(): number;
}

const FAMILY = [...'陶姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷'];
const GIVEN = ['子轩', '雨桐', '浩然', '欣怡', '思远', '佳宁', '晨曦', '俊杰', '梦瑶', '志远', '晓雯', '文博'];

interface Newcomer {
  name: string;
  idNo: string;
  birthDate: Day;
  mobile: string;
}

/** No two people have one certificate; these areas are those of lists alone. */
function newcomer({ serial }: ListPlace): Newcomer {
  const n = serial();
  const birthDate = plusDays('1982-03-01', (n * 137) % 5_000);
  const order = String((n % 499) * 2 + (n % 2)).padStart(3, '0');
  const digits = `4301${String(2 + (Math.floor(n / 499) % 9)).padStart(2, '0')}${birthDate.replaceAll('-', '')}${order}`;
  return {
    name: `${FAMILY[n % FAMILY.length]}${GIVEN[Math.floor(n / 7) % GIVEN.length]}`,
    idNo: `${digits}${checkCharacter(digits)}`,
    birthDate,
    mobile: `137${String(20_000_000 + n * 7_919)
      .padStart(8, '0')
      .slice(-8)}`,
  };
}

const later = (one: Day, other: Day) => (one > other ? one : other);
const wrongEnd = (idNo: string) => `${idNo.slice(0, 17)}${idNo[17] === '0' ? '1' : '0'}`;

/** Rows with one error of a kind each. */
const broken: Readonly<Record<string, (row: string[]) => string[]>> = {
  E01: ([name, idNo = '', ...rest]) => [name!, wrongEnd(idNo), ...rest],
  E02: ([name, idNo, birth = '', ...rest]) => [name!, idNo!, plusDays(birth, 1), ...rest],
  E03: ([, ...rest]) => ['张3', ...rest],
  E04: ([name, idNo, birth, , ...rest]) => [name!, idNo!, birth!, '1391234', ...rest],
  E05: ([name, idNo, birth, mobile, plan, , ...rest]) => [name!, idNo!, birth!, mobile!, plan!, '2026年13月', ...rest],
  E06: ([name, idNo, birth, mobile, plan, , ...rest]) => [name!, idNo!, birth!, mobile!, plan!, '2019-01-01', ...rest],
  E07: ([name, idNo, birth, mobile, , ...rest]) => [name!, idNo!, birth!, mobile!, 'P99', ...rest],
  E09: (row) => row,
  E16: ([, ...rest]) => ['', ...rest],
};

/** The sheet of a list; persons of the policy who leave or change are taken from the end of those who are covered. */
export function rowsOf(spec: ListSpec, place: ListPlace): string[][] {
  const { today, policy, planCode, covered } = place;
  const day = later(policy.coverageStart, plusDays(today, -(spec.back ?? 0)));
  const comes = ({ name, idNo, birthDate, mobile }: Newcomer): string[] => [name, idNo, birthDate, mobile, planCode, day, '', '增'];
  const added = Array.from({ length: spec.add ?? 0 }, () => comes(newcomer(place)));
  const removed = covered
    .slice(0, spec.remove ?? 0)
    .map(({ name, idNo, planCode: plan }): string[] => [name, idNo, '', '', plan, '', plusDays(today, -(spec.back ?? 0)), '减']);
  const changed = covered
    .slice(spec.remove ?? 0, (spec.remove ?? 0) + (spec.modify ?? 0))
    .map(({ name, idNo, planCode: plan }): string[] => [name, idNo, '', newcomer(place).mobile, plan, '', '', '改']);
  const faulty = Object.entries(spec.errors ?? {}).flatMap(([code, count]) =>
    Array.from({ length: count }, (_, at) => (code === 'E09' ? added[at]! : broken[code]!(comes(newcomer(place))))),
  );
  const all = covered
    .slice(0, Math.ceil((covered.length * (spec.fullPercent ?? 0)) / 100))
    .map(({ name, idNo, planCode: plan }): string[] => [name, idNo, '', '', plan, '', '', '']);
  return [...added, ...removed, ...changed, ...faulty, ...all];
}
