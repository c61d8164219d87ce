/** All that other domains may use of pharma on the server. */
export {
  categoryOptions,
  getAgents,
  getCompanies,
  getMedicines,
  getProductLines,
  goodsNames,
  namedMedicines,
  type MedicineNamed,
} from './catalogue.ts';
export { searchMedicines } from './medicines/searchMedicines.ts';
