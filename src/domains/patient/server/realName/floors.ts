import type { Db } from '#kernel/server/context.ts';
import type { MinMethod } from '../../contract/dictionaries.ts';

/** What a service item demands by its own nature, whatever the switches say. */
export interface ItemFloor {
  itemId: string;
  name: string;
  minMethod: MinMethod;
}
/** Only items that demand something are answered. */
export type ItemFloors = (db: Db, itemIds: readonly string[]) => Promise<readonly ItemFloor[]>;

let answer: ItemFloors = () => Promise.resolve([]);

/** The domain of the service items says which of them demand a proven identity; patient may not ask it itself. */
export function registerRealNameFloors(floors: ItemFloors): void {
  answer = floors;
}

export async function floorsOf(db: Db, itemIds: readonly string[]): Promise<ReadonlyMap<string, ItemFloor>> {
  if (itemIds.length === 0) return new Map();
  return new Map((await answer(db, [...new Set(itemIds)])).map((floor) => [floor.itemId, floor]));
}
