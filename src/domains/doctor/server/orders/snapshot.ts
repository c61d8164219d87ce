import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { itemSnapshot } from '#events/doctor.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { ItemType, TitleCode } from '../../contract/dictionaries.ts';
import type { PriceBands } from '../../contract/rules/price.ts';

export type EventSnapshot = z.output<typeof itemSnapshot>;
/** What was sold: the events' picture and the rule by which money comes back. */
export interface ItemSnapshot extends EventSnapshot {
  refundRuleCode: string;
}

/** What an order is made of, read and locked at the moment of sale. */
export interface Offer {
  openingId: string;
  doctorId: string;
  doctorName: string;
  itemId: string;
  itemType: ItemType;
  adcode: string | null;
  productLineId: string | null;
  needSlot: boolean;
  dailyLimit: number;
  priceFen: number;
  /** Lowest price of the item for the doctor's title. */
  lowestFen: number;
  /** Nothing stands against taking an order now. */
  takesOrders: boolean;
  snapshot: ItemSnapshot;
}

interface Row {
  openingId: string;
  doctorId: string;
  doctorName: string;
  itemId: string;
  itemType: ItemType;
  adcode: string | null;
  productLineId: string | null;
  needSlot: boolean;
  dailyLimit: number;
  priceFen: string;
  openingState: string;
  itemState: string;
  practiceOk: boolean;
  acceptState: string;
  offFrom: Day | null;
  offUntil: Day | null;
  titleCode: TitleCode | null;
  priceBands: PriceBands;
  itemCode: string;
  itemName: string;
  careKind: EventSnapshot['careKind'];
  billing: EventSnapshot['billing'];
  acceptHours: number;
  replyHours: number;
  validHours: number;
  quotaReplies: number | null;
  periodDays: number | null;
  durationMin: number | null;
  refundRuleCode: string;
}

/** Orders of one opening are made one after another: its row is locked. Null: no such opening. */
export async function lockOffer(tx: Tx, openingId: string, today: Day): Promise<Offer | null> {
  const { rows } = await sql<Row>`
    select o.id as opening_id, o.doctor_id, d.name as doctor_name, o.item_id, i.item_type, d.adcode, i.product_line_id, i.need_slot,
        o.daily_limit, o.price_fen, o.state as opening_state, i.state as item_state, d.practice_ok, d.accept_state, d.off_from, d.off_until,
        d.title_code, i.price_bands, i.item_code, i.name as item_name, i.care_kind, i.billing, i.accept_hours, i.reply_hours, i.valid_hours,
        i.quota_replies, i.period_days, i.duration_min, i.refund_rule_code
      from doctor_service_opening o
      join doctor_service_item i on i.id = o.item_id
      join doctor_doctor d on d.id = o.doctor_id
      where o.id = ${openingId} for update of o`.execute(tx);
  const row = rows[0];
  if (!row) return null;
  const off =
    row.acceptState === 'OFF' && (row.offFrom === null || row.offFrom <= today) && (row.offUntil === null || today <= row.offUntil);
  const priceFen = Number(row.priceFen);
  return {
    openingId: row.openingId,
    doctorId: row.doctorId,
    doctorName: row.doctorName,
    itemId: row.itemId,
    itemType: row.itemType,
    adcode: row.adcode,
    productLineId: row.productLineId,
    needSlot: row.needSlot,
    dailyLimit: row.dailyLimit,
    priceFen,
    lowestFen: (row.titleCode === null ? undefined : row.priceBands[row.titleCode]?.minFen) ?? priceFen,
    takesOrders: row.openingState === 'ON' && row.itemState === 'ON' && row.practiceOk && !off,
    snapshot: {
      itemCode: row.itemCode,
      itemName: row.itemName,
      serviceType: row.itemType,
      careKind: row.careKind,
      billing: row.billing,
      acceptHours: row.acceptHours,
      replyHours: row.replyHours,
      validHours: row.validHours,
      quotaReplies: row.quotaReplies,
      periodDays: row.periodDays,
      durationMin: row.durationMin,
      priceFen,
      refundRuleCode: row.refundRuleCode,
    },
  };
}
