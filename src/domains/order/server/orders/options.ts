import { sql } from 'kysely';
import { containsText } from '#kernel/server/database/search.ts';
import { query } from '#kernel/server/handler.ts';
import { queryOrderOptions } from '../../contract/calls/orders.ts';
import { own } from '../database.ts';

const MOST = 50;

/** Suppliers for the selects of pages; those that were never audited deliver nothing. */
export const orderOptions = query(queryOrderOptions, async ({ keyword, ids }, { db }) => {
  let rows = own(db).selectFrom('orderSupplier as s').select(['s.id', 's.supplierCode', 's.supplierName']);
  rows = ids ? rows.where('s.id', 'in', ids) : rows.where('s.status', 'in', ['ENABLED', 'PAUSED', 'DISABLED']);
  if (keyword) rows = rows.where(containsText(sql`s.supplier_name || ' ' || s.supplier_code`, keyword));
  const found = await rows.orderBy('s.supplierCode').limit(MOST).execute();
  return found.map(({ id, supplierCode, supplierName }) => ({ value: id, label: `${supplierName}（${supplierCode}）`, extra: {} }));
});
