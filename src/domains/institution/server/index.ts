/** All that other domains may use of institution on the server. */
export {
  findDrugstores,
  findHospitalsNamed,
  getChains,
  getDepartment,
  getDepartmentNames,
  getDrugstore,
  getDrugstores,
  getHospital,
  getHospitalApply,
  getHospitals,
  hasOpenOrders,
  hospitalNameMatches,
  isOpen,
  requestHospital,
  seenHospitals,
  storePrice,
  type HospitalBrief,
  type StoreWish,
} from './services.ts';
export { storeOptions } from './stores/list.ts';
export { hospitalOptions } from './hospitals/options.ts';
export { institutionTips } from './tips.ts';
