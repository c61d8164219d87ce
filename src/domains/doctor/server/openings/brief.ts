import { sql } from 'kysely';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import type { careKinds, ItemType } from '../../contract/dictionaries.ts';

export interface OpeningBrief {
  openingId: string;
  doctorId: string;
  itemId: string;
  itemName: string;
  itemType: ItemType;
  careKind: (typeof careKinds.codes)[number];
  priceFen: number;
  needSlot: boolean;
  state: string;
}

/** What one opening sells; null when there is none. */
export async function openingBrief(db: Db | Tx, openingId: string): Promise<OpeningBrief | null> {
  const { rows } = await sql<OpeningBrief>`
    select o.id as opening_id, o.doctor_id, o.item_id, i.name as item_name, i.item_type, i.care_kind, o.price_fen::int as price_fen,
      i.need_slot, o.state
      from doctor_service_opening o join doctor_service_item i on i.id = o.item_id where o.id = ${openingId}`.execute(db);
  return rows[0] ?? null;
}
