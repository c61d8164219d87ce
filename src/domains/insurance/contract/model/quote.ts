import { halfUp, yuan } from '#kernel/contract/money.ts';
import { daysBetween, type Day } from '#kernel/contract/time.ts';
import type { RateGender, SocialStatus } from './dictionaries.ts';
import type { Plan } from './document.ts';
import { rateApplies } from './rateCoverage.ts';

/** The same day `years` later; a leap day becomes the last day of February. */
export function plusYears(day: Day, years: number): Day {
  const later = `${String(Number(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`;
  return later.endsWith('-02-29') && Number.isNaN(Date.parse(`${later}T00:00:00Z`)) ? later.replace('-29', '-28') : validDay(later);
}
const validDay = (day: Day): Day => (new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day ? day : `${day.slice(0, 8)}28`);

/** Whole years at a day. */
export const ageOn = (birthDate: Day, at: Day): number =>
  Number(at.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (at.slice(5) < birthDate.slice(5) ? 1 : 0);

export interface QuoteWish {
  birthDate: Day;
  gender: Exclude<RateGender, 'ANY'>;
  social: Exclude<SocialStatus, 'ANY'>;
  /** First and last covered day. */
  from: Day;
  to: Day;
}
export interface Quote {
  annualPremiumFen: number;
  days: number;
  amountFen: number;
  steps: string[];
}

/** The premium of one person for some days of a year of cover; null where the plan does not take him. */
export function quoteOf(plan: Pick<Plan, 'ageMin' | 'ageMax' | 'socialRequired' | 'rates' | 'planName'>, wish: QuoteWish): Quote | null {
  const age = ageOn(wish.birthDate, wish.from);
  if (age < plan.ageMin || age > plan.ageMax) return null;
  if (plan.socialRequired !== 'ANY' && plan.socialRequired !== wish.social) return null;
  const rate = plan.rates.find((row) => rateApplies(row, { ...wish, age }));
  if (!rate) return null;
  const days = daysBetween(wish.from, wish.to) + 1;
  const yearDays = daysBetween(wish.from, plusYears(wish.from, 1));
  const amountFen = Number(halfUp(BigInt(rate.annualPremiumFen) * BigInt(days), BigInt(yearDays)));
  const annual = yuan(rate.annualPremiumFen, true);
  return {
    annualPremiumFen: rate.annualPremiumFen,
    days,
    amountFen,
    steps: [
      `起保日${wish.from}满${age}周岁，${plan.planName}年保费${annual}元`,
      days === yearDays ? `保障满一年，应收${annual}元` : `保障${days}天：${annual}元 × ${days} ÷ ${yearDays} = ${yuan(amountFen, true)}元`,
    ],
  };
}
