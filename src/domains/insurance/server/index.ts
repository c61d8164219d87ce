/** All that other domains may use of insurance on the server. */
export { listLimits } from './adjudication/adjudicate.ts';
export { inScope } from './inScope.ts';
export { describeRules } from './claimRules/read.ts';
export {
  findInsurer,
  getAgreementPrice,
  getClaimConfig,
  getEnrolConfig,
  getInsurer,
  getLinks,
  getPlans,
  getProducts,
  getReasonText,
  listInsurers,
  pinVersion,
  productNames,
  quotePremium,
  resolveByCodes,
  resolveVersion,
} from './services.ts';
export { evaluateControl } from './controls/effective.ts';
export { fillInsuredCount } from './statistics/insured.ts';
// For the domains to come, as the map promises them.
/** @public */
export { getRights } from './services.ts';
