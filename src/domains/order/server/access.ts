import { sql, type SqlBool } from 'kysely';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from './database.ts';

/** Settings of goods and suppliers belong to no insurer: who may see them sees all. */
const everybody = () => sql<SqlBool>`true`;

export const shieldRecords = recordOf((db) => own(db).selectFrom('orderShield as s').selectAll('s')).with({
  noun: '隐藏加购设置',
  type: 'order.shield',
  id: 's.id',
  scope: everybody,
});
export type ShieldRecord = Awaited<ReturnType<typeof shieldRecords.get>>;

export const supplierRecords = recordOf((db) => own(db).selectFrom('orderSupplier as s').selectAll('s')).with({
  noun: '供应商',
  type: 'order.supplier',
  id: 's.id',
  scope: everybody,
  referredTo: true,
});
export type SupplierRecord = Awaited<ReturnType<typeof supplierRecords.get>>;

export const supplierGoodsRecords = recordOf((db) => own(db).selectFrom('orderSupplierGoods as g').selectAll('g')).with({
  noun: '供应商商品',
  type: 'order.supplierGoods',
  id: 'g.id',
  scope: everybody,
});
export type SupplierGoodsRecord = Awaited<ReturnType<typeof supplierGoodsRecords.get>>;

export const supplierPauseRecords = recordOf((db) => own(db).selectFrom('orderSupplierPause as p').selectAll('p')).with({
  noun: '停接时段',
  type: 'order.supplierPause',
  id: 'p.id',
  scope: everybody,
});
