/** All that other domains may use of insurance on the server. */
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
