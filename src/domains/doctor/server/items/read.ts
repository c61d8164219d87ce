import type { Db } from '#kernel/server/context.ts';
import type { PriceBands } from '../../contract/rules/price.ts';
import { own } from '../database.ts';

type CareKind = 'CONSULT' | 'DIAGNOSIS';

/** Least identification that an item asks of the patient; diagnosis and treatment are never anonymous (R10). */
export const realNameFloor = (careKind: CareKind): 'NONE' | 'ID2' => (careKind === 'DIAGNOSIS' ? 'ID2' : 'NONE');

/** Those of the items that ask for a proven identity whatever patient's switches say. */
export async function realNameFloors(db: Db, itemIds: readonly string[]): Promise<{ itemId: string; name: string; minMethod: 'ID2' }[]> {
  const rows = await own(db).selectFrom('doctorServiceItem').select(['id', 'name', 'careKind']).where('id', 'in', itemIds).execute();
  return rows.flatMap(({ id, name, careKind }) => {
    const floor = realNameFloor(careKind);
    return floor === 'NONE' ? [] : [{ itemId: id, name, minMethod: floor }];
  });
}

const MINUTE_SEC = 60;

/**
 * An item as a doctor sells it. Without a doctor, or where he does not offer it, `opened` is false and the price is the
 * default of its lowest title. Null when there is no such item.
 */
export async function getServiceItem(db: Db, itemId: string, doctorId: string | null) {
  const row = await own(db)
    .selectFrom('doctorServiceItem as i')
    .leftJoin('doctorServiceOpening as o', (join) =>
      join
        .onRef('o.itemId', '=', 'i.id')
        .on('o.doctorId', '=', doctorId ?? '0')
        .on('o.state', 'not in', ['REJECTED', 'CLOSED']),
    )
    .selectAll('i')
    .select(['o.id as openingId', 'o.state as openingState', 'o.priceFen', 'o.dailyLimit'])
    .where('i.id', '=', itemId)
    .executeTakeFirst();
  if (!row) return null;
  const careKind = row.careKind;
  const bands = row.priceBands as PriceBands;
  const opened = row.openingState === 'ON' && row.state === 'ON';
  return {
    itemId: row.id,
    itemCode: row.itemCode,
    itemName: row.name,
    serviceType: row.itemType,
    careKind,
    realNameFloor: realNameFloor(careKind),
    billing: row.billing,
    openingId: row.openingId,
    opened,
    priceFen: row.priceFen === null ? (bands[row.titleMin]?.defaultFen ?? 0) : Number(row.priceFen),
    dailyLimit: row.dailyLimit,
    acceptHours: row.acceptHours,
    replyHours: row.replyHours,
    serviceHours: row.validHours,
    roundLimit: row.quotaReplies,
    periodDays: row.periodDays,
    videoSecLimit: row.durationMin === null ? null : row.durationMin * MINUTE_SEC,
    durationMin: row.durationMin,
    needSlot: row.needSlot,
    priceBands: bands,
    productLineId: row.productLineId,
    agreementFileId: row.agreementFileId,
    agreementVersion: row.agreementVersion,
    state: row.state,
  };
}
