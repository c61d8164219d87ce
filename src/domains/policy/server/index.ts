/** All that other domains may use of policy on the server. */
export { countInsuredInForce } from './persons/services.ts';
