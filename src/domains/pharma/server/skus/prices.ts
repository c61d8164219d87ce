import type { PriceType } from '../../contract/dictionaries.ts';
import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import type { PharmaDb, PharmaTx } from '../database.ts';

export interface PriceKey {
  skuId: string;
  priceType: PriceType;
  /** Empty but for reimbursement standards. */
  provinceAdcode: string;
}

export interface PriceRange {
  id: string;
  priceFen: bigint;
  from: Day;
  to: Day | null;
}

async function pricesOf(tx: PharmaDb, key: PriceKey): Promise<PriceRange[]> {
  const rows = await tx
    .selectFrom('pharmaSkuPrice')
    .select(['id', 'priceFen', 'effectiveFrom', 'effectiveTo'])
    .where('skuId', '=', key.skuId)
    .where('priceType', '=', key.priceType)
    .where('provinceAdcode', '=', key.provinceAdcode)
    .where('revokedAt', 'is', null)
    .orderBy('effectiveFrom')
    .execute();
  return rows.map((row) => ({ id: row.id, priceFen: BigInt(row.priceFen), from: row.effectiveFrom, to: row.effectiveTo }));
}

export const holdsOn = (range: Pick<PriceRange, 'from' | 'to'>, at: Day): boolean =>
  range.from <= at && (range.to === null || range.to >= at);

/** The price of a day; null where there is none. */
export async function priceOn(db: PharmaDb, key: PriceKey, at: Day): Promise<bigint | null> {
  return (await pricesOf(db, key)).find((range) => holdsOn(range, at))?.priceFen ?? null;
}

const overlap = (a: PriceRange, b: PriceRange) => (a.to === null || b.from <= a.to) && (b.to === null || a.from <= b.to);

/** The ranges after a price was put between them: the one before ends the day before, the new one before the next begins. */
export function withPrice(
  ranges: readonly PriceRange[],
  added: { priceFen: bigint; from: Day },
): { ranges: PriceRange[]; closed: PriceRange | null; to: Day | null } {
  const before = ranges.findLast((range) => range.from < added.from) ?? null;
  const next = ranges.find((range) => range.from > added.from);
  const to = next ? plusDays(next.from, -1) : null;
  const closed = before !== null && (before.to === null || before.to >= added.from) ? { ...before, to: plusDays(added.from, -1) } : null;
  return { ranges: [...ranges.map((range) => (closed && range.id === closed.id ? closed : range)), { id: '', ...added, to }], closed, to };
}

/** Checks the date and that supply never costs more than market on any day. @throws Refusal SCM05033, SCM05037 */
export async function requirePriceFits(
  tx: PharmaDb,
  key: PriceKey,
  added: { priceFen: bigint; from: Day },
): Promise<{ closed: PriceRange | null; to: Day | null }> {
  const ranges = await pricesOf(tx, key);
  if (ranges.some((range) => range.from === added.from))
    throw refuse(pharmaErrors.PRICE_DATE_TAKEN, { fields: [{ path: 'effectiveFrom', message: pharmaErrors.PRICE_DATE_TAKEN.text }] });
  const result = withPrice(ranges, added);
  if (key.priceType === 'REIMBURSE') return result;
  const other = await pricesOf(tx, { ...key, priceType: key.priceType === 'MARKET' ? 'SUPPLY' : 'MARKET' });
  const [market, supply] = key.priceType === 'MARKET' ? [result.ranges, other] : [other, result.ranges];
  if (supply.some((low) => market.some((high) => overlap(low, high) && low.priceFen > high.priceFen))) {
    throw refuse(pharmaErrors.SUPPLY_ABOVE_MARKET, { fields: [{ path: 'priceFen', message: pharmaErrors.SUPPLY_ABOVE_MARKET.text }] });
  }
  return result;
}

/** Writes a price; the caller holds the lock of the sku. @throws Refusal SCM05033, SCM05037 */
export async function insertPrice(
  tx: PharmaTx,
  key: PriceKey,
  price: { priceFen: bigint; from: Day; reason: string; priceApplyId: string | null; by: string | null; now: string },
): Promise<string> {
  const { closed, to } = await requirePriceFits(tx, key, price);
  if (closed) await tx.updateTable('pharmaSkuPrice').set({ effectiveTo: closed.to }).where('id', '=', closed.id).execute();
  const { id } = await tx
    .insertInto('pharmaSkuPrice')
    .values({
      ...key,
      priceFen: String(price.priceFen),
      effectiveFrom: price.from,
      effectiveTo: to,
      reason: price.reason,
      priceApplyId: price.priceApplyId,
      createdAt: price.now,
      createdBy: price.by,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Takes back a price that has not begun; the one before lasts until the next. */
export async function withdrawPrice(
  tx: PharmaTx,
  price: { id: string; from: Day; to: Day | null } & PriceKey,
  by: { userId: string; now: string },
): Promise<void> {
  await tx.updateTable('pharmaSkuPrice').set({ revokedAt: by.now, revokedBy: by.userId }).where('id', '=', price.id).execute();
  await tx
    .updateTable('pharmaSkuPrice')
    .set({ effectiveTo: price.to })
    .where('skuId', '=', price.skuId)
    .where('priceType', '=', price.priceType)
    .where('provinceAdcode', '=', price.provinceAdcode)
    .where('revokedAt', 'is', null)
    .where('effectiveTo', '=', plusDays(price.from, -1))
    .execute();
}

/** SQL of the price in force on a day, fen as text. */
export const priceSql = (skuId: string, priceType: string, today: Day) =>
  sql<string | null>`(
    select p.price_fen
      from pharma_sku_price p
      where p.sku_id = ${sql.ref(skuId)}
        and p.price_type = ${priceType}
        and p.province_adcode = ''
        and p.revoked_at is null
        and p.effective_from <= ${today}::date
        and (p.effective_to is null or p.effective_to >= ${today}::date)
  )`;
