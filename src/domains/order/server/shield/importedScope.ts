import type { Db, Tx } from '#kernel/server/context.ts';
import { codeOf, textOf } from '#kernel/server/importing/rows.ts';
import type { ParsedRow } from '#kernel/server/importing/importer.ts';
import { allRegions, isBetween } from '#domains/identity/server/index.ts';
import { productNames } from '#domains/insurance/server/index.ts';
import { shieldScopes, type ShieldScope } from '../../contract/dictionaries.ts';
import { isCity } from '../../contract/rules/city.ts';
import type { Channels } from '../channels.ts';
import { wordsOf } from './scope.ts';

type Row = Pick<ParsedRow, 'record'>;

/** What a cell of several values says, each once. */
const tokensOf = (row: Row): string[] => [
  ...new Set(
    textOf(row, 'scopeValues')
      .split(/[、，,;；\s]+/)
      .filter((token) => token !== ''),
  ),
];
const scopeOf = (row: Row): ShieldScope => codeOf(row, 'scope', shieldScopes);

/** What words of a table mean, by scope: value and name of each. */
export type KnownScopes = Readonly<Record<ShieldScope, ReadonlyMap<string, { value: string; name: string }>>>;

/** Cities by code and by name: 江苏省南京市 and 南京市. */
async function citiesOf(db: Db | Tx): Promise<KnownScopes['REGION']> {
  const regions = await allRegions(db);
  const nameOf = new Map(regions.map(({ adcode, name }) => [adcode, name]));
  const found = new Map<string, { value: string; name: string }>();
  for (const { adcode, name, retiredOn } of regions) {
    if (!isCity(adcode) || retiredOn !== null || isBetween(name)) continue;
    const province = nameOf.get(`${adcode.slice(0, 2)}0000`) ?? '';
    const whole = province === name ? name : `${province}${name}`;
    for (const word of [adcode, name, whole]) found.set(word, { value: adcode, name: whole });
  }
  return found;
}

/** Products by code, cities by code or name, channels by number: those that some rows name. */
export async function knownScopes(db: Db | Tx, channels: Channels, rows: readonly Row[]): Promise<KnownScopes> {
  const wordsIn = (scope: ShieldScope) => [
    ...new Set(rows.filter((row) => textOf(row, 'scope') === scope).flatMap((row) => tokensOf(row))),
  ];
  const [products, cities, numbers] = [wordsIn('PRODUCT'), wordsIn('REGION'), wordsIn('CHANNEL')];
  const named = await productNames(db, products);
  const found = await channels.byNo(db, numbers);
  return {
    ALL: new Map(),
    PRODUCT: new Map([...named].map(([value, name]) => [value, { value, name }])),
    REGION: cities.length === 0 ? new Map() : await citiesOf(db),
    CHANNEL: new Map([...found].map(([no, { id, name }]) => [no, { value: id, name }])),
  };
}

/** Why the values of a row are wrong; null: they are right. */
export function scopeFault(row: Row, known: KnownScopes): string | null {
  const scope = scopeOf(row);
  const tokens = tokensOf(row);
  if (scope === 'ALL') return tokens.length === 0 ? null : '范围为全部时不填范围值';
  if (tokens.length === 0) return '请填写范围值';
  if (tokens.length > 200) return '范围值最多200个';
  const unknown = tokens.find((token) => !known[scope].has(token));
  return unknown === undefined ? null : `${shieldScopes.label(scope).replace('指定', '')}${unknown}不存在`;
}

/** The scope of a row as it is stored. */
export function importedScope(row: Row, known: KnownScopes) {
  const scope = scopeOf(row);
  const values = scope === 'ALL' ? [] : tokensOf(row).flatMap((token) => known[scope].get(token) ?? []);
  return {
    scope,
    scopeValues: [...new Set(values.map(({ value }) => value))],
    scopeWords: wordsOf(scope, [...new Set(values.map(({ name }) => name))]),
  };
}
