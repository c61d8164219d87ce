import { hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { SendTarget, TouchKind } from '../dictionaries.ts';
import { planCycle, planItem, rotationIndex, type Entry } from '../plan.ts';
import type { FrozenRow, PackageSnapshot } from './snapshot.ts';

/** The cycle's key among the items of a package. */
export const CYCLE_KEY = 'cycle';

/** A touch as it is planned, before anybody decides whether it goes out. */
export interface Touch {
  itemKey: string;
  /** Schedule 0, cycle the day age. */
  occurrence: number;
  target: SendTarget;
  touchKind: TouchKind;
  materialIds: readonly string[];
  itemConditions: readonly FrozenRow[];
  dueAt: Instant;
  /** Sent later than this it would be stale. */
  expiresAt: Instant;
}

/** What a version says of when something is sent. */
export type Plan = Pick<PackageSnapshot, 'schedule' | 'cycle'> & { policy: Pick<PackageSnapshot['policy'], 'maxDelayHours'> };

/** All touches of a run in their order (R3). What has nothing to send and nobody to ask is left out. Pure. */
export function planRun(snapshot: Plan, entry: Entry): Touch[] {
  const expiry = hours(snapshot.policy.maxDelayHours);
  const touches: Touch[] = snapshot.schedule
    .filter((item) => item.materialIds.length > 0 || item.createTask !== undefined)
    .map((item) => {
      const { at } = planItem(entry, item);
      const { itemKey, target, touchKind, materialIds, itemConditions } = item;
      return { itemKey, occurrence: 0, target, touchKind, materialIds, itemConditions, dueAt: at, expiresAt: plusMs(at, expiry) };
    });
  const { cycle } = snapshot;
  if (cycle && cycle.materialIds.length > 0) {
    for (const { dayAge, at } of planCycle(entry, cycle)) {
      const materialIds =
        cycle.playMode === 'SAME'
          ? cycle.materialIds
          : [cycle.materialIds[rotationIndex(dayAge, cycle.timeOption, cycle.materialIds.length)]!];
      const { target, touchKind } = cycle;
      touches.push({
        itemKey: CYCLE_KEY,
        occurrence: dayAge,
        target,
        touchKind,
        materialIds,
        itemConditions: [],
        dueAt: at,
        expiresAt: plusMs(at, expiry),
      });
    }
  }
  const asking = new Set(snapshot.schedule.flatMap(({ itemKey, createTask }) => (createTask ? [itemKey] : [])));
  return withoutRepeats(
    touches.sort((a, b) => (a.dueAt < b.dueAt ? -1 : a.dueAt > b.dueAt ? 1 : 0)),
    asking,
  );
}

/**
 * Touches that rest days moved onto one slot: of a cycle's occurrences the last one stays, and what one of them sends in any case no other
 * one sends again. Pure.
 * @param touches in their order
 * @param asking keys of items that ask somebody to do something, whatever they send
 */
function withoutRepeats(touches: readonly Touch[], asking: ReadonlySet<string>): Touch[] {
  return [...Map.groupBy(touches, ({ dueAt }) => dueAt).values()].flatMap((together) => {
    const occurrence = together.findLast(({ itemKey }) => itemKey === CYCLE_KEY);
    const given = new Set<string>();
    return together.flatMap((touch) => {
      if (touch.itemKey === CYCLE_KEY && touch !== occurrence) return [];
      const materialIds = touch.materialIds.filter((id) => !given.has(id));
      if (touch.itemConditions.length === 0) for (const id of materialIds) given.add(id);
      const isLeft = materialIds.length > 0 || touch.materialIds.length === 0 || asking.has(touch.itemKey);
      return isLeft ? [{ ...touch, materialIds }] : [];
    });
  });
}

/** `FU:{run}:{item}:{occurrence}`: one message of a run, however often it is tried. */
export const dedupeKeyOf = (runId: string, touch: Pick<Touch, 'itemKey' | 'occurrence'>): string =>
  `FU:${runId}:${touch.itemKey}:${touch.occurrence}`;
