import { days, type Instant } from '#kernel/contract/time.ts';

/** Below it the system's own refunds go back without anybody; from it on a second person looks at them. */
const BY_ITSELF_BELOW_FEN = 200_000n;
/** So long a channel takes money back the way it came. */
const ORIGINAL_DAYS = 365;

/** What may still go back of a payment. */
export const refundable = ({ receivedFen, reservedFen }: { receivedFen: string | null; reservedFen: string }): bigint =>
  BigInt(receivedFen ?? 0) - BigInt(reservedFen);

export const goesByItself = (amountFen: bigint): boolean => amountFen < BY_ITSELF_BELOW_FEN;

/** Whether the channel still takes it back: only for so long after it was paid. */
export const isTooOld = (paidAt: Instant | null, now: Instant): boolean =>
  paidAt !== null && Date.parse(now) - Date.parse(paidAt) > days(ORIGINAL_DAYS);

/** Under what number the channel knows an attempt; one that failed is never sent again under its own. */
export const channelKey = (refundNo: string, attempt: number): string => (attempt === 1 ? refundNo : `${refundNo}-${attempt}`);
