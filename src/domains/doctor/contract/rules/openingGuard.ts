import type { Day } from '#kernel/contract/time.ts';
import { titleRanks, type PracticeCategory, type TitleCode } from '../dictionaries.ts';
import { insideBand, type Band, type PriceBands } from './price.ts';
import type { WeekSlot } from './slots.ts';

/** What the guards ask of a doctor. */
export interface OpeningDoctor {
  /** Qualified, account in order, certificates in date. */
  practiceOk: boolean;
  titleCode: TitleCode | null;
  practiceLevel: 'LICENSED' | 'ASSISTANT' | null;
  practiceCategory: PracticeCategory | null;
  practiceSince: Day | null;
  /** The certificate to sign prescriptions with has run out. */
  signatureExpired: boolean;
}
export interface OpeningItem {
  careKind: 'CONSULT' | 'DIAGNOSIS';
  titleMin: TitleCode;
  categories: readonly PracticeCategory[];
  priceBands: PriceBands;
  needSlot: boolean;
}

/** Years of practice of one's own before diagnosis and treatment may be sold. */
const INDEPENDENT_YEARS = 3;

export type OpeningFault =
  | { kind: 'NOT_QUALIFIED' | 'NOT_INDEPENDENT' | 'CATEGORY' | 'SLOTS_MISSING' }
  | { kind: 'TITLE_TOO_LOW'; titleMin: TitleCode }
  | { kind: 'PRICE_OUTSIDE'; band: Band };

/** The same day so many years later; of 29 February the day after. */
export function plusYears(day: Day, years: number): Day {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year + years, month - 1, date)).toISOString().slice(0, 10);
}

/** Whether a doctor may sell an item at all, whatever the price. */
export function doctorFault(doctor: OpeningDoctor, item: OpeningItem, today: Day): OpeningFault | null {
  if (!doctor.practiceOk || doctor.titleCode === null) return { kind: 'NOT_QUALIFIED' };
  if (titleRanks[doctor.titleCode] < titleRanks[item.titleMin]) return { kind: 'TITLE_TOO_LOW', titleMin: item.titleMin };
  if (item.categories.length > 0 && (doctor.practiceCategory === null || !item.categories.includes(doctor.practiceCategory)))
    return { kind: 'CATEGORY' };
  if (item.careKind === 'DIAGNOSIS') {
    const independent =
      doctor.practiceLevel === 'LICENSED' && doctor.practiceSince !== null && plusYears(doctor.practiceSince, INDEPENDENT_YEARS) <= today;
    if (!independent) return { kind: 'NOT_INDEPENDENT' };
    if (doctor.signatureExpired) return { kind: 'NOT_QUALIFIED' };
  }
  return null;
}

/** The band of a doctor's title. A title below those with a band cannot sell the item. */
export const bandOf = (item: Pick<OpeningItem, 'priceBands'>, titleCode: TitleCode | null): Band | null =>
  titleCode === null ? null : (item.priceBands[titleCode] ?? null);

/** @returns the first guard that an opening breaks; null when it may be sold. */
export function openingFault(wish: {
  doctor: OpeningDoctor;
  item: OpeningItem;
  priceFen: number;
  slots: readonly WeekSlot[];
  today: Day;
}): OpeningFault | null {
  const { doctor, item, priceFen, slots, today } = wish;
  const fault = doctorFault(doctor, item, today);
  if (fault) return fault;
  const band = bandOf(item, doctor.titleCode);
  if (band === null) return { kind: 'TITLE_TOO_LOW', titleMin: item.titleMin };
  if (!insideBand(priceFen, band)) return { kind: 'PRICE_OUTSIDE', band };
  if (item.needSlot && slots.length === 0) return { kind: 'SLOTS_MISSING' };
  return null;
}
