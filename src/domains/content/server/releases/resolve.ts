import type { Instant } from '#kernel/contract/time.ts';
import { everyone } from '#kernel/server/auth/viewer.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { PageViewer } from '../../contract/delivery/audience.ts';
import { positionsOf, type PositionCode } from '../../contract/delivery/positions.ts';
import type { PageCode } from '../../contract/floors/clientPages.ts';
import { itemTypeOf, type FloorType } from '../../contract/floors/dictionaries.ts';
import { resolvePage } from '../../contract/floors/rules.ts';
import type { FloorContent } from '../../contract/floors/shape.ts';
import { imageUrl } from '../delivery/files.ts';
import { offeredOf } from '../delivery/offered.ts';
import { itemsByRule } from '../floors/byRule.ts';
import { labelsOf } from '../marks/objects.ts';

/** The place whose deliveries fill a floor; null: the floor holds its own. */
export function placeOfFloor(pageCode: PageCode, type: FloorType): PositionCode | null {
  const kind = type === 'BANNER' ? 'BANNER' : type === 'AD' ? 'FEED' : null;
  return positionsOf(pageCode).find((position) => position.kind === kind)?.positionCode ?? null;
}

interface Looking {
  pageCode: PageCode;
  viewer: PageViewer;
  at: Instant;
  now: Instant;
}

/** Floors as they are shown to a viewer at an instant, with the names of the things on them; preview and clients ask the same. */
export async function resolveFor(kernel: Kernel, db: Db, floors: readonly FloorContent[], { pageCode, viewer, at, now }: Looking) {
  const byRule = await itemsByRule(kernel, db, floors, now);
  const named = floors.flatMap((floor) => {
    const objectType = itemTypeOf(floor.floorType);
    const items = floor.dataMode === 'RULE' ? byRule(floor) : floor.items;
    return objectType === null ? [] : items.flatMap(({ objectId }) => (objectId === null ? [] : [{ objectType, objectId }]));
  });
  const isOffered = await offeredOf(kernel, db, named, now);
  const labelOf = await labelsOf(kernel, db, everyone, named, now);
  const resolved = resolvePage(floors, {
    at,
    viewer,
    isOffered: (objectType, objectId) => isOffered({ objectType, objectId }),
    byRule,
  });
  return resolved.map((floor) => {
    const objectType = itemTypeOf(floor.floorType);
    const items = floor.items.map((item) => ({
      ...item,
      imageUrl: imageUrl(kernel, item.imageFileId, now),
      objectName: objectType === null || item.objectId === null ? null : (labelOf({ objectType, objectId: item.objectId })?.name ?? null),
    }));
    return { ...floor, items, positionCode: placeOfFloor(pageCode, floor.floorType) };
  });
}
