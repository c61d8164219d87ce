/** All that other domains may use of insurance on the server. */
export { listLimits } from './adjudication/adjudicate.ts';
export { describeRules } from './claimRules/read.ts';
export {
  findInsurer,
  getAgreementPrice,
  getInsurer,
  getLinks,
  getPlans,
  getReasonText,
  pinVersion,
  quotePremium,
  resolveByCodes,
  resolveVersion,
} from './services.ts';
export { fillInsuredCount } from './statistics/insured.ts';
// For the domains to come, as the map promises them.
/** @public */
export { getEnrolConfig } from './services.ts';
/** @public */
export { getRights } from './services.ts';
