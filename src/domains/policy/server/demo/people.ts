import { daysBetween, plusDays, type Day } from '#kernel/contract/time.ts';
import { quoteOf } from '#domains/insurance/contract/model/quote.ts';
import { checkCharacter } from '#domains/patient/contract/idNumber.ts';
import type { getPlans } from '#domains/insurance/server/index.ts';
import type { Person } from '../../contract/persons.ts';
import type { Stage } from './stage.ts';

type Plan = Awaited<ReturnType<typeof getPlans>>[number];

export interface Insured extends Person {
  planCode: string;
  annualFen: bigint;
  patientId: string | null;
  /** Index of the main insured within the list; null: he is one himself. */
  main: number | null;
}

const FAMILY = [...'王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎'];
const MEN = [...'伟强磊军洋勇杰涛明超刚平辉鹏华飞鑫波斌宇浩凯健俊帆'];
const WOMEN = [...'芳娜敏静丽娟艳霞秀玲燕红梅琳慧莹雪晶倩婷颖璐洁云'];
const AREAS = ['110105', '310101', '320102', '330106', '330402', '370102', '420106', '440103', '510104', '610104'];
const DEPARTMENTS = ['生产部', '研发部', '市场部', '财务部', '行政部', '仓储部'];

/** No two people of the demonstration have one certificate. */
function certificate(n: number, birthDate: Day, gender: 'M' | 'F'): string {
  const order = String((n % 499) * 2 + (gender === 'M' ? 1 : 0)).padStart(3, '0');
  const place = Math.floor(n / 499);
  const area = `${AREAS[place % AREAS.length]!.slice(0, 4)}0${1 + (Math.floor(place / AREAS.length) % 6)}`;
  const digits = `${area}${birthDate.replaceAll('-', '')}${order}`;
  return `${digits}${checkCharacter(digits)}`;
}

/** Somebody whom a plan takes on that day; the oldest and youngest that it takes are left out. */
export function anybody(
  { random, today, serial }: Stage,
  plan: Plan,
  from: Day,
  relation: Person['relation'] = 'SELF',
): Omit<Insured, 'main'> {
  const adult = { from: Math.max(plan.ageMin + 1, 22), to: Math.min(plan.ageMax - 1, 58) };
  const age = relation === 'CHILD' && plan.ageMin < 6 ? random.int(Math.max(1, plan.ageMin), 16) : random.int(adult.from, adult.to);
  const gender = random.chance(0.54) ? 'M' : 'F';
  const birthDate = plusDays(today, -Math.ceil(age * 365.25) - random.int(20, 300) - daysBetween(from, today));
  const names = gender === 'M' ? MEN : WOMEN;
  return {
    name: `${random.pick(FAMILY)}${random.pick(names)}${random.chance(0.7) ? random.pick(names) : ''}`,
    idType: 'ID_CARD',
    idNo: certificate(serial(), birthDate, gender),
    gender,
    birthDate,
    mobile: relation === 'CHILD' ? undefined : `13${random.int(100_000_000, 999_999_999)}`,
    employeeNo: undefined,
    department: undefined,
    adcode: random.pick(AREAS),
    hasSocial: true,
    socialAdcode: undefined,
    relation,
    mainInsuredItemId: undefined,
    preExistingIcd: random.chance(0.03) ? [random.pick(['I10', 'E11', 'C34', 'N18'])] : [],
    planCode: plan.planCode,
    annualFen: annualOf(plan, { birthDate, gender, hasSocial: true }, from),
    patientId: null,
  };
}

export function annualOf(plan: Plan, who: { birthDate: Day; gender: 'M' | 'F'; hasSocial: boolean }, from: Day): bigint {
  const quote = quoteOf(plan, { ...who, social: who.hasSocial ? 'YES' : 'NO', from, to: from });
  return BigInt(quote?.annualPremiumFen ?? -1);
}

/** The people of a first list; of groups each eighth brings somebody of his family, where the product takes them. */
export function firstList(
  stage: Stage,
  plans: readonly Plan[],
  from: Day,
  wish: { count: number; group: boolean; heads: readonly string[]; known: number | null },
): Insured[] {
  const own = plans[0]!;
  const made: Insured[] = [];
  const heads = wish.heads.flatMap((name) => stage.known.find((one) => one.name === name) ?? []);
  const others = wish.known === null ? [] : stage.known.slice(wish.known).filter((one) => !heads.includes(one));
  const known = [...heads, ...others].filter((one) => annualOf(own, { ...one, hasSocial: true }, from) >= 0n).slice(0, wish.group ? 6 : 1);
  // Of a city fewer come with their families than of a company.
  const family = plans.find(({ planCode }) => planCode === 'P2') ?? own;
  const every = wish.count >= 500 ? 16 : 9;
  while (made.length < wish.count) {
    const at = made.length;
    const patient = known[at];
    const isKin = !patient && at > 0 && (wish.group ? at % every === every - 1 : wish.count < 10);
    const relation = isKin ? (at % 2 === 0 && family.ageMin < 6 ? 'CHILD' : 'SPOUSE') : 'SELF';
    const made1 = anybody(stage, isKin ? family : own, from, relation);
    const main = isKin ? (wish.group ? at - 1 : 0) : null;
    const mainIsSelf = main === null || made[main]!.main === null;
    made.push({
      ...made1,
      // Children are reached through whom they came with.
      ...(relation === 'CHILD' && main !== null && { mobile: made[main]!.mobile }),
      ...(patient && {
        name: patient.name,
        gender: patient.gender,
        birthDate: patient.birthDate,
        idNo: patient.idNo,
        mobile: patient.mobile,
        patientId: patient.patientId,
        annualFen: annualOf(own, { ...patient, hasSocial: true }, from),
      }),
      ...(wish.group &&
        wish.count < 1000 && { employeeNo: `E${String(at + 1).padStart(5, '0')}`, department: DEPARTMENTS[at % DEPARTMENTS.length]! }),
      main: mainIsSelf ? main : null,
    });
  }
  return made;
}
