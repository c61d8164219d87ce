import type { Db, Tx } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { everyone } from '#kernel/server/auth/viewer.ts';
import { linkObjectOf } from '../../contract/delivery/links.ts';
import type { LinkType } from '../../contract/delivery/dictionaries.ts';
import { queryThingList, queryThingTypeList, type ThingType, thingTypes } from '../../contract/delivery/things.ts';

export interface Named {
  objectType: ThingType;
  objectId: string;
}

/** Which things are there to be shown to customers: on sale, allowed to practise; their owners say by which fact. */
export async function offeredOf(kernel: Kernel, db: Db | Tx, things: readonly Named[], now: Instant): Promise<(thing: Named) => boolean> {
  const offered = new Set<string>();
  for (const [code, some] of Map.groupBy(things, ({ objectType }) => objectType)) {
    const type = kernel.registry.objectTypes.get(code);
    if (!type) continue;
    const ids = [...new Set(some.map(({ objectId }) => objectId))];
    const known = new Set((await type.labels(db, everyone, ids, now)).map(({ id }) => id));
    const facts = type.offeredFact === null ? [] : ((await type.rules?.facts(db, ids, [type.offeredFact], now)) ?? []);
    const off = new Set(facts.filter(({ value }) => value === '0').map(({ id }) => id));
    for (const id of ids) if (known.has(id) && !off.has(id)) offered.add(`${code}:${id}`);
  }
  return ({ objectType, objectId }) => offered.has(`${objectType}:${objectId}`);
}

interface Linked {
  linkType: LinkType;
  linkObjectId: string | null;
}
/** The thing that a delivery leads to; null: it leads to none. */
export function thingOf({ linkType, linkObjectId }: Linked): Named | null {
  const objectType = linkObjectOf(linkType);
  return objectType === null || linkObjectId === null ? null : { objectType, objectId: linkObjectId };
}

/** Which deliveries lead to something that customers are not offered. */
export async function linksOff(kernel: Kernel, db: Db | Tx, rows: readonly Linked[], now: Instant): Promise<(row: Linked) => boolean> {
  const isOffered = await offeredOf(
    kernel,
    db,
    rows.flatMap((row) => thingOf(row) ?? []),
    now,
  );
  return (row) => {
    const thing = thingOf(row);
    return thing !== null && !isOffered(thing);
  };
}

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
