/** All that other domains may use of insurance on the server. */
export { evaluateControl } from './controls/effective.ts';
export {
  getEnrolConfig,
  getEntitlementDef,
  getInsurer,
  getLinks,
  getReasonText,
  getRights,
  pinEntitlement,
  pinVersion,
  quotePremium,
  resolveVersion,
} from './services.ts';
