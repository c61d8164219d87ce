import { daysBetween, plusDays, type Day, type Instant } from '#kernel/contract/time.ts';
import type { LineWish } from './premium.ts';

/** One person, one plan, from day to day. */
export interface Slice {
  id: string;
  planCode: string;
  from: Day;
  to: Day;
  annualFen: bigint;
}

interface EndorsementTimes {
  visibleAt: Instant | null;
  undoneAt: Instant | null;
}

/** Whether an endorsement had taken effect at a moment, and was not taken back by then. */
const isVisibleAt = ({ visibleAt, undoneAt }: EndorsementTimes, at: Instant): boolean =>
  visibleAt !== null && visibleAt <= at && (undoneAt === null || undoneAt > at);

export interface KeptSlice extends Slice {
  createdBy: EndorsementTimes;
  supersededBy: readonly EndorsementTimes[];
}

/** Slices that were live at a moment of the system's time, in the order of their days. */
export const liveAt = (slices: readonly KeptSlice[], at: Instant): Slice[] =>
  slices
    .filter((slice) => isVisibleAt(slice.createdBy, at) && !slice.supersededBy.some((one) => isVisibleAt(one, at)))
    .map(({ id, planCode, from, to, annualFen }) => ({ id, planCode, from, to, annualFen }))
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));

/** Days on which a policy gives no cover; `to` null: until it is reinstated. */
export interface Suspension {
  from: Day;
  to: Day | null;
}
const isSuspended = (suspensions: readonly Suspension[], day: Day): boolean =>
  suspensions.some(({ from, to }) => from <= day && (to === null || day <= to));

/** The slice that covers a day; null: there is no cover. */
export const coverOn = (live: readonly Slice[], suspensions: readonly Suspension[], day: Day): Slice | null =>
  isSuspended(suspensions, day) ? null : (live.find(({ from, to }) => from <= day && day <= to) ?? null);

type NewSlice = Omit<Slice, 'id'>;
/** What an endorsement does to one person's cover: which live slices it replaces, what it writes, what that costs. */
export interface CoverChange {
  supersede: readonly Slice[];
  write: readonly NewSlice[];
  lines: readonly LineWish[];
}
export const NO_CHANGE: CoverChange = { supersede: [], write: [], lines: [] };

/**
 * What replaced and written slices cost, line by line: a slice that ends earlier is returned for its rest, one that goes on is charged for
 * what is behind, one that is gone is returned whole, one that is new is charged whole.
 * @param claimed the person was paid for something and the policy returns nothing then
 */
export function linesBetween(
  supersede: readonly Pick<Slice, 'planCode' | 'from' | 'to' | 'annualFen'>[],
  write: readonly NewSlice[],
  { withFee = false, claimed = false }: { withFee?: boolean; claimed?: boolean } = {},
): LineWish[] {
  const goesOn = (one: NewSlice, other: NewSlice) =>
    one.from === other.from && one.planCode === other.planCode && one.annualFen === other.annualFen;
  const returned = supersede.flatMap((old): LineWish[] => {
    const now = write.find((one) => goesOn(one, old));
    const facts = { annualFen: old.annualFen, to: old.to, withFee };
    if (!now) return [{ ...facts, basis: claimed ? 'NONE' : 'VOID', from: old.from }];
    if (now.to < old.to) return [{ ...facts, basis: claimed ? 'NONE' : 'REFUND', from: plusDays(now.to, 1) }];
    return now.to > old.to ? [{ ...facts, basis: 'EXTEND', from: plusDays(old.to, 1), to: now.to, withFee: false }] : [];
  });
  const charged = write
    .filter((one) => !supersede.some((old) => goesOn(one, old)))
    .map(({ annualFen, from, to }): LineWish => ({ basis: 'CHARGE', annualFen, from, to, withFee: false }));
  return [...returned, ...charged];
}

/**
 * First and last day of the cover without a gap in which a day lies; outside of all cover that of the next one, else of the last one. A
 * change of plan makes slices, not gaps. Null: there is none.
 */
export function coveredRun(live: readonly Pick<Slice, 'from' | 'to'>[], day: Day): { from: Day; to: Day } | null {
  const runs: { from: Day; to: Day }[] = [];
  for (const { from, to } of live.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const last = runs.at(-1);
    if (last && plusDays(last.to, 1) >= from) last.to = to > last.to ? to : last.to;
    else runs.push({ from, to });
  }
  return runs.find(({ to }) => to >= day) ?? runs.at(-1) ?? null;
}

