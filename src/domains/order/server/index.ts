/** All that other domains may use of order on the server. */
// For the app's call that is to come, as the map promises it.
/** @public */
export { shieldOf } from './shield/shieldOf.ts';
