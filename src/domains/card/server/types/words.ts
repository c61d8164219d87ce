import { yuan } from '#kernel/contract/money.ts';
import type { CardTerms } from '../../contract/terms.ts';
import { couponModes, expiryPolicies, orderTypes, validModes } from '../../contract/typeDictionaries.ts';

const money = (fen: number | null) => (fen === null ? '不限' : `${yuan(fen)}元`);
const yesNo = (value: boolean) => (value ? '是' : '否');
const count = (label: string, list: readonly unknown[] | undefined) => (list && list.length > 0 ? `${label}${list.length}项` : '');

/** How the log and the list of versions say one term. */
export function shownTerm(key: keyof CardTerms, terms: CardTerms): string {
  switch (key) {
    case 'validMode':
      return validModes.label(terms.validMode);
    case 'faceAmount':
    case 'bonusAmount':
    case 'perUseMin':
    case 'perUseMax':
    case 'perDayMax':
      return money(terms[key]);
    case 'benefits':
      return terms.benefits
        .map(({ benefitName, times, settlePrice }) => `${benefitName}${times}次（每次${yuan(settlePrice)}元）`)
        .join('、');
    case 'couponRule': {
      const rule = terms.couponRule;
      if (rule === null) return '';
      const value = rule.mode === 'DISCOUNT' ? `${rule.value / 100}%` : `${yuan(rule.value)}元`;
      return `${couponModes.label(rule.mode)}，满${yuan(rule.threshold)}元，${value}，最高${money(rule.cap)}`;
    }
    case 'scope': {
      const { orderTypes: orders, drugstoreIds, medicineIds, categoryCodes, excludeMedicineIds } = terms.scope;
      const parts = [
        (orders ?? []).map((code) => orderTypes.label(code)).join('、'),
        count('药店', drugstoreIds),
        count('药品', medicineIds),
        count('分类', categoryCodes),
        count('排除药品', excludeMedicineIds),
      ].filter(Boolean);
      return parts.length === 0 ? '不限' : parts.join('；');
    }
    case 'expiryPolicy':
      return expiryPolicies.label(terms.expiryPolicy);
    case 'stackable':
    case 'oneCardPerPerson':
    case 'needActivation':
    case 'needRealName':
      return yesNo(terms[key]);
    case 'feeRateBp':
      return `${terms.feeRateBp / 100}%`;
    default:
      return String(terms[key] ?? '');
  }
}
