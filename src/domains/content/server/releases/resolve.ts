import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Viewer } from '../../../../kernel/server/auth/viewer.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { itemTypeOf } from '../../contract/floors/dictionaries.ts';
import { resolvePage } from '../../contract/floors/rules.ts';
import type { FloorContent } from '../../contract/floors/shape.ts';
import { labelsOf } from '../marks/objects.ts';

/** Floors as they are shown at an instant, with the names of the things on them; preview and clients ask the same. */
export async function resolveFor(kernel: Kernel, db: Db, viewer: Viewer, floors: readonly FloorContent[], at: Instant, now: Instant) {
  const named = floors.flatMap(({ floorType, items }) => {
    const objectType = itemTypeOf(floorType);
    return objectType === null ? [] : items.flatMap(({ objectId }) => (objectId === null ? [] : [{ objectType, objectId }]));
  });
  const labelOf = await labelsOf(kernel, db, viewer, named, now);
  return resolvePage(floors, at, (objectType, objectId) => labelOf({ objectType, objectId }) !== null).map((floor) => {
    const objectType = itemTypeOf(floor.floorType);
    const items = floor.items.map((item) => ({
      ...item,
      objectName: objectType === null || item.objectId === null ? null : (labelOf({ objectType, objectId: item.objectId })?.name ?? null),
    }));
    return { ...floor, items };
  });
}
