import type { Acting } from '../../../../kernel/server/command/acting.ts';
import { ownTx } from '../database.ts';

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
