import type { RateGender, SocialStatus } from './dictionaries.ts';
import { rateGenders, socialStatuses } from './dictionaries.ts';
import type { Plan, PlanRate } from './document.ts';

type Insured = { gender: Exclude<RateGender, 'ANY'>; social: Exclude<SocialStatus, 'ANY'>; age: number };

export const rateApplies = (rate: PlanRate, { gender, social, age }: Insured): boolean =>
  (rate.gender === 'ANY' || rate.gender === gender) &&
  (rate.social === 'ANY' || rate.social === social) &&
  rate.ageFrom <= age &&
  rate.ageTo >= age;

/** Ages, genders and social states that a plan takes and no rate, or more than one, stands for; in words. */
export function rateFaults(plan: Pick<Plan, 'ageMin' | 'ageMax' | 'socialRequired' | 'rates'>): string[] {
  const faults: string[] = [];
  const socials = plan.socialRequired === 'ANY' ? (['YES', 'NO'] as const) : [plan.socialRequired];
  for (const gender of ['M', 'F'] as const) {
    for (const social of socials) {
      const wrong = (age: number) => {
        const count = plan.rates.filter((rate) => rateApplies(rate, { gender, social, age })).length;
        return count === 1 ? null : count === 0 ? '' : '重复';
      };
      for (let age = plan.ageMin; age <= plan.ageMax; age++) {
        const fault = wrong(age);
        if (fault === null) continue;
        const from = age;
        while (age < plan.ageMax && wrong(age + 1) === fault) age++;
        const ages = from === age ? `${from}岁` : `${from}至${age}岁`;
        faults.push(`${rateGenders.label(gender)}、${socialStatuses.label(social)}、${ages}${fault === '' ? '' : `（${fault}）`}`);
      }
    }
  }
  return faults;
}
