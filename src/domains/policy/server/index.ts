/** All that other domains may use of policy on the server. */
export { findCover } from './cover/live.ts';
export { searchInsured } from './persons/search.ts';
export { countInsuredInForce, getInsuredForEnrol } from './persons/services.ts';
