/** What other domains may use of identity. Notices, sessions and signed calls are ports of the kernel. */
export { assertOtherPerson } from './rights.ts';
export { userBrief, userOptions, usersByMobile } from './users/brief.ts';
export { mobileHash } from './users/mobile.ts';
export { checkersFor, type Checker } from './users/checkers.ts';
export { isBetween, regionName, regionText } from './system/regionName.ts';
export { allRegions, regionsOf, type Region } from './system/regions.ts';
export { icd10, icd10PrefixExists } from './system/icd10.ts';
export { loadIcd10 } from './reference/icd10.ts';
export { addWorkingMinutes, calendarDays, restDaysBetween } from './system/calendar.ts';
export { enterMenu, lowcodeRouteKeys, registerPermission, registerRoute, removeRoute } from './menus/catalogue.ts';
export { cardLimits, fourEyesOnPages } from './policy.ts';
export { permissionsOfRole } from './roles/permissionsOf.ts';
export { resetAdministrator } from './firstRun.ts';
export { pageCallsSince } from './log/pageCalls.ts';
export { brokenLog } from './log/verify.ts';
export { sendSms } from './login/smsPort.ts';
export type { OpenWorkCounter, TipSource } from './hooks.ts';
// For the domains to come, as the map promises them.
/** @public */
export { nextBankday } from './system/calendar.ts';
/** @public */
export { workingMinutesBetween } from './system/calendar.ts';
/** @public */
export { pausableDue, pausableLeft, pauseClock, resumeClock, type PausableClock } from './system/pausableClock.ts';
