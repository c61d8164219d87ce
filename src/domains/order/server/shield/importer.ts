import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ImportFault, ParsedRow } from '#kernel/server/importing/importer.ts';
import { fault, textOf, textOrNull } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import { goodsNames } from '#domains/pharma/server/index.ts';
import { DEFAULT_DISPLAY, importedShield, importShieldGoods, SHIELD_IMPORTER } from '../../contract/calls/shield.ts';
import { orderErrors } from '../../contract/errors.ts';
import { orderPermissions } from '../../contract/permissions.ts';
import type { Channels } from '../channels.ts';
import { own } from '../database.ts';
import { overlap, requireFree, type Hiding } from './free.ts';
import { importedScope, knownScopes, scopeFault, type KnownScopes } from './importedScope.ts';

async function lookUp(db: Db | Tx, channels: Channels, rows: readonly ParsedRow[]) {
  const codes = rows.map((row) => textOf(row, 'goodsCode'));
  const stored = await own(db)
    .selectFrom('orderShield')
    .select(['id', 'version', 'goodsCode', 'scope', 'scopeValues', 'scopeWords', 'displayText', 'reason'])
    .select(['effectiveFrom', 'effectiveTo', 'enabled'])
    .where('goodsCode', 'in', ['', ...codes])
    .orderBy('id')
    .execute();
  return { scopes: await knownScopes(db, channels, rows), goods: await goodsNames(db, codes), stored };
}
type Known = Awaited<ReturnType<typeof lookUp>>;
type Stored = Known['stored'][number];

const valuesOf = (row: ParsedRow, { scopes }: { scopes: KnownScopes }) => ({
  ...importedScope(row, scopes),
  displayText: textOf(row, 'displayText') || DEFAULT_DISPLAY,
  reason: textOf(row, 'reason'),
  effectiveFrom: textOf(row, 'effectiveFrom'),
  effectiveTo: textOrNull(row, 'effectiveTo'),
});
const hidingOf = (row: ParsedRow, known: Known): Hiding => ({ goodsCode: textOf(row, 'goodsCode'), ...valuesOf(row, known) });

/** The row that says it already: the same goods, scope, values and first day. */
function match(row: ParsedRow, known: Known): Stored | undefined {
  const { goodsCode, scope, scopeValues, effectiveFrom } = hidingOf(row, known);
  const values = scopeValues.toSorted().join();
  return known.stored.find(
    (one) =>
      one.goodsCode === goodsCode &&
      one.scope === scope &&
      one.effectiveFrom === effectiveFrom &&
      one.scopeValues.toSorted().join() === values,
  );
}

/** Faults of the scopes, then of what would hide the same twice: with a row that is there, or an earlier row of the table. */
function faultsOf(rows: readonly ParsedRow[], known: Known): ImportFault[] {
  const faults: ImportFault[] = [];
  const earlier: { hiding: Hiding; rowNo: number }[] = [];
  for (const row of rows) {
    if (!known.goods.has(textOf(row, 'goodsCode'))) faults.push(fault(row, 'goodsCode', '商品编码不存在'));
    const wrong = scopeFault(row, known.scopes);
    if (wrong !== null) {
      faults.push(fault(row, 'scopeValues', wrong));
      continue;
    }
    const hiding = hidingOf(row, known);
    if (hiding.effectiveTo !== null && hiding.effectiveTo < hiding.effectiveFrom)
      faults.push(fault(row, 'effectiveTo', '失效日期不能早于生效日期'));
    const own = match(row, known);
    const taken = known.stored.some((one) => one.enabled && one.id !== own?.id && overlap(one, hiding));
    const twice = earlier.find((one) => overlap(one.hiding, hiding));
    if (taken) faults.push(fault(row, 'goodsCode', orderErrors.SHIELD_TAKEN.text));
    else if (twice) faults.push(fault(row, 'goodsCode', `与第${twice.rowNo}行的商品、范围与日期重叠`));
    earlier.push({ hiding, rowNo: row.rowNo });
  }
  return faults;
}

/** Hidden goods by code, scope and first day; a row that is there takes text, reason and last day of the table. */
export const shieldImporter = (channels: Channels): Importer =>
  upsertImporter<Known, Stored, ReturnType<typeof valuesOf>>({
    code: SHIELD_IMPORTER,
    label: '隐藏加购设置',
    call: importShieldGoods,
    templateVersion: '1',
    permission: orderPermissions['shield.edit'].code,
    maxRows: 5_000,
    allowValidOnly: true,
    columns: importColumns(importedShield.shape, [
      { key: 'goodsCode', example: 'SP100001' },
      'scope',
      {
        key: 'scopeValues',
        required: false,
        maxLength: 4_000,
        example: '南京市、杭州市',
        note: '产品填编码，城市填名称或行政区划代码，渠道填编号；多个用顿号分隔，范围为全部时不填',
      },
      { key: 'displayText', required: false, note: `不填为“${DEFAULT_DISPLAY}”` },
      { key: 'reason', example: '厂家要求线下购买' },
      'effectiveFrom',
      'effectiveTo',
    ]),
    lookUp: (db, rows) => lookUp(db, channels, rows),
    validate: faultsOf,
    match,
    facts: valuesOf,
    before: ({ scope, scopeWords, displayText, reason, effectiveFrom, effectiveTo, goodsCode }) => ({
      goodsCode,
      scope,
      scopeValues: scopeWords,
      displayText,
      reason,
      effectiveFrom,
      effectiveTo,
    }),
    same: (stored, values) =>
      stored.displayText === values.displayText && stored.reason === values.reason && stored.effectiveTo === values.effectiveTo,
    async insert(rows, known, { tx, now, staff }) {
      const made = rows.map(({ row, values }) => {
        const goodsCode = textOf(row, 'goodsCode');
        return { ...values, goodsCode, goodsName: known.goods.get(goodsCode) ?? goodsCode };
      });
      await requireFree(tx, made);
      const written = await own(tx)
        .insertInto('orderShield')
        .values(made.map((row) => ({ ...row, editorName: staff.displayName, ...createdColumns({ now, staff }) })))
        .returning('id')
        .execute();
      return written.map(({ id }) => id);
    },
    async update({ values: { displayText, reason, effectiveTo }, stored }, _known, { tx, now, staff }) {
      const { goodsCode, scope, scopeValues, effectiveFrom } = stored;
      if (stored.enabled) await requireFree(tx, [{ goodsCode, scope, scopeValues, effectiveFrom, effectiveTo }], stored.id);
      const { numUpdatedRows } = await own(tx)
        .updateTable('orderShield')
        .set((eb) => ({
          displayText,
          reason,
          effectiveTo,
          editorName: staff.displayName,
          version: eb('version', '+', 1),
          ...updatedColumns({ now, staff }),
        }))
        .where('id', '=', stored.id)
        .where('version', '=', stored.version)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  });
