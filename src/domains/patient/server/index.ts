/** What other domains may use of patient on the server. */
export { seesCareOf, seesPersonOf, type Seer } from './access.ts';
export {
  access,
  agreeing,
  confirmedCodes,
  getBaseInfo,
  labels,
  mobileCiphers,
  listByDiagnosis,
  prescribedMedicines,
  searchDiagnosed,
  withDiagnosis,
  type PatientLabel,
} from './services.ts';
export { ageOn } from '../contract/idNumber.ts';
export { factCodes, factsFor } from './facts.ts';
export { findByCertificates, findOrCreate } from './persons/findOrCreate.ts';
export { personsOfAccount } from './persons/accounts.ts';
export { registerBlocker } from './persons/operate.ts';
export { registerRealNameFloors } from './realName/floors.ts';
export { resolveRealName } from './realName/switches.ts';
export { addSuggestion } from './suggestions/suggestions.ts';
export { addInspection } from './inspections/service.ts';
export { notInRecord, recordIds } from './records/belonging.ts';
export { idNoHash, mobileColumns, mobileHash } from './sensitive.ts';
export { accountOfPerson, accountsByMobile, mobileEndsWith, personsByMobile, personsByNo } from './persons/accounts.ts';
export { placeDemoSuggestions, type PlacedSuggestion } from './demo/place.ts';
export { writeDemoSwitches } from './demo/switches.ts';