export const overlapping = (live: readonly Slice[], from: Day, to: Day): Slice | undefined =>
  live.find((slice) => slice.from <= to && from <= slice.to);

const changeOf = (
  supersede: readonly Slice[],
  write: readonly NewSlice[],
  how: { withFee?: boolean; claimed?: boolean } = {},
): CoverChange => ({
  supersede,
  write,
  lines: linesBetween(supersede, write, how),
});

/** New cover. The caller has made sure that nothing overlaps. */
export const addCover = (wish: NewSlice): CoverChange => changeOf([], [wish]);

/**
 * Ends cover with its last day: the slice of that day is cut, later ones go; before all of them nothing is left of the cover.
 * @param claimed whether the person was paid for something and the policy returns nothing then
 */
export function removeCover(live: readonly Slice[], lastDay: Day, claimed: boolean, withFee = true): CoverChange {
  const touched = live.filter(({ to }) => to > lastDay);
  const write = touched
    .filter(({ from }) => from <= lastDay)
    .map(({ planCode, from, annualFen }) => ({ planCode, from, to: lastDay, annualFen }));
  return changeOf(touched, write, { withFee, claimed });
}

/** Another plan from a day on, for the rest of each slice that has another one. */
export function changePlan(live: readonly Slice[], from: Day, planCode: string, annualFen: bigint): CoverChange {
  const touched = live.filter((slice) => slice.to >= from && slice.planCode !== planCode);
  const write = touched.flatMap((slice): NewSlice[] => {
    const start = slice.from < from ? from : slice.from;
    const rest = { planCode, from: start, to: slice.to, annualFen };
    return slice.from < from
      ? [{ planCode: slice.planCode, from: slice.from, to: plusDays(from, -1), annualFen: slice.annualFen }, rest]
      : [rest];
  });
  return changeOf(touched, write);
}

/** Cover that reaches to the policy's end goes on to its new one. */
export function extendCover(live: readonly Slice[], oldEnd: Day, newEnd: Day): CoverChange {
  const touched = live.filter(({ to }) => to === oldEnd);
  return changeOf(
    touched,
    touched.map(({ planCode, from, annualFen }) => ({ planCode, from, to: newEnd, annualFen })),
  );
}

/** Suspensions of a policy, from its endorsements in their order. */
export function suspensionsOf(events: readonly { kind: 'SUSPEND' | 'REINSTATE'; effectiveOn: Day }[]): Suspension[] {
  const made: Suspension[] = [];
  for (const { kind, effectiveOn } of events) {
    const open = made.at(-1);
    if (kind === 'SUSPEND') {
      if (!open || open.to !== null) made.push({ from: effectiveOn, to: null });
    } else if (open && open.to === null) {
      if (effectiveOn <= open.from) made.pop();
      else made[made.length - 1] = { from: open.from, to: plusDays(effectiveOn, -1) };
    }
  }
  return made;
}

/** A cover of the same certificate that may stand before another one. */
export interface EarlierCover {
  productId: string;
  from: Day;
  to: Day;
}

/**
 * Since when somebody is covered without a break that counts: an earlier cover of the product, or of one that it renews without waiting,
 * is joined where the gap is within what the link allows.
 * @param gapOf days that may lie between a cover of that product and the next; null: it does not count
 */
export function continuousFrom(start: Day, earlier: readonly EarlierCover[], gapOf: (productId: string) => number | null): Day {
  let from = start;
  for (;;) {
    const joined = earlier
      .filter((cover) => {
        const most = gapOf(cover.productId);
        return most !== null && cover.from < from && daysBetween(cover.to, from) - 1 <= most;
      })
      .toSorted((one, other) => (one.from < other.from ? -1 : 1))[0];
    if (!joined) return from;
    from = joined.from;
  }
}

/** How an insured person stands on a day. */
export function insuredStateOn(
  live: readonly Pick<Slice, 'from' | 'to'>[],
  suspensions: readonly Suspension[],
  policyEnd: Day,
  day: Day,
): 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'LEFT' | 'EXPIRED' | 'VOID' {
  if (live.length === 0) return 'VOID';
  if (live.some(({ from, to }) => from <= day && day <= to)) return isSuspended(suspensions, day) ? 'SUSPENDED' : 'ACTIVE';
  if (live.some(({ from }) => from > day)) return 'PENDING';
  return live.every(({ to }) => to < policyEnd) ? 'LEFT' : 'EXPIRED';
}
