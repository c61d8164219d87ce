import { yuan } from '#kernel/contract/money.ts';
import { tierPreExistings, tierSocials, type TierPreExisting, type TierSocial } from './dictionaries.ts';
import type { Benefit, BenefitTier, Plan } from './document.ts';

export interface TierFault {
  kind: '空档' | '重叠';
  detail: string;
}

type Occurring = Pick<Benefit, 'socialMode' | 'preExistingMode'>;

/** The social states that a line can be in: what must be settled first never comes unsettled, what is ignored is one. */
const socialsOf = ({ socialMode }: Occurring): TierSocial[] =>
  socialMode === 'IGNORE' ? ['OUTSIDE'] : socialMode === 'REQUIRED' ? ['SETTLED', 'OUTSIDE'] : ['SETTLED', 'NOT_SETTLED', 'OUTSIDE'];
const preExistingsOf = ({ preExistingMode }: Occurring): TierPreExisting[] => (preExistingMode === 'COVER' ? ['N', 'Y'] : ['N']);

const MOST_MONTHS = 999;

/** Stretches of months in which the same tiers hold. */
function stretches(tiers: readonly BenefitTier[]): [from: number, to: number][] {
  const starts = [...new Set([0, ...tiers.flatMap(({ monthFrom, monthTo }) => [monthFrom, monthTo + 1])])]
    .filter((month) => month <= MOST_MONTHS)
    .toSorted((a, b) => a - b);
  return starts.map((from, index) => [from, (starts[index + 1] ?? MOST_MONTHS + 1) - 1]);
}

const amountsText = (from: number, to: number | null) => `${yuan(from, true)}元${to === null ? '以上' : `至${yuan(to, true)}元`}`;

/** Where the ladder of one combination does not cover every amount exactly once. */
function ladderFault(tiers: readonly BenefitTier[]): { kind: TierFault['kind']; amounts: string } | null {
  let reached: number | null = 0;
  for (const { fromFen, toFen } of tiers.toSorted((a, b) => a.fromFen - b.fromFen)) {
    if (reached === null || fromFen < reached) {
      const end = reached === null ? toFen : toFen === null ? reached : Math.min(reached, toFen);
      return { kind: '重叠', amounts: amountsText(fromFen, end) };
    }
    if (fromFen > reached) return { kind: '空档', amounts: amountsText(reached, fromFen) };
    reached = toFen;
  }
  return reached === null ? null : { kind: '空档', amounts: amountsText(reached, null) };
}

/** Everything that is wrong with the rates of a benefit: for each combination that can occur one ladder covers all amounts. */
export function tierFaults(benefit: Occurring & Pick<Benefit, 'tiers'>): TierFault[] {
  const faults: TierFault[] = [];
  for (const social of socialsOf(benefit)) {
    for (const preExisting of preExistingsOf(benefit)) {
      for (const [from, to] of stretches(benefit.tiers)) {
        const applying = benefit.tiers.filter(
          (tier) =>
            (tier.social === 'ANY' || tier.social === social) &&
            (tier.preExisting === 'ANY' || tier.preExisting === preExisting) &&
            tier.monthFrom <= from &&
            tier.monthTo >= to,
        );
        const fault = ladderFault(applying);
        if (!fault) continue;
        const where = [
          ...(benefit.socialMode === 'IGNORE' ? [] : [tierSocials.label(social)]),
          ...(benefit.preExistingMode === 'COVER' ? [tierPreExistings.label(preExisting)] : []),
          ...(from === 0 && to === MOST_MONTHS ? [] : [`第${from}至${to}月`]),
        ];
        faults.push({ kind: fault.kind, detail: [...where, fault.amounts].join('、') });
      }
    }
  }
  return faults;
}

/** Rows that no line can ever come to, each with why. Plans for people without social insurance alone know one state of it. */
export function unreachableTiers(
  benefit: Occurring & Pick<Benefit, 'tiers'>,
  plans: readonly Pick<Plan, 'socialRequired'>[],
): { tier: BenefitTier; why: string }[] {
  const none = plans.length > 0 && plans.every(({ socialRequired }) => socialRequired === 'NO');
  const socials: readonly string[] = none ? ['OUTSIDE'] : socialsOf(benefit);
  const preExistings: readonly string[] = preExistingsOf(benefit);
  const whyOf = ({ social, preExisting, monthFrom, monthTo, fromFen, toFen }: BenefitTier): string | null => {
    if (social !== 'ANY' && !socials.includes(social)) {
      if (none) return '各计划只承保无医保人员，一律按医保目录外赔付';
      return benefit.socialMode === 'IGNORE' ? '该责任不扣除医保，一律按医保目录外赔付' : '目录内药品须先经医保结算，未结算的不赔';
    }
    if (preExisting !== 'ANY' && !preExistings.includes(preExisting)) return '该责任不赔既往症';
    if (monthFrom > monthTo) return '起始月晚于截止月';
    return toFen !== null && fromFen >= toFen ? '分段起不小于分段止' : null;
  };
  return benefit.tiers.flatMap((tier) => {
    const why = whyOf(tier);
    return why === null ? [] : [{ tier, why }];
  });
}
