import { createHash } from 'node:crypto';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { materialTypes, type MaterialType, type ProductLine } from '#domains/insurance/contract/businessLines.ts';
import {
  CHECK_NAMES,
  type CheckCode,
  type ChronicGrade,
  type HumanVerdict,
  type MachineResult,
  type RecheckReason,
} from '../../contract/applyDictionaries.ts';
import type { Measures } from '../../contract/applyFields.ts';

/** What the machine finds of one item, and what a person says of it. */
export interface Judged {
  checkCode: string;
  question: string;
  hard: boolean;
  /** Null: a person answers alone. */
  machineResult: MachineResult | null;
  explain: string;
  humanVerdict: HumanVerdict | null;
  humanNote: string;
}
export type Finding = Pick<Judged, 'checkCode' | 'question' | 'hard' | 'machineResult' | 'explain'>;

export interface CheckFacts {
  day: Day;
  productLine: ProductLine;
  enrolType: string;
  covered: boolean;
  listed: boolean;
  coverageStart: Day | null;
  continuousFrom: Day | null;
  /** A benefit never pays for what was diagnosed in so many days. */
  diseaseWaitingDays: number;
  waitingDays: number;
  preExistingCovered: boolean;
  firstDiagnosedOn: Day;
  icd10: string;
  /** ICD-10 prefixes of the indications of the drug; null: the product names no drugs. */
  indicationPrefixes: readonly string[] | null;
  geneRequirement: string | null;
  age: number | null;
  ageMin: number;
  ageMax: number;
  missing: readonly MaterialType[];
  /** Days since a material was issued, of those whose day is known. */
  ages: readonly { materialType: MaterialType; days: number }[];
  openNo: string | null;
  liveContractNo: string | null;
  blockReason: string | null;
  realName: boolean | null;
  duplicates: number;
  hospitalRank: number | null;
  minHospitalRank: number;
  control: { mode: string | null; text: string };
  checklist: readonly { checkCode: string; question: string; hard: boolean }[];
}

const FRESH: Partial<Record<MaterialType, number>> = { DIAGNOSIS: 180, PRESCRIPTION: 30, IMAGING: 90 };
/** Items that a line does without: an insurer verified who somebody is; chronic diseases have no waiting time, indication or hospital. */
const LEFT_OUT: Partial<Record<ProductLine, readonly CheckCode[]>> = {
  SAAS: ['E10'],
  HMO: ['E03', 'E04', 'E05', 'E05G', 'E12'],
};
type Result = readonly [MachineResult | null, string];
const names = (types: readonly MaterialType[]) => types.map((type) => materialTypes.label(type)).join('、');

function waiting(facts: CheckFacts): Result {
  const start = facts.continuousFrom ?? facts.coverageStart;
  const days = facts.diseaseWaitingDays || facts.waitingDays;
  if (start === null) return ['UNKNOWN', '没有保障起始日期'];
  if (facts.enrolType === 'RENEW' && facts.continuousFrom !== facts.coverageStart) return ['PASS', '连续投保，免等待期'];
  const first = plusDays(start, days);
  return facts.firstDiagnosedOn >= first
    ? ['PASS', `确诊日期 ${facts.firstDiagnosedOn} ≥ ${first}`]
    : [facts.diseaseWaitingDays > 0 ? 'FAIL' : 'WARN', `确诊日期 ${facts.firstDiagnosedOn} < ${first}`];
}

function preExisting({ continuousFrom, coverageStart, preExistingCovered, firstDiagnosedOn }: CheckFacts): Result {
  const start = continuousFrom ?? coverageStart;
  if (preExistingCovered) return ['PASS', '产品保障既往症'];
  if (start === null) return ['UNKNOWN', '没有保障起始日期'];
  return firstDiagnosedOn < start ? ['FAIL', `确诊日期 ${firstDiagnosedOn} 早于保障起始 ${start}`] : ['PASS', `确诊日期不早于 ${start}`];
}

function indication({ indicationPrefixes, icd10 }: CheckFacts): Result {
  if (indicationPrefixes === null) return ['PASS', '产品不限定药品适应症'];
  if (indicationPrefixes.length === 0) return ['UNKNOWN', '药品未维护适应症编码'];
  return indicationPrefixes.some((prefix) => icd10.startsWith(prefix.toUpperCase()))
    ? ['PASS', `${icd10} 符合适应症`]
    : ['FAIL', `${icd10} 不在适应症 ${indicationPrefixes.join('、')} 内`];
}

function freshness({ ages }: CheckFacts): Result {
  const old = ages.filter(({ materialType, days }) => days > (FRESH[materialType] ?? Number.POSITIVE_INFINITY));
  return old.length === 0
    ? ['PASS', '未发现过期材料']
    : ['WARN', old.map(({ materialType, days }) => `${materialTypes.label(materialType)}已出具${days}天`).join('；')];
}

const CONTROL: Readonly<Record<string, MachineResult>> = { REJECT: 'FAIL', HOLD: 'WARN', WARN: 'WARN', CAP: 'WARN' };

