import { sql, type SqlBool } from 'kysely';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from '../database.ts';
import { orderSeen } from '../orders/access.ts';
import { AFTER_SALE_TARGET } from '../orders/refunds.ts';

/** Who sees the order sees what of it came back. */
export const afterSaleRecords = recordOf((db) => own(db).selectFrom('orderAfterSale as a').selectAll('a')).with({
  noun: '售后单',
  type: AFTER_SALE_TARGET,
  id: 'a.id',
  scope: (viewer: Viewer) => sql<SqlBool>`exists (select from order_order o where o.id = a.order_id and ${orderSeen(viewer)})`,
});
