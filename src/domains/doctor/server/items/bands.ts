import { sql, type NotNull } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { insideBand, type PriceBands } from '../../contract/rules/price.ts';
import { seesDoctor } from '../access.ts';
import { own } from '../database.ts';

const SHOWN = 100;

/** Doctors whose present price of an item lies outside bands that are not saved yet. */
export async function outsideBands(ctx: QueryContext, itemId: string, bands: PriceBands) {
  const item = await own(ctx.db).selectFrom('doctorServiceItem').select('id').where('id', '=', itemId).executeTakeFirst();
  if (!item) throw refuse(platformErrors.NOT_FOUND);
  const rows = await own(ctx.db)
    .selectFrom('doctorServiceOpening as o')
    .innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId')
    .select(['o.id as openingId', 'o.doctorId', 'd.name as doctorName', 'd.titleCode', 'o.priceFen'])
    .where('o.itemId', '=', itemId)
    .where('o.state', 'in', ['ON', 'PAUSED', 'SUSPENDED'])
    .where('d.titleCode', 'is not', null)
    .$narrowType<{ titleCode: NotNull }>()
    .where(seesDoctor(ctx.staff))
    .orderBy(sql`o.price_fen desc`)
    .orderBy('o.id')
    .execute();
  const outside = rows.flatMap(({ priceFen, ...row }) => {
    const band = bands[row.titleCode] ?? null;
    return band && insideBand(Number(priceFen), band) ? [] : [{ ...row, priceFen: Number(priceFen), band }];
  });
  return { total: outside.length, doctors: outside.slice(0, SHOWN) };
}
