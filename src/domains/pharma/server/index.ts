/** All that other domains may use of pharma on the server. */
export {
  categoryOptions,
  daysSupply,
  descendantCategories,
  getAgents,
  getCompanies,
  getMedicines,
  getProductLines,
  namedMedicines,
  type MedicineNamed,
  priceOf,
  reimburseOf,
} from './catalogue.ts';
export { taxPairAllowed } from '../contract/rules/tax.ts';
export { searchMedicines, type FoundMedicine } from './medicines/searchMedicines.ts';
