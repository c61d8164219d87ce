import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import { everyone } from '#kernel/server/auth/viewer.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { itemTypeOf, type FloorSort } from '../../contract/floors/dictionaries.ts';
import type { FloorContent, FloorItem, FloorRule } from '../../contract/floors/shape.ts';
import { offeredOf } from '../delivery/offered.ts';
import { typeOf } from '../marks/objects.ts';

type ObjectType = 'MEDICINE' | 'DOCTOR';

/** Of the owner's variables, the one that an order goes by, and whether the smallest comes first. */
const orders: Readonly<Record<ObjectType, Partial<Record<FloorSort, { code: string; rising: boolean }>>>> = {
  MEDICINE: { NEW: { code: 'medicine.daysOnSale', rising: true }, PRICE: { code: 'medicine.retailPrice', rising: true } },
  DOCTOR: { NEW: { code: 'doctor.recordDays', rising: true }, SERVED: { code: 'doctor.servedCount', rising: false } },
};
/** As many are looked at; marks on more are no choice for a floor. */
const MOST_CARRIERS = 2_000;

async function carriers(db: Db, objectType: ObjectType, { marksAny, marksAll }: FloorRule): Promise<string[]> {
  const carries = (ids: readonly string[]) => sql`select b.object_id from content_mark_binding b join content_mark m on m.id = b.mark_id
    where b.object_type = ${objectType} and b.ended_at is null and m.state = 'ENABLED' and b.mark_id = any(${[...new Set(ids)]}::bigint[])`;
  const { rows } = await sql<{
    id: string;
  }>`select distinct x.object_id::text as id, x.object_id from (${carries([...marksAny, ...marksAll])}) x
    where (${marksAny.length === 0}::boolean or x.object_id in (${carries(marksAny)}))
      and (${marksAll.length === 0}::boolean
        or x.object_id in (${carries(marksAll)} group by b.object_id having count(distinct b.mark_id) = ${new Set(marksAll).size}))
    order by x.object_id desc limit ${MOST_CARRIERS}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Things of one rule in its order, what is not offered left out; of equals the newest first. */
async function chosen(kernel: Kernel, db: Db, objectType: ObjectType, rule: FloorRule, now: Instant): Promise<string[]> {
  const ids = await carriers(db, objectType, rule);
  const isOffered = await offeredOf(
    kernel,
    db,
    ids.map((objectId) => ({ objectType, objectId })),
    now,
  );
  const offered = ids.filter((objectId) => isOffered({ objectType, objectId }));
  const order = orders[objectType][rule.sort];
  const facts = order ? ((await typeOf(kernel, objectType).rules?.facts(db, offered, [order.code], now)) ?? []) : [];
  const valueOf = new Map(facts.map(({ id, value }) => [id, Number(value)]));
  const last = Number.POSITIVE_INFINITY;
  const rank = (id: string) => {
    const value = valueOf.get(id);
    return value === undefined ? last : order?.rising ? value : -value;
  };
  return offered.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b))).slice(0, rule.limit);
}

/** What floors show that choose by a rule. */
export async function itemsByRule(
  kernel: Kernel,
  db: Db,
  floors: readonly FloorContent[],
  now: Instant,
): Promise<(floor: FloorContent) => FloorItem[]> {
  const found = new Map<string, FloorItem[]>();
  for (const { floorKey, floorType, rule } of floors) {
    const objectType = itemTypeOf(floorType);
    if (rule === null || objectType === null) continue;
    const ids = await chosen(kernel, db, objectType, rule, now);
    const labels = new Map((await typeOf(kernel, objectType).labels(db, everyone, ids, now)).map((label) => [label.id, label.no]));
    found.set(
      floorKey,
      ids.map((objectId) => ({
        title: '',
        link: '',
        objectNo: labels.get(objectId) ?? '',
        objectId,
        imageFileId: null,
        startAt: null,
        endAt: null,
      })),
    );
  }
  return ({ floorKey }) => found.get(floorKey) ?? [];
}
