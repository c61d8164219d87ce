import { yuan } from '#kernel/contract/money.ts';
import { groupPeriods, groupSubjects, preExistingModes, socialModes, tierPreExistings, waitingEffects } from './dictionaries.ts';
import type { Benefit, BenefitTier, LimitGroup, Plan } from './document.ts';
import { noNames, type Names } from './names.ts';

export const money = (fen: number): string => `${yuan(fen, true)}元`;
/** Basis points without trailing zeros: 8000 → `80%`, 8050 → `80.5%`. */
export const percent = (bp: number): string => `${bp / 100}%`;

const socialWords = { SETTLED: '医保结算后', NOT_SETTLED: '应结未结时', OUTSIDE: '医保目录外', ANY: '' } as const;
const MOST_MONTHS = 999;

/** One row of rates in words: `医保结算后、既往症、20,000.00元以上部分赔40%`. */
export function tierWords({ social, preExisting, monthFrom, monthTo, fromFen, toFen, rateBp }: BenefitTier): string {
  const where = [
    socialWords[social],
    preExisting === 'ANY' ? '' : tierPreExistings.label(preExisting),
    monthFrom === 0 && monthTo === MOST_MONTHS
      ? ''
      : monthTo === MOST_MONTHS
        ? `用药第${monthFrom}个月起`
        : `用药第${monthFrom}至${monthTo}个月`,
    fromFen === 0 && toFen === null
      ? ''
      : toFen === null
        ? `${money(fromFen)}以上部分`
        : fromFen === 0
          ? `${money(toFen)}以内部分`
          : `${money(fromFen)}至${money(toFen)}部分`,
  ].filter((part) => part !== '');
  return `${where.join('、')}${rateBp === 0 ? '不赔' : `赔${percent(rateBp)}`}`;
}

/** A purse in words: `每保单年度免赔额16,000.00元（家庭共用）`. */
export const groupWords = ({ kind, period, subject, amountFen, otherPayOffsets }: LimitGroup): string =>
  `${groupPeriods.label(period)}${kind === 'DEDUCTIBLE' ? '免赔额' : '限额'}${money(amountFen)}${
    subject === 'FAMILY' ? `（${groupSubjects.label(subject)}共用）` : ''
  }${otherPayOffsets ? '（其他商业补偿可抵扣）' : ''}`;

type Caps = Pick<Benefit, 'perLineFen' | 'perItemYearFen' | 'perClaimFen' | 'perYearFen' | 'lifetimeFen' | 'timesPerYear'>;
const capNames = {
  perLineFen: '单项限额',
  perItemYearFen: '单药年限额',
  perClaimFen: '次限额',
  perYearFen: '年限额',
  lifetimeFen: '终身限额',
} as const;

export const capWords = (caps: Partial<Caps>): string[] => [
  ...(['perLineFen', 'perItemYearFen', 'perClaimFen', 'perYearFen', 'lifetimeFen'] as const).flatMap((key) => {
    const fen = caps[key];
    return fen === null || fen === undefined ? [] : [`${capNames[key]}${money(fen)}`];
  }),
  ...(caps.timesPerYear ? [`每年最多${caps.timesPerYear}次`] : []),
];

/** How a benefit pays, sentence by sentence, in the order in which a claim meets it. */
export function benefitClauses(
  benefit: Benefit,
  { limitGroups, benefits }: { limitGroups: readonly LimitGroup[]; benefits: readonly Benefit[] },
  names: Names = noNames,
): string[] {
  const list = names.formulary(benefit);
  const shared = (code: string) =>
    benefits
      .filter((one) => one !== benefit && one.benefitCode !== benefit.benefitCode)
      .filter((one) => one.deductibleGroup === code || one.ceilingGroups.includes(code))
      .map(({ benefitName }) => benefitName);
  const purses = [...(benefit.deductibleGroup === null ? [] : [benefit.deductibleGroup]), ...benefit.ceilingGroups];
  return [
    ...(list === '' ? [] : [`适用${list}${benefit.drugScope.length > 0 ? `中的${benefit.drugScope.length}种药品` : ''}`]),
    ...(benefit.diseasePrefixes.length > 0 ? [`限疾病${benefit.diseasePrefixes.join('、')}`] : []),
    benefit.waitingDays === 0 ? '无等待期' : `等待期${benefit.waitingDays}天（${waitingEffects.label(benefit.waitingEffect)}）`,
    `既往症${preExistingModes.label(benefit.preExistingMode)}`,
    socialModes.label(benefit.socialMode),
    ...purses.flatMap((code) => {
      const group = limitGroups.find(({ groupCode }) => groupCode === code);
      if (!group) return [];
      const others = shared(code);
      return [`${groupWords(group)}${others.length > 0 ? `（与${others.join('、')}共享）` : ''}`];
    }),
    ...benefit.tiers.map(tierWords),
    ...capWords(benefit),
  ];
}

/** What a person without social insurance gets: the rates of what is outside its list, whatever list the medicine is on. */
export function withoutSocialClauses(benefit: Benefit, plans: readonly Plan[]): string[] {
  const insuring = plans.filter(({ socialRequired }) => socialRequired !== 'YES');
  if (plans.length > 0 && insuring.length === 0) return ['各计划只承保有医保的被保人'];
  const ratesOf = (tiers: readonly BenefitTier[]) =>
    tiers
      .filter(({ social }) => social === 'OUTSIDE' || social === 'ANY')
      .map((tier) => tierWords({ ...tier, social: 'ANY' }))
      .join('，') || '不赔';
  const who = benefit.socialMode === 'IGNORE' ? '该责任不扣除医保，有无医保的被保人' : '无医保的被保人';
  const otherwise = insuring.flatMap(({ planName, overrides }) => {
    const tiers = overrides.benefits[benefit.benefitCode]?.tiers;
    return tiers ? [`${planName}${ratesOf(tiers)}`] : [];
  });
  return [`${who}均按医保目录外赔付：${ratesOf(benefit.tiers)}${otherwise.length > 0 ? `（${otherwise.join('；')}）` : ''}`];
}

/** A benefit as one sentence. */
export const benefitSentence = (...given: Parameters<typeof benefitClauses>): string => {
  const [{ benefitName }] = given;
  return `${benefitName}：${benefitClauses(...given).join('；')}。`;
};
