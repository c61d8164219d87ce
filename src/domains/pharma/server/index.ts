/** All that other domains may use of pharma on the server. */
export {
  agentsByNo,
  categoryOptions,
  getAgents,
  getCompanies,
  getMedicines,
  getProductLines,
  linesByNo,
  goodsByCode,
  goodsNames,
  namedMedicines,
  type MedicineNamed,
} from './catalogue.ts';
export { searchMedicines } from './medicines/searchMedicines.ts';
