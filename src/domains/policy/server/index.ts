/** All that other domains may use of policy on the server. */
export { findCover, type Cover } from './cover/live.ts';
export { countInsuredInForce, getInsuredForEnrol, getPolicy, listInsuredOfPerson } from './persons/services.ts';
