/** All that other domains may use of institution on the server. */
export {
  findDrugstores,
  findHospitalsNamed,
  getDepartment,
  getDepartmentNames,
  getDrugstores,
  getHospital,
  getHospitalApply,
  getHospitals,
  hospitalNameMatches,
  isOpen,
  requestHospital,
  seenHospitals,
  type HospitalBrief,
} from './services.ts';
export { storeOptions } from './stores/list.ts';
export { payeeAccountOf } from './stores/payee.ts';
export { hospitalOptions } from './hospitals/options.ts';
// For the domains to come, as the map promises them.
/** @public */
export { getDrugstore } from './services.ts';
/** @public */
export { storePrice } from './services.ts';
