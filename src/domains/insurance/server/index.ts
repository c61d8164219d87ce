/** All that other domains may use of insurance on the server. */
export { adjudicate, listLimits, type Rider, type RiderRun } from './adjudication/adjudicate.ts';
export { evaluateControl } from './controls/effective.ts';
export { describeRules } from './claimRules/read.ts';
export {
  findInsurer,
  getAgreementPrice,
  getEnrolConfig,
  getEntitlementDef,
  getInsurer,
  getLinks,
  getPlans,
  getReasonText,
  getRights,
  pinEntitlement,
  pinVersion,
  quotePremium,
  resolveByCodes,
  resolveVersion,
} from './services.ts';
export { fillInsuredCount, type InsuredAsked } from './statistics/insured.ts';
