import type { Writing } from '#kernel/server/context.ts';
import { openingChanged } from '#events/doctor.ts';
import { ownTx } from '../database.ts';
import type { Acting } from '#kernel/server/command/acting.ts';

/** Tells the other domains what an opening is now. One whose item is off the shelf is not on, whatever the doctor wants. */
export async function publishOpening(writing: Pick<Writing, 'tx' | 'publish'>, openingId: string): Promise<void> {
  const row = await ownTx(writing.tx)
    .selectFrom('doctorServiceOpening as o')
    .innerJoin('doctorServiceItem as i', 'i.id', 'o.itemId')
    .select(['o.doctorId', 'o.itemId', 'o.priceFen', 'o.state', 'i.name', 'i.state as itemState'])
    .where('o.id', '=', openingId)
    .executeTakeFirstOrThrow();
  const state = row.itemState !== 'ON' && row.state === 'ON' ? 'PAUSED' : row.state;
  await writing.publish(openingChanged, openingId, {
    openingId,
    doctorId: row.doctorId,
    itemId: row.itemId,
    itemName: row.name,
    priceFen: Number(row.priceFen),
    state,
  });
}

interface NewPrice {
  openingId: string;
  priceFen: number;
  source: 'OPEN' | 'AUTO' | 'AUDIT';
  applyId: string | null;
  reason: string;
}

/** Notes a price from this moment on; orders keep the one they were made with. */
export async function notePrice(ctx: Acting, price: NewPrice): Promise<void> {
  await ownTx(ctx.tx)
    .insertInto('doctorOpeningPrice')
    .values({
      ...price,
      priceFen: String(price.priceFen),
      at: ctx.now,
      byId: ctx.staffOrNull?.userId ?? null,
      byName: ctx.staffOrNull?.displayName ?? '系统',
    })
    .execute();
}