/** R2: what the machine finds of an application, in order; then what the product has people answer. */
export function findAll(facts: CheckFacts): Finding[] {
  const { age, ageMin, ageMax, missing, openNo, liveContractNo, blockReason, hospitalRank, minHospitalRank } = facts;
  const found: Record<CheckCode, readonly [hard: boolean, ...result: Result]> = {
    E01: [true, facts.covered ? 'PASS' : 'FAIL', facts.covered ? '提交日在保障期内' : '提交日没有有效保障'],
    E02: [true, facts.listed ? 'PASS' : 'FAIL', facts.listed ? '在被保人清单内' : '不在被保人清单内'],
    E03: [facts.diseaseWaitingDays > 0, ...waiting(facts)],
    E04: [true, ...preExisting(facts)],
    E05: [true, ...indication(facts)],
    E05G: [true, null, facts.geneRequirement ?? ''],
    E06: [
      true,
      age === null ? 'UNKNOWN' : age >= ageMin && age <= ageMax ? 'PASS' : 'FAIL',
      age === null ? '没有出生日期' : `${age}岁，要求${ageMin}至${ageMax}岁`,
    ],
    E07: [true, missing.length === 0 ? 'PASS' : 'FAIL', missing.length === 0 ? '必备材料齐全' : `缺少${names(missing)}`],
    E07B: [false, ...freshness(facts)],
    E08: [true, openNo || liveContractNo ? 'FAIL' : 'PASS', openNo ?? liveContractNo ?? '没有未结的申请或合同'],
    E09: [true, blockReason === null ? 'PASS' : 'FAIL', blockReason ?? '未被禁止入组'],
    E10: [false, facts.realName === null ? 'UNKNOWN' : facts.realName ? 'PASS' : 'WARN', facts.realName ? '已实名认证' : '未完成实名认证'],
    E11: [
      false,
      facts.duplicates === 0 ? 'PASS' : 'WARN',
      facts.duplicates === 0 ? '未发现相同材料' : `${facts.duplicates}份材料与他人相同或相似`,
    ],
    E12: [
      false,
      hospitalRank === null ? 'UNKNOWN' : hospitalRank >= minHospitalRank ? 'PASS' : 'WARN',
      hospitalRank === null ? '没有就诊医院' : hospitalRank >= minHospitalRank ? '医院等级符合要求' : '医院等级低于产品要求',
    ],
    E13: [facts.control.mode === 'REJECT', CONTROL[facts.control.mode ?? ''] ?? 'PASS', facts.control.text || '未命中控费规则'],
  };
  const leftOut = LEFT_OUT[facts.productLine] ?? [];
  const machine = (Object.keys(CHECK_NAMES) as CheckCode[]).flatMap((checkCode) => {
    if (leftOut.includes(checkCode) || (checkCode === 'E05G' && facts.geneRequirement === null)) return [];
    const [hard, machineResult, explain] = found[checkCode];
    return [{ checkCode, question: CHECK_NAMES[checkCode], hard, machineResult, explain }];
  });
  return [...machine, ...facts.checklist.map((item) => ({ ...item, machineResult: null, explain: '' }))];
}

const failsHard = ({ hard, machineResult }: Judged) => hard && (machineResult === 'FAIL' || machineResult === 'UNKNOWN');
const isOverridden = ({ humanVerdict, humanNote }: Judged) => humanVerdict === 'OVERRIDE' && humanNote !== '';

/** Items that wait for a word of the reviewer; a failed hard one waits for an override instead. */
export const openChecks = (checks: readonly Judged[]): Judged[] =>
  checks.filter((check) => check.machineResult !== 'PASS' && !failsHard(check) && check.humanVerdict === null);

/** Items that forbid a pass. */
export const stoppingChecks = (checks: readonly Judged[]): Judged[] =>
  checks.filter((check) => (failsHard(check) && !isOverridden(check)) || check.humanVerdict === 'FAIL');

interface NextFacts {
  applyNo: string;
  productLine: ProductLine;
  reviewLevels: string;
  sampleBp: number;
  checks: readonly Judged[];
  /** A mark FORCE_RECHECK, or a control rule that holds the case up. */
  forced: boolean;
}
export type NextStep = { state: 'RECHECK'; reason: RecheckReason } | { state: 'WAIT_INSURER' | 'APPROVED'; reason: null };

/** Always the same answer for one number. */
const isSampled = (applyNo: string, sampleBp: number): boolean =>
  Number(BigInt(`0x${createHash('sha256').update(applyNo).digest('hex')}`) % 10_000n) < sampleBp;

/** Where a case goes that nobody looks at again. */
export const afterReview = ({ productLine, reviewLevels }: Pick<NextFacts, 'productLine' | 'reviewLevels'>): NextStep =>
  productLine === 'SAAS' || reviewLevels === 'INSURER' ? { state: 'WAIT_INSURER', reason: null } : { state: 'APPROVED', reason: null };

/** R1: the next step after a pass. */
export function nextStep(facts: NextFacts): NextStep {
  const reason: RecheckReason | null = facts.checks.some((check) => check.hard && isOverridden(check))
    ? 'OVERRIDE'
    : facts.forced
      ? 'MARK'
      : facts.reviewLevels === 'TWO'
        ? 'LEVEL'
        : isSampled(facts.applyNo, facts.sampleBp)
          ? 'SAMPLE'
          : null;
  return reason === null ? afterReview(facts) : { state: 'RECHECK', reason };
}

/** Risk by the highest of what was measured; null: nothing was. */
export function proposedGrade(measures: Measures | null): ChronicGrade | null {
  if (!measures) return null;
  const { systolic, diastolic, hba1cPermille, ldlCentimole, bmiTenths } = measures;
  const rankOf = (value: number | null, limits: readonly [number, number, number]) =>
    value === null ? -1 : limits.filter((limit) => value >= limit).length;
  const rank = Math.max(
    rankOf(systolic, [140, 160, 180]),
    rankOf(diastolic, [90, 100, 110]),
    rankOf(hba1cPermille, [60, 70, 90]),
    rankOf(ldlCentimole, [340, 410, 490]),
    rankOf(bmiTenths, [240, 280, 350]),
  );
  return rank < 0 ? null : (['LOW', 'MID', 'HIGH', 'VERY_HIGH'] as const)[rank]!;
}
