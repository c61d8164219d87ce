/** What other domains may use of patient on the server. */
export { resolve, seesCareOf, seesPatient, seesPersonOf, type Seer } from './access.ts';
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
export { factCodes, factsFor, type Fact } from './facts.ts';
export { findByCertificate, findByCertificates, findOrCreate, type FoundPerson } from './persons/findOrCreate.ts';
export { personsOfAccount } from './persons/accounts.ts';
export { findPersons } from './persons/picker.ts';
export { registerBlocker, type Blocker, type BlockerCheck } from './persons/operate.ts';
export { registerRealNameFloors, type ItemFloor } from './realName/floors.ts';
export { resolveRealName, type SwitchQuestion } from './realName/switches.ts';
export { addSuggestion, confirmSuggestion, withdrawSuggestion, type NewSuggestion } from './suggestions/suggestions.ts';
export { addInspection, type ReportOf } from './inspections/service.ts';
export { notInRecord, recordIds } from './records/belonging.ts';
export { hasConsent } from './consents/state.ts';
export { idNoHash, mobileColumns, mobileHash } from './sensitive.ts';
export { accountOfPerson, accountsByMobile, mobileEndsWith, personsByMobile, personsByNo } from './persons/accounts.ts';
export { placeDemoSuggestions, type PlacedSuggestion } from './demo/place.ts';
export { writeDemoSwitches, type DemoSwitch } from './demo/switches.ts';
