import { query } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { queryThingList, queryThingTypeList, thingTypes } from '../../contract/delivery/things.ts';

const MOST = 30;

/** What deliveries may name, asked of its owners. */
export const thingReads = (kernel: Kernel) => [
  query(queryThingTypeList, async () => thingTypes.codes.filter((code) => kernel.registry.objectTypes.has(code))),
  query(queryThingList, async ({ thingType, keyword, id }, { db, staff, now }) => {
    const type = kernel.registry.objectTypes.get(thingType);
    if (!type) return [];
    return id === undefined ? type.search(db, staff, keyword, MOST, now) : type.labels(db, staff, [id], now);
  }),
];
