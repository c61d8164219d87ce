import { groupPeriods, groupSubjects } from '../model/dictionaries.ts';
import type { Period } from './accumulators.ts';
import type { VersionSpec } from './spec.ts';

/** A limit that claims of one person draw on, as accounts and pages name it. */
export interface NamedLimit {
  /** Without its period: the account is `{key}@{policy year}` or `{key}@LIFE`. */
  key: string;
  label: string;
  unit: 'FEN' | 'TIMES';
  subject: 'PERSON' | 'FAMILY';
  period: Exclude<Period, 'CLAIM'>;
  limitAmount: number;
}

/** All limits of a plan that outlast a claim, in the order in which a claim meets them. */
export function limitsOfPlan(spec: VersionSpec, planCode: string): NamedLimit[] {
  const plan = spec.plans.find((one) => one.planCode === planCode);
  const named: NamedLimit[] = [];
  for (const group of spec.groups) {
    if (group.period === 'CLAIM') continue;
    named.push({
      key: `${group.kind === 'DEDUCTIBLE' ? 'DED' : 'GRP'}:${group.groupCode}`,
      label: `${group.groupName}（${groupPeriods.label(group.period)}${group.kind === 'DEDUCTIBLE' ? '免赔额' : '限额'}，${groupSubjects.label(group.subject)}）`,
      unit: 'FEN',
      subject: group.subject,
      period: group.period,
      limitAmount: plan?.groupAmounts[group.groupCode] ?? group.amountFen,
    });
  }
  for (const { benefitCode, benefitName, caps } of spec.benefits) {
    const own = { ...caps, ...plan?.caps[benefitCode] };
    const add = (key: string, label: string, limit: number | null, period: NamedLimit['period'], unit: NamedLimit['unit'] = 'FEN') => {
      if (limit !== null) named.push({ key, label: `${benefitName}${label}`, unit, subject: 'PERSON', period, limitAmount: limit });
    };
    add(`PAY:${benefitCode}`, '年限额', own.perYearFen, 'YEAR');
    add(`PAY:${benefitCode}`, '终身限额', own.lifetimeFen, 'LIFE');
    add(`CNT:${benefitCode}`, '年次数', own.timesPerYear, 'YEAR', 'TIMES');
  }
  if (plan && plan.sumInsuredFen !== null)
    named.push({
      key: `SUM:${plan.planCode}`,
      label: `${plan.planName}保额`,
      unit: 'FEN',
      subject: 'PERSON',
      period: 'YEAR',
      limitAmount: plan.sumInsuredFen,
    });
  return named;
}
