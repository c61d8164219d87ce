/** All that other domains may use of enrolment on the server. */
// For the domains to come, as the map promises them.
/** @public */
export { getContractForClaim, listContractsOfPerson } from './contracts/services.ts';
