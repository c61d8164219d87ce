import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db, QueryContext } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { containsOneOf } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import { getDrugstores } from '#domains/institution/server/index.ts';
import { exportSupplierList, querySupplierDetail, querySupplierList, type SupplierRow } from '../../contract/calls/supplier.ts';
import type { PauseState } from '../../contract/dictionaries.ts';
import { supplierMachine } from '../../contract/supplierStates.ts';
import { supplierRecords } from '../access.ts';
import { own } from '../database.ts';
import { formOf } from './facts.ts';
import { licenceColumn, licenceOn } from './licence.ts';

const joined = (db: Db) => own(db).selectFrom('orderSupplier as s');
const columns = [
  's.id',
  's.supplierCode',
  's.supplierName',
  's.supplierType',
  's.integration',
  's.coldChainCapable',
  's.dailyCapacity',
  's.expireOn',
  's.status',
  's.editorName',
  's.updatedAt',
  's.version',
] as const;
const regionCount = sql<number>`(
  select count(*)::int from order_supplier_region r where r.supplier_id = s.id and not r.excluded
)`.as('regionCount');
const goodsCount = sql<number>`(select count(*)::int from order_supplier_goods g where g.supplier_id = s.id and g.on_sale)`.as(
  'goodsCount',
);

const readSupplier = (db: Db, id: string) =>
  joined(db).select(columns).select([regionCount, goodsCount]).where('s.id', '=', id).executeTakeFirst();
type Read = NonNullable<Awaited<ReturnType<typeof readSupplier>>>;
const present = ({ editorName, ...row }: Read, { today, has }: Pick<QueryContext, 'today' | 'has'>): SupplierRow => ({
  ...row,
  licenceState: licenceOn(row.expireOn, today),
  updatedBy: editorName,
  allowedActions: supplierMachine.allowed(row.status, has),
});

export const supplierList = listOf(querySupplierList)
  .from(({ db }) => joined(db))
  .with({
    where: {
      supplier: containsOneOf('s.supplierCode', 's.supplierName'),
      supplierType: 's.supplierType',
      integration: 's.integration',
      licenceState: (_eb, state, { today }) => sql`${licenceColumn(today)} = ${state}`,
      status: 's.status',
    },
    id: 's.id',
    last: { of: 's.status', groups: [['REJECTED'], ['DISABLED']] },
    sorts: { supplierCode: 's.supplierCode', expireOn: 's.expireOn', updatedAt: 's.updatedAt' },
    bounded: 'suppliers are agreed with one by one: some dozens',
    select: (rows) => rows.select(columns).select([regionCount, goodsCount]),
    present: (rows, ask) => rows.map((row) => present(row, ask)),
  });
export const supplierExport = listExport(supplierList, { call: exportSupplierList, title: '供应商', routeKey: 'supplierSetup' });

function pauseOn({ fromAt, toAt }: { fromAt: Instant; toAt: Instant }, now: Instant): PauseState {
  if (toAt <= now) return 'OVER';
  return fromAt <= now ? 'RUNNING' : 'WAITING';
}

export const supplierDetail = query(querySupplierDetail, async ({ id }, ctx) => {
  const read = await readSupplier(ctx.db, id);
  if (!read) throw supplierRecords.missing();
  const row = await supplierRecords.get(ctx.db, ctx.staff, id);
  const regions = await own(ctx.db)
    .selectFrom('orderSupplierRegion')
    .select(['adcode', 'excluded'])
    .where('supplierId', '=', id)
    .orderBy('adcode')
    .execute();
  const names = await regionsOf(
    ctx.db,
    regions.map(({ adcode }) => adcode),
  );
  const named = (excluded: boolean) =>
    regions.filter((region) => region.excluded === excluded).map(({ adcode }) => ({ adcode, name: regionText(names, adcode) }));
  const pauses = await own(ctx.db)
    .selectFrom('orderSupplierPause')
    .select(['id', 'fromAt', 'toAt', 'reason', 'creatorName', 'version'])
    .where('supplierId', '=', id)
    .orderBy('fromAt', 'desc')
    .limit(200)
    .execute();
  const [store] = row.drugstoreId === null ? [] : await getDrugstores(ctx.db, [row.drugstoreId]);
  // What the list has too stands in `supplier`.
  const {
    supplierName: _name,
    supplierType: _type,
    integration: _integration,
    coldChainCapable: _coldChain,
    dailyCapacity: _capacity,
    ...facts
  } = formOf(row);
  return {
    supplier: present(read, ctx),
    ...facts,
    drugstoreName: store?.name ?? null,
    hasSecret: row.secretCipher !== null,
    included: named(false),
    excluded: named(true),
    pauses: pauses.map(({ creatorName, ...pause }) => ({ ...pause, createdBy: creatorName, state: pauseOn(pause, ctx.now) })),
    trail: await trailOf(ctx.db, supplierRecords.type, id),
  };
});
