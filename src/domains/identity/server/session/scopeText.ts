import type { Db, Scope } from '#kernel/server/context.ts';
import { own } from '../database.ts';
import { namesOf, type IdentityHooks } from '../hooks.ts';

const unnamed = { insurer: '家保司', channel: '个渠道' } as const;

/** Writes data scopes in words; the names of all of them are read at once. */
export async function scopeTexts(db: Db, hooks: IdentityHooks, scopes: readonly Scope[]): Promise<string[]> {
  const adcodes = [...new Set(scopes.flatMap(({ region }) => region ?? []))];
  const regions = new Map(
    adcodes.length === 0
      ? []
      : (await own(db).selectFrom('identityRegion').select(['adcode', 'name']).where('adcode', 'in', adcodes).execute()).map(
          ({ adcode, name }) => [adcode, name] as const,
        ),
  );
  const named = async (dimension: 'insurer' | 'channel') => {
    const ids = scopes.flatMap((scope) => scope[dimension] ?? []);
    return namesOf(hooks, db, dimension, ids);
  };
  const names = { insurer: await named('insurer'), channel: await named('channel') };
  const list = (dimension: 'insurer' | 'channel', ids: readonly string[] | null) => {
    if (ids === null) return [];
    const known = ids.map((id) => names[dimension].get(id));
    return [known.length > 0 && known.every((name) => name !== undefined) ? known.join('、') : `${ids.length}${unnamed[dimension]}`];
  };
  return scopes.map((scope) => {
    const parts = [
      ...(scope.region === null ? [] : [scope.region.map((adcode) => regions.get(adcode) ?? adcode).join('、') || '无区域']),
      ...list('insurer', scope.insurer),
      ...list('channel', scope.channel),
      ...(scope.own ? ['仅本人'] : []),
    ];
    return parts.length === 0 ? '全部' : parts.join(' 且 ');
  });
}
