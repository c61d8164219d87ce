import { dayOf, showInstant, type Instant } from '../../../../kernel/contract/time.ts';
import type { Span } from '../../contract/calls/liveCodes.ts';

export interface LiveCandidate {
  id: string;
  memberId: string;
  status: number;
  canContact: boolean;
  wayState: string;
  weight: number;
  dailyLimit: number;
  spans: readonly Span[];
  isBackup: boolean;
  lastShownAt: Instant | null;
  shown: number;
  added: number;
}

/** Status of a member who is no longer in the company. */
const LEFT = 5;

export type Strategy = 'ROUND' | 'LEAST' | 'WEIGHT' | 'SAME';

/** Whether a moment lies in one of the spans, in Asia/Shanghai; no spans at all: always. */
export function isInSpans(spans: readonly Span[], now: Instant): boolean {
  if (spans.length === 0) return true;
  const weekday = ((new Date(`${dayOf(now)}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
  const time = showInstant(now).slice(11, 16);
  return spans.some((span) => span.weekday === weekday && span.from <= time && time < span.to);
}

/** A member that WeChat Work can show at all. */
export const isUsable = (one: LiveCandidate): boolean => one.status === 1 && one.canContact && one.wayState === 'READY';

/** A member that may be shown now. */
export const isAvailable = (one: LiveCandidate, now: Instant): boolean =>
  isUsable(one) && isInSpans(one.spans, now) && (one.dailyLimit === 0 || one.added < one.dailyLimit);

const byId = (a: LiveCandidate, b: LiveCandidate) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1);
const oldest = (a: LiveCandidate, b: LiveCandidate) => (a.lastShownAt ?? '').localeCompare(b.lastShownAt ?? '') || byId(a, b);
const orders: Record<Exclude<Strategy, 'SAME'>, (a: LiveCandidate, b: LiveCandidate) => number> = {
  ROUND: oldest,
  LEAST: (a, b) => a.added - b.added || a.shown - b.shown || byId(a, b),
  // shown/weight compared without division
  WEIGHT: (a, b) => a.shown * b.weight - b.shown * a.weight || byId(a, b),
};

/**
 * The member that a live code shows (R8): of the available ones by the strategy, else a backup whatever its limit and
 * hours, else nobody.
 * @param earlier member to whom this visitor already belongs; strategy SAME shows it, available or not, unless the member has left
 */
export function chooseMember(
  all: readonly LiveCandidate[],
  strategy: Strategy,
  now: Instant,
  earlier: string | null = null,
): LiveCandidate | null {
  if (strategy === 'SAME' && earlier !== null) {
    const same = all.find((one) => one.memberId === earlier && one.wayState === 'READY' && one.status !== LEFT);
    if (same) return same;
  }
  const order = orders[strategy === 'SAME' ? 'ROUND' : strategy];
  const available = all.filter((one) => !one.isBackup && isAvailable(one, now)).sort(order);
  return available[0] ?? all.filter((one) => one.isBackup && isUsable(one)).sort(oldest)[0] ?? null;
}
