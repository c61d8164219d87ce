import { audienceFault, stranger, type PageViewer } from '../delivery/audience.ts';
import { itemTypeOf, holdsItems, type FloorType, type LeftOutReason } from './dictionaries.ts';
import { floorLabels, type FloorChange, type FloorContent, type FloorItem } from './shape.ts';

export const MOST_FLOORS = 20;
const FEWEST_ICONS = 4;
const MOST_ICONS = 10;

/** An icon grid that is filled has from four to ten icons; one without any is still to be filled. */
export const iconsFit = (type: FloorType, count: number): boolean =>
  type !== 'ICON_GRID' || count === 0 || (count >= FEWEST_ICONS && count <= MOST_ICONS);

/** A floor that would be shown without anything in it. */
export const showsNothing = (floor: Pick<FloorContent, 'floorType' | 'dataMode' | 'items' | 'hideWhenEmpty' | 'hidden'>): boolean =>
  holdsItems(floor.floorType) && floor.dataMode === 'MANUAL' && !floor.hidden && !floor.hideWhenEmpty && floor.items.length === 0;

/** Why something with these times is not shown at an instant; a time counts from its first instant, not at its end. */
export function outOfTime({ startAt, endAt }: Pick<FloorItem, 'startAt' | 'endAt'>, at: string): LeftOutReason | null {
  const now = Date.parse(at);
  if (startAt !== null && now < Date.parse(startAt)) return 'NOT_YET';
  if (endAt !== null && now >= Date.parse(endAt)) return 'OVER';
  return null;
}

interface ResolvedItem extends FloorItem {
  reason: LeftOutReason | null;
}
export interface ResolvedFloor extends Omit<FloorContent, 'items'> {
  items: ResolvedItem[];
  reason: LeftOutReason | null;
  /** Which condition of the audience does not hold. */
  detail: string | null;
}

interface Looking {
  at: string;
  viewer?: PageViewer;
  /** Whether the thing of an item is there to be shown. */
  isOffered(objectType: 'MEDICINE' | 'DOCTOR', objectId: string): boolean;
  /** What a floor shows that chooses by a rule. */
  byRule?(floor: FloorContent): readonly FloorItem[];
}

/** The page as somebody sees it at an instant: every floor and item, with the reason why it is left out. */
export function resolvePage(floors: readonly FloorContent[], { at, viewer = stranger, isOffered, byRule }: Looking): ResolvedFloor[] {
  return floors.map((floor) => {
    const objectType = itemTypeOf(floor.floorType);
    const shown = floor.dataMode === 'RULE' ? (byRule?.(floor) ?? []) : floor.items;
    const items = shown.map((item): ResolvedItem => {
      const gone = objectType !== null && item.objectId !== null && !isOffered(objectType, item.objectId);
      return { ...item, reason: outOfTime(item, at) ?? (gone ? 'OFF' : null) };
    });
    const empty = holdsItems(floor.floorType) && floor.hideWhenEmpty && items.every(({ reason }) => reason !== null);
    const untimely = floor.hidden ? 'HIDDEN' : outOfTime(floor, at);
    const detail = untimely === null ? audienceFault(floor.audience, viewer) : null;
    return { ...floor, items, reason: untimely ?? (detail === null ? (empty ? 'EMPTY' : null) : 'AUDIENCE'), detail };
  });
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** What became of each floor between two states of a page; a floor counts as moved where its order among those of both changed. */
export function diffOfFloors(before: readonly FloorContent[], after: readonly FloorContent[]): FloorChange[] {
  const old = new Map(before.map((floor) => [floor.floorKey, floor]));
  const kept = new Set(after.map(({ floorKey }) => floorKey));
  const oldOrder = before.filter(({ floorKey }) => kept.has(floorKey)).map(({ floorKey }) => floorKey);
  const newOrder = after.filter(({ floorKey }) => old.has(floorKey)).map(({ floorKey }) => floorKey);
  const changes = after.flatMap((floor): FloorChange[] => {
    const { floorKey, floorName } = floor;
    const was = old.get(floorKey);
    if (was === undefined) return [{ floorKey, floorName, change: 'ADDED', fields: [] }];
    const keys = Object.keys(floorLabels) as (keyof typeof floorLabels)[];
    const fields = keys.filter((key) => !same(was[key], floor[key])).map((key) => floorLabels[key]);
    if (fields.length > 0) return [{ floorKey, floorName, change: 'CHANGED', fields }];
    return oldOrder.indexOf(floorKey) === newOrder.indexOf(floorKey) ? [] : [{ floorKey, floorName, change: 'MOVED', fields: [] }];
  });
  const gone = before.filter(({ floorKey }) => !kept.has(floorKey));
  return [...changes, ...gone.map(({ floorKey, floorName }) => ({ floorKey, floorName, change: 'REMOVED' as const, fields: [] }))];
}
