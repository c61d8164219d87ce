/** All that other domains may use of pharma on the server. */
export {
  agentsByNo,
  categoryOptions,
  daysSupply,
  getAgents,
  getCompanies,
  getMedicines,
  getProductLines,
  linesByNo,
  goodsByCode,
  goodsNames,
  namedMedicines,
  priceOf,
  type MedicineNamed,
} from './catalogue.ts';
export { searchMedicines } from './medicines/searchMedicines.ts';
