import { days, hours, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';

/** What the item promised when it was sold; hours are wall clock hours. */
export interface SoldTerms {
  serviceType: string;
  billing: 'TIME' | 'REPLIES' | 'PERIOD';
  acceptHours: number;
  replyHours: number;
  validHours: number;
  periodDays: number | null;
  durationMin: number | null;
}

/** Hours that a reopened inquiry has at least. */
export const REOPEN_HOURS = 12;
/** Hours in which the patient confirms the end. */
export const CONFIRM_HOURS = 12;
/** Hours after the end in which it may be reopened; the income is settled then. */
export const SETTLE_HOURS = 24;
const AFTER_SLOT_HOURS = 2;

export const acceptDueAt = (paidAt: Instant, terms: Pick<SoldTerms, 'acceptHours'>): Instant => plusMs(paidAt, hours(terms.acceptHours));
export const replyDueAt = (acceptedAt: Instant, terms: Pick<SoldTerms, 'replyHours'>): Instant =>
  plusMs(acceptedAt, hours(terms.replyHours));
export const isCall = (serviceType: string): boolean => serviceType === 'PHONE' || serviceType === 'VIDEO';

/** End of the service: what was sold from the acceptance on, for calls never before the call is over, and what was added. */
export function expireAt(acceptedAt: Instant, terms: SoldTerms, slotAt: Instant | null, extendedHours: number): Instant {
  const sold = plusMs(
    acceptedAt,
    terms.billing === 'PERIOD' && terms.periodDays !== null ? days(terms.periodDays) : hours(terms.validHours),
  );
  const call =
    isCall(terms.serviceType) && slotAt !== null ? plusMs(slotAt, minutes(terms.durationMin ?? 0) + hours(AFTER_SLOT_HOURS)) : sold;
  return plusMs(later(sold, call), hours(extendedHours));
}

/** The later of two instants; both are ISO texts of one form. */
export const later = (a: Instant, b: Instant): Instant => (Date.parse(a) >= Date.parse(b) ? a : b);

/** Whole seconds from one instant to another. */
export const secondsBetween = (from: Instant, to: Instant): number => Math.floor((Date.parse(to) - Date.parse(from)) / 1000);
