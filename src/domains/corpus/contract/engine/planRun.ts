import { hours, plusMs, type Instant } from '../../../../kernel/contract/time.ts';
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

/** All touches of a run in their order (R3). What has nothing to send and nobody to ask is left out. Pure. */
export function planRun(snapshot: Pick<PackageSnapshot, 'schedule' | 'cycle' | 'policy'>, entry: Entry): Touch[] {
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
  return touches.sort((a, b) => (a.dueAt < b.dueAt ? -1 : a.dueAt > b.dueAt ? 1 : 0));
}

/** `FU:{run}:{item}:{occurrence}`: one message of a run, however often it is tried. */
export const dedupeKeyOf = (runId: string, touch: Pick<Touch, 'itemKey' | 'occurrence'>): string =>
  `FU:${runId}:${touch.itemKey}:${touch.occurrence}`;
