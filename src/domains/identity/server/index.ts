/** What other domains may use of identity. Notices, sessions and signed calls are ports of the kernel. */
export { assertOtherPerson, requirePermission, scopeOf } from './rights.ts';
export { userBrief, userOptions, usersByMobile, type UserBrief } from './users/brief.ts';
export { mobileHash } from './users/mobile.ts';
export { checkersFor, type Checker } from './users/checkers.ts';
export { isBetween, regionName, regionText } from './system/regionName.ts';
export { allRegions, regionsOf, type Region } from './system/regions.ts';
export { icd10, icd10PrefixExists, type Icd10Row } from './system/icd10.ts';
export { loadIcd10 } from './reference/icd10.ts';
export {
  addWorkingMinutes,
  calendarDays,
  nextBankday,
  restDaysBetween,
  workingMinutesBetween,
  type CalendarDay,
} from './system/calendar.ts';
export { enterMenu, lowcodeRouteKeys, registerPermission, registerRoute, removeRoute, type LowcodeRoute } from './menus/catalogue.ts';
export { fourEyesOnPages } from './policy.ts';
export { permissionsOfRole } from './roles/permissionsOf.ts';
export { resetAdministrator } from './firstRun.ts';
export { pageCallsSince, type PageCall } from './log/pageCalls.ts';
export { brokenLog } from './log/verify.ts';
export { requireStepUp } from './login/stepUp.ts';
export { scopeTexts } from './session/scopeText.ts';
export { sendSms } from './login/smsPort.ts';
export type { IdentityHooks, NameSource, OpenWorkCounter, ScopeProbe, Tip, TipSource } from './hooks.ts';
