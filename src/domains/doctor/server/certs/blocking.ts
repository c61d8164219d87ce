import { plusDays, type Day } from '#kernel/contract/time.ts';

export const ID_CARD_GRACE_DAYS = 30;

export interface DatedCert {
  certType: string;
  validTo: Day | null;
}

/** First day on which an ended certificate keeps the doctor from practising (R3); null = never. */
export function blockedFrom({ certType, validTo }: DatedCert): Day | null {
  if (validTo === null) return null;
  switch (certType) {
    case 'PRACTICE':
    case 'QUALIFICATION':
      return plusDays(validTo, 1);
    case 'ID_CARD':
      return plusDays(validTo, 1 + ID_CARD_GRACE_DAYS);
    default:
      return null;
  }
}

export const blocks = (cert: DatedCert, today: Day): boolean => {
  const from = blockedFrom(cert);
  return from !== null && from <= today;
};

const REMINDERS = [90, 60, 30, 7, 1, 0] as const;

/** The reminder to send today: the nearest day reached that was not sent yet; what was missed before it is not made up for. */
export function reminderDue(daysLeft: number, sent: readonly number[]): number | null {
  const reached = REMINDERS.filter((day) => daysLeft <= day).at(-1);
  return reached === undefined || daysLeft < 0 || sent.some((day) => day <= reached) ? null : reached;
}
