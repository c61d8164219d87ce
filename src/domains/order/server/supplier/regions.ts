import { refuseField } from '#kernel/contract/errors.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { command } from '#kernel/server/handler.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import { modifySupplierRegions } from '../../contract/calls/supplierGoods.ts';
import { supplierRecords, type SupplierRecord } from '../access.ts';
import { own } from '../database.ts';
import { editorOf, type Writer } from './facts.ts';

interface Regions {
  included: readonly string[];
  excluded: readonly string[];
}
/** Provinces and cities that a region lies in, and itself. */
const around = (adcode: string): string[] => [`${adcode.slice(0, 2)}0000`, `${adcode.slice(0, 4)}00`, adcode];

/** Where a supplier, locked by the caller, delivers from now on. @throws Refusal SCM90020 */
export async function writeRegions(
  ctx: Writer,
  row: Pick<SupplierRecord, 'id' | 'supplierCode'>,
  wish: Regions,
): Promise<{ id: string; version: number }> {
  const included = [...new Set(wish.included)];
  const excluded = [...new Set(wish.excluded)];
  const known = await regionsOf(ctx.tx, [...included, ...excluded]);
  const lacks = (adcode: string) => known.get(adcode)?.retiredOn !== null;
  const unknown = included.find(lacks);
  if (unknown !== undefined) throw refuseField('included', `地区${unknown}不存在，请重新选择`);
  const unknownOut = excluded.find(lacks);
  if (unknownOut !== undefined) throw refuseField('excluded', `地区${unknownOut}不存在，请重新选择`);
  const outside = excluded.find((adcode) => included.includes(adcode) || !around(adcode).some((code) => included.includes(code)));
  if (outside !== undefined) throw refuseField('excluded', `${regionText(known, outside)}不在覆盖地区之内，不需要排除`);
  await own(ctx.tx).deleteFrom('orderSupplierRegion').where('supplierId', '=', row.id).execute();
  const rows = [
    ...included.map((adcode) => ({ supplierId: row.id, adcode, excluded: false })),
    ...excluded.map((adcode) => ({ supplierId: row.id, adcode, excluded: true })),
  ];
  if (rows.length > 0) await own(ctx.tx).insertInto('orderSupplierRegion').values(rows).execute();
  ctx.target({ type: supplierRecords.type, id: row.id, no: row.supplierCode });
  return own(ctx.tx)
    .updateTable('orderSupplier')
    .set((eb) => ({ editorName: editorOf(ctx), version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', row.id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
}

export const modifyRegions = command(modifySupplierRegions, async ({ supplierId, version, ...wish }, ctx) => {
  const row = await supplierRecords.lockVersion(ctx, supplierId, version, async () => {
    const stored = await own(ctx.tx)
      .selectFrom('orderSupplierRegion')
      .select(['adcode', 'excluded'])
      .where('supplierId', '=', supplierId)
      .orderBy('adcode')
      .execute();
    const of = (isOut: boolean) => stored.filter(({ excluded }) => excluded === isOut).map(({ adcode }) => adcode);
    return { included: of(false), excluded: of(true) };
  });
  return writeRegions(ctx, row, wish);
});
