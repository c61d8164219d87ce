import type { Db } from '#kernel/server/context.ts';
import { storesSeen, type Seer } from '../access.ts';
import { own } from '../database.ts';
import { diceBp, grams } from '../rules/normName.ts';

const ALIKE_BP = 7_000;
const signs = (address: string) => grams(address.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, ''));

/**
 * A place for each store without one: that of the institution in the same district whose address is most alike.
 * Proposals only; somebody confirms each.
 */
export async function proposePlaces(db: Db, seer: Seer, ids: readonly string[]) {
  const tables = own(db);
  const stores = await storesSeen(tables, seer)
    .select(['s.id', 's.storeNo', 's.name', 's.address', 's.adcode', 's.version', 's.lngE6', 's.latE6'])
    .where('s.id', 'in', [...ids])
    .where('s.state', '<>', 'CLOSED')
    .orderBy('s.id')
    .execute();
  const districts = [...new Set(stores.map(({ adcode }) => adcode))];
  if (districts.length === 0) return [];
  const hospitals = await tables
    .selectFrom('institutionHospital')
    .select(['name', 'address', 'adcode', 'lngE6', 'latE6'])
    .where('adcode', 'in', districts)
    .where('lngE6', 'is not', null)
    .where('state', '<>', 'MERGED')
    .execute();
  const shops = await tables
    .selectFrom('institutionDrugstore')
    .select(['name', 'address', 'adcode', 'lngE6', 'latE6'])
    .where('adcode', 'in', districts)
    .where('lngE6', 'is not', null)
    .execute();
  const known = [...hospitals, ...shops]
    .filter(({ address }) => address !== '')
    .map((place) => ({ ...place, signs: signs(place.address) }));
  return stores.map((store) => {
    const { adcode, lngE6, latE6, ...rest } = store;
    if (lngE6 !== null) return { ...rest, lngE6, latE6, from: '已有坐标' };
    const here = signs(store.address);
    const best = known
      .filter((place) => place.adcode === adcode)
      .map((place) => ({ place, alike: diceBp(here, place.signs) }))
      .filter(({ alike }) => alike >= ALIKE_BP)
      .toSorted((a, b) => b.alike - a.alike)[0];
    return best
      ? { ...rest, lngE6: best.place.lngE6, latE6: best.place.latE6, from: `参考${best.place.name}（${best.place.address}）` }
      : { ...rest, lngE6: null, latE6: null, from: '未找到，请在编辑中选择位置' };
  });
}
