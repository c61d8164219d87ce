import type { qualityIssues } from '../../contract/dictionaries.ts';

export interface QualityFacts {
  name: string;
  lngE6: number | null;
  uscc: string | null;
  adcode: string;
  level: string;
  departmentCount: number;
  phone: string;
  licenceNo: string | null;
}
type Issue = (typeof qualityIssues.codes)[number];

/** Cities without districts: their own code is as exact as a region gets. */
const WITHOUT_DISTRICTS = new Set(['441900', '442000', '460300', '460400', '620200']);

/** Share of a hospital's facts that are filled, in basis points (R6), and what is missing. */
export function qualityOf(facts: QualityFacts): { scoreBp: number; issues: Issue[] } {
  const exact = !facts.adcode.endsWith('00') || WITHOUT_DISTRICTS.has(facts.adcode);
  const checks: [weight: number, filled: boolean, issue: Issue][] = [
    [2000, facts.lngE6 !== null, 'NO_COORDINATES'],
    [2000, facts.uscc !== null, 'NO_USCC'],
    [1500, exact, 'CITY_ONLY'],
    [1500, facts.level !== 'L0', 'NO_LEVEL'],
    [1000, facts.departmentCount > 0, 'NO_DEPARTMENT'],
    [1000, facts.phone !== '', 'NO_PHONE'],
    [1000, facts.licenceNo !== null, 'NO_LICENCE'],
  ];
  const issues = checks.filter(([, filled]) => !filled).map(([, , issue]) => issue);
  if (/[（(].*院区?.*[)）]/.test(facts.name)) issues.push('BRACKET_CAMPUS');
  return { scoreBp: checks.reduce((sum, [weight, filled]) => sum + (filled ? weight : 0), 0), issues };
}
