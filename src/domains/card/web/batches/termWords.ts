import { yuan } from '#kernel/contract/money.ts';
import type { CardTerms } from '../../contract/terms.ts';
import { couponModes, expiryPolicies, orderTypes, validModes } from '../../contract/typeDictionaries.ts';

const money = (fen: number | null) => (fen === null || fen === 0 ? null : `${yuan(fen, true)} 元`);
const yes = (value: boolean) => (value ? '是' : '否');

function coupon({ couponRule: rule }: CardTerms): string | null {
  if (rule === null) return null;
  const value = rule.mode === 'DISCOUNT' ? `${rule.value / 1_000}折` : `${yuan(rule.value, true)} 元`;
  return [
    couponModes.label(rule.mode),
    rule.threshold > 0 ? `满 ${yuan(rule.threshold, true)} 元可用` : '无门槛',
    value,
    rule.cap === null ? '' : `最高 ${yuan(rule.cap, true)} 元`,
  ]
    .filter((part) => part !== '')
    .join('，');
}

function scope({ scope: limits }: CardTerms): string {
  const parts = [
    limits.orderTypes?.length ? limits.orderTypes.map((code) => orderTypes.label(code)).join('、') : '',
    limits.drugstoreIds?.length ? `${limits.drugstoreIds.length} 家药店` : '',
    limits.medicineIds?.length ? `${limits.medicineIds.length} 种药品` : '',
    limits.categoryCodes?.length ? `${limits.categoryCodes.length} 类药品` : '',
    limits.excludeMedicineIds?.length ? `除外 ${limits.excludeMedicineIds.length} 种药品` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '不限' : parts.join('；');
}

const words: Readonly<Record<keyof CardTerms, (terms: CardTerms) => string | null>> = {
  validMode: ({ validMode }) => validModes.label(validMode),
  validFrom: ({ validFrom }) => validFrom,
  validTo: ({ validTo }) => validTo,
  validDays: ({ validMode, validDays }) => (validMode === 'DAYS' && validDays !== null ? `${validDays} 天` : null),
  faceAmount: ({ faceAmount }) => money(faceAmount),
  bonusAmount: ({ bonusAmount }) => money(bonusAmount),
  benefits: ({ benefits }) =>
    benefits.length === 0
      ? null
      : benefits
          .map(({ benefitName, times, settlePrice }) => `${benefitName} ${times}次（每次结算 ${yuan(settlePrice, true)} 元）`)
          .join('；'),
  couponRule: coupon,
  scope,
  perUseMin: ({ perUseMin }) => money(perUseMin),
  perUseMax: ({ perUseMax }) => money(perUseMax),
  perDayMax: ({ perDayMax }) => money(perDayMax),
  stackGroup: ({ stackGroup }) => stackGroup || null,
  stackable: ({ stackable }) => yes(stackable),
  oneCardPerPerson: ({ oneCardPerPerson }) => yes(oneCardPerPerson),
  needActivation: ({ needActivation }) => yes(needActivation),
  needRealName: ({ needRealName }) => yes(needRealName),
  expiryPolicy: ({ expiryPolicy }) => expiryPolicies.label(expiryPolicy),
  refundGraceDays: ({ refundGraceDays }) => (refundGraceDays === 0 ? '无' : `${refundGraceDays} 天`),
  feeRateBp: ({ feeRateBp }) => `${feeRateBp / 100}%`,
};

/** One rule of a card type in words; null: it says nothing. */
export const termWords = (key: string, terms: CardTerms): string | null => (key in words ? words[key as keyof CardTerms](terms) : null);
