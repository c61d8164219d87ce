import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { medicineChanged } from '#events/pharma.ts';
import { ownTx } from '../database.ts';

/** Tells the other domains what a medicine and its goods are now. */
export async function publishMedicine(writing: Writing, medicineId: string, today: Day): Promise<void> {
  const tx = ownTx(writing.tx);
  const medicine = await tx
    .selectFrom('pharmaMedicine as m')
    .leftJoin('pharmaCompany as k', 'k.id', 'm.makerId')
    .leftJoin('pharmaCategory as c', 'c.id', 'm.categoryId')
    .select([
      'm.id',
      'm.medicineNo',
      'm.genericName',
      'm.brandName',
      'm.approvalNo',
      'm.state',
      'm.rxRequired',
      'm.coldChain',
      'k.name as manufacturer',
      'c.code as categoryCode',
    ])
    .where('m.id', '=', medicineId)
    .executeTakeFirstOrThrow();
  const goods = await tx
    .selectFrom('pharmaSku as s')
    .select([
      's.goodsCode',
      's.packSpec',
      's.packUnits',
      's.unit',
      's.state',
      sql<
        string | null
      >`(select p.price_fen from pharma_sku_price p where p.sku_id = s.id and p.price_type = 'MARKET' and p.revoked_at is null
        and p.effective_from <= ${today}::date and (p.effective_to is null or p.effective_to >= ${today}::date))`.as('market'),
    ])
    .where('s.medicineId', '=', medicineId)
    .orderBy('s.id')
    .execute();
  const { id, ...rest } = medicine;
  await writing.publish(medicineChanged, id, {
    medicineId: id,
    ...rest,
    rxRequired: rest.rxRequired ?? false,
    coldChain: rest.coldChain ?? false,
    goods: goods.map(({ market, ...sku }) => ({ ...sku, marketFen: market === null ? null : Number(market) })),
  });
}
