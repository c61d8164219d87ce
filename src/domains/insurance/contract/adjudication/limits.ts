import { groupPeriods, groupSubjects } from '../model/dictionaries.ts';
import type { Period } from './accumulators.ts';
import { accumulatorKey, groupKey } from './keys.ts';
import type { BenefitSpec, LineSpec, VersionSpec } from './spec.ts';

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

/** Medicines that a benefit can pay, of all versions of its drug list that it can meet, each once. */
function medicinesOf({ formularies }: VersionSpec, benefit: BenefitSpec): LineSpec[] {
  const rows = formularies
    .filter((list) =>
      benefit.formularyMode === 'PINNED'
        ? list.formularyVersionId === benefit.formularyVersionId
        : list.formularyId === benefit.formularyId,
    )
    .flatMap(({ lines }) => lines)
    .filter(({ medicineId }) => benefit.drugScope.length === 0 || benefit.drugScope.includes(medicineId));
  return [...new Map(rows.map((row) => [row.medicineId, row])).values()];
}

/** All limits of a plan that outlast a claim, in the order in which a claim meets them. */
export function limitsOfPlan(spec: VersionSpec, planCode: string): NamedLimit[] {
  const plan = spec.plans.find((one) => one.planCode === planCode);
  const named: NamedLimit[] = [];
  for (const group of spec.groups) {
    if (group.period === 'CLAIM') continue;
    named.push({
      key: groupKey(group, spec.productId),
      label: `${group.groupName}（${groupPeriods.label(group.period)}${group.kind === 'DEDUCTIBLE' ? '免赔额' : '限额'}，${groupSubjects.label(group.subject)}）`,
      unit: 'FEN',
      subject: group.subject,
      period: group.period,
      limitAmount: plan?.groupAmounts[group.groupCode] ?? group.amountFen,
    });
  }
  for (const benefit of spec.benefits) {
    const { benefitCode, benefitName, caps } = benefit;
    const own = { ...caps, ...plan?.caps[benefitCode] };
    const paid = accumulatorKey('PAY', spec.productId, benefitCode);
    const add = (key: string, label: string, limit: number | null, period: NamedLimit['period'], unit: NamedLimit['unit'] = 'FEN') => {
      if (limit !== null) named.push({ key, label: `${benefitName}${label}`, unit, subject: 'PERSON', period, limitAmount: limit });
    };
    for (const { medicineId, genericName } of medicinesOf(spec, benefit))
      add(accumulatorKey('ITEM', spec.productId, benefitCode, medicineId), `单药年限额（${genericName}）`, own.perItemYearFen, 'YEAR');
    add(paid, '年限额', own.perYearFen, 'YEAR');
    add(paid, '终身限额', own.lifetimeFen, 'LIFE');
    add(accumulatorKey('CNT', spec.productId, benefitCode), '年次数', own.timesPerYear, 'YEAR', 'TIMES');
  }
  if (plan && plan.sumInsuredFen !== null)
    named.push({
      key: accumulatorKey('SUM', spec.productId, plan.planCode),
      label: `${plan.planName}保额`,
      unit: 'FEN',
      subject: 'PERSON',
      period: 'YEAR',
      limitAmount: plan.sumInsuredFen,
    });
  return named;
}
