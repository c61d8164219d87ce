import { refuseField } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import { productNames } from '#domains/insurance/server/index.ts';
import { shieldScopes, type ShieldScope } from '../../contract/dictionaries.ts';
import { isCity } from '../../contract/rules/city.ts';
import type { Channels } from '../channels.ts';

type Handle = Db | Tx;

/** What the values of a scope are called; a value that there is nothing of is left out. */
export async function namesOf(
  db: Handle,
  channels: Channels,
  scope: ShieldScope,
  values: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  switch (scope) {
    case 'ALL':
      return new Map();
    case 'PRODUCT':
      return productNames(db, values);
    case 'CHANNEL':
      return channels.names(
        db,
        values.filter((value) => /^[1-9]\d{0,17}$/.test(value)),
      );
    case 'REGION': {
      const known = await regionsOf(db, values);
      const cities = values.filter((value) => isCity(value) && known.get(value)?.retiredOn === null);
      return new Map(cities.map((value) => [value, regionText(known, value)]));
    }
  }
}

/** The values of a scope in words, in the order in which they were chosen. */
export const wordsOf = (scope: ShieldScope, names: readonly string[]): string =>
  scope === 'ALL' ? shieldScopes.label('ALL') : names.join('、');

const NOUN: Readonly<Record<ShieldScope, string>> = { ALL: '', PRODUCT: '产品', REGION: '城市', CHANNEL: '渠道' };

/** A scope as a row keeps it: each value once, with its words. @throws Refusal SCM90020 for a value that there is nothing of */
export async function scopeColumns(
  db: Handle,
  channels: Channels,
  { scope, scopeValues }: { scope: ShieldScope; scopeValues: readonly string[] },
) {
  const values = scope === 'ALL' ? [] : [...new Set(scopeValues)];
  const names = await namesOf(db, channels, scope, values);
  const unknown = scope === 'ALL' ? undefined : values.find((value) => !names.has(value));
  if (unknown !== undefined) throw refuseField('scopeValues', `${NOUN[scope]}${unknown}不存在，请重新选择`);
  return {
    scope,
    scopeValues: values,
    scopeWords: wordsOf(
      scope,
      values.map((value) => names.get(value) ?? value),
    ),
  };
}
