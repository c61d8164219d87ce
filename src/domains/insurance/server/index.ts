/** All that other domains may use of insurance on the server. */
export {
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
  resolveVersion,
} from './services.ts';
