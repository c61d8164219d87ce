import type { Day } from '#kernel/contract/time.ts';
import { daysBetween } from '#kernel/contract/time.ts';
import { licenceTypes, type Capability, type LicenceType, type StoreTag } from '../../contract/dictionaries.ts';

export interface HeldLicence {
  licenceType: string;
  validTo: Day | null;
  fileCount: number;
}

/** Licences that a store of these tags and capabilities must hold (R5). */
export function requiredLicences(tags: readonly string[], able: readonly string[]): LicenceType[] {
  const has = (tag: StoreTag) => tags.includes(tag);
  const can = (capability: Capability) => able.includes(capability);
  const needed: LicenceType[] = ['BUSINESS', 'DRUG'];
  if (can('RX')) needed.push('PHARMACIST');
  if (has('DUAL')) needed.push('NHSA', 'DUAL');
  else if (has('DIRECT')) needed.push('NHSA');
  return needed;
}

/** First licence that is missing or past its day; null when all are there. */
export function licenceFault(
  required: readonly LicenceType[],
  held: readonly HeldLicence[],
  today: Day,
): { kind: 'MISSING' | 'EXPIRED'; licence: string; date: string } | null {
  for (const type of required) {
    const one = held.find((licence) => licence.licenceType === type);
    if (!one) return { kind: 'MISSING', licence: licenceTypes.label(type), date: '' };
    if (one.validTo !== null && one.validTo < today) return { kind: 'EXPIRED', licence: licenceTypes.label(type), date: one.validTo };
  }
  return null;
}

/** Days before the end at which a reminder goes out, latest first. */
export const REMINDER_DAYS = [60, 30, 15, 7, 1] as const;

/** The reminder that is due and was not sent, null otherwise: a missed day is made up by the next smaller one. */
export function reminderDue(validTo: Day, reminded: readonly number[], today: Day): number | null {
  const left = daysBetween(today, validTo);
  if (left < 0) return null;
  const due = [...REMINDER_DAYS].reverse().find((days) => left <= days) ?? null;
  return due !== null && !reminded.some((days) => days <= due) ? due : null;
}

/** What an expired licence takes away. */
export function withheldBy(type: string): { tags: StoreTag[]; capabilities: Capability[]; suspends: boolean } {
  switch (type) {
    case 'BUSINESS':
    case 'DRUG':
      return { tags: [], capabilities: [], suspends: true };
    case 'PHARMACIST':
      return { tags: [], capabilities: ['RX'], suspends: false };
    case 'DUAL':
      return { tags: ['DUAL'], capabilities: [], suspends: false };
    case 'NHSA':
      return { tags: ['DUAL', 'DIRECT'], capabilities: [], suspends: false };
    default:
      return { tags: [], capabilities: [], suspends: false };
  }
}

const NUMBERS: Readonly<Record<LicenceType, RegExp>> = {
  BUSINESS: /^[0-9A-HJ-NPQRTUWXY]{18}$/,
  DRUG: /^[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]?[A-Z]{1,2}[0-9A-Z]{7,12}$/,
  DEVICE: /^[\p{Script=Han}0-9A-Z（）()-]{6,40}$/u,
  FOOD: /^(JY)?\d{13,14}$/,
  NHSA: /^[A-Z0-9-]{4,40}$/,
  PHARMACIST: /^[0-9A-Z]{6,20}$/,
  DUAL: /^[\p{Script=Han}0-9A-Z（）()〔〕-]{4,40}$/u,
  MEDICAL: /^[0-9A-Z]{15,22}$/,
};
export const isLicenceNo = (type: LicenceType, licenceNo: string): boolean => NUMBERS[type].test(licenceNo);
