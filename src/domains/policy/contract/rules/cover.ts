import { daysBetween, plusDays, type Day, type Instant } from '../../../../kernel/contract/time.ts';
import type { LineWish } from './premium.ts';

/** One person, one plan, from day to day. */
export interface Slice {
  id: string;
  planCode: string;
  from: Day;
  to: Day;
  annualFen: bigint;
}

export interface EndorsementTimes {
  visibleAt: Instant | null;
  undoneAt: Instant | null;
}

/** Whether an endorsement had taken effect at a moment, and was not taken back by then. */
export const isVisibleAt = ({ visibleAt, undoneAt }: EndorsementTimes, at: Instant): boolean =>
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
export const isSuspended = (suspensions: readonly Suspension[], day: Day): boolean =>
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

const line = (basis: LineWish['basis'], { annualFen }: Pick<Slice, 'annualFen'>, from: Day, to: Day, withFee = false): LineWish => ({
  basis,
  annualFen,
  from,
  to,
  withFee,
});

export const overlapping = (live: readonly Slice[], from: Day, to: Day): Slice | undefined =>
  live.find((slice) => slice.from <= to && from <= slice.to);

/** New cover. The caller has made sure that nothing overlaps. */
export const addCover = (wish: NewSlice): CoverChange => ({
  supersede: [],
  write: [wish],
  lines: [line('CHARGE', wish, wish.from, wish.to)],
});

/**
 * Ends cover with its last day: the slice of that day is cut, later ones go; before all of them nothing is left of the cover.
 * @param claimed whether the person was paid for something and the policy returns nothing then
 */
export function removeCover(live: readonly Slice[], lastDay: Day, claimed: boolean, withFee = true): CoverChange {
  const touched = live.filter(({ to }) => to > lastDay);
  return {
    supersede: touched,
    write: touched
      .filter(({ from }) => from <= lastDay)
      .map(({ planCode, from, annualFen }) => ({ planCode, from, to: lastDay, annualFen })),
    lines: touched.map((slice) => {
      const cut = slice.from <= lastDay;
      const from = cut ? plusDays(lastDay, 1) : slice.from;
      return line(claimed ? 'NONE' : cut ? 'REFUND' : 'VOID', slice, from, slice.to, withFee);
    }),
  };
}

/** Another plan from a day on, for the rest of each slice. */
export function changePlan(live: readonly Slice[], from: Day, planCode: string, annualFen: bigint): CoverChange {
  const touched = live.filter((slice) => slice.to >= from && (slice.planCode !== planCode || slice.annualFen !== annualFen));
  return {
    supersede: touched,
    write: touched.flatMap((slice): NewSlice[] => {
      const start = slice.from < from ? from : slice.from;
      const rest = { planCode, from: start, to: slice.to, annualFen };
      return slice.from < from
        ? [{ planCode: slice.planCode, from: slice.from, to: plusDays(from, -1), annualFen: slice.annualFen }, rest]
        : [rest];
    }),
    lines: touched.flatMap((slice) => {
      const start = slice.from < from ? from : slice.from;
      return [line(slice.from < from ? 'REFUND' : 'VOID', slice, start, slice.to), line('CHARGE', { annualFen }, start, slice.to)];
    }),
  };
}

/** Cover that reaches to the policy's end goes on to its new one. */
export function extendCover(live: readonly Slice[], oldEnd: Day, newEnd: Day): CoverChange {
  const touched = live.filter(({ to }) => to === oldEnd);
  return {
    supersede: touched,
    write: touched.map(({ planCode, from, annualFen }) => ({ planCode, from, to: newEnd, annualFen })),
    lines: touched.map((slice) => line('EXTEND', slice, plusDays(oldEnd, 1), newEnd)),
  };
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
