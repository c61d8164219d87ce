import { sql } from 'kysely';
import { insuredRow } from '../../contract/calls/persons.ts';
import { policyRow } from '../../contract/calls/policies.ts';
import { shownIn } from './dataset.ts';

export const ofPolicy = shownIn(policyRow);
export const ofPerson = shownIn(insuredRow);

/** Facts of the policy beside what hangs on it. */
export const policyFacts = [
  ofPolicy('policyNo', sql`p.policy_no`),
  ofPolicy('insurerName', sql`p.insurer_name`),
  ofPolicy('productName', sql`p.product_name`),
  ofPolicy('productLine', sql`p.product_line`),
  ofPolicy('policyType', sql`p.policy_type`),
  ofPolicy('holderName', sql`p.holder_name`),
] as const;

/** Facts of the person `i`. */
export const personFacts = [
  ofPerson('name', sql`i.name`),
  ofPerson('relation', sql`i.relation`),
  ofPerson('idType', sql`i.id_type`),
  ofPerson('idNo', sql`i.id_no_masked`, { cipher: sql`i.id_no_cipher` }),
  ofPerson('gender', sql`i.gender`),
  ofPerson('birthDate', sql`i.birth_date`),
  ofPerson('mobile', sql`i.mobile_masked`, { cipher: sql`i.mobile_cipher` }),
  ofPerson('employeeNo', sql`i.employee_no`),
  ofPerson('department', sql`i.department`),
];

/** What a slice covers, under the name that the data set gives it. */
export const coverFacts = (slice: string) => [
  ofPerson('planCode', sql.ref(`${slice}.planCode`)),
  ofPerson('coverageStart', sql.ref(`${slice}.coverageStart`)),
  ofPerson('coverageEnd', sql.ref(`${slice}.coverageEnd`)),
  ofPerson('annualPremiumFen', sql.ref(`${slice}.annualPremiumFen`)),
];
