import { containsPattern } from '../../../../kernel/server/database/search.ts';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import { own } from '../database.ts';

interface Wish {
  keyword?: string | undefined;
  ids?: readonly string[] | undefined;
  limit: number;
}

/** Drugstores for a picker of another domain; asked by id, also those that are closed. */
export async function storeOptions(db: Db | Tx, { keyword, ids, limit }: Wish): Promise<{ value: string; label: string }[]> {
  let query = own(db).selectFrom('institutionDrugstore as s').select(['s.id as value', 's.name as label']);
  query = ids ? query.where('s.id', 'in', [...ids]) : query.where('s.state', '=', 'OPEN');
  if (keyword)
    query = query.where((eb) =>
      eb.or([eb('s.name', 'ilike', containsPattern(keyword)), eb('s.storeNo', 'ilike', containsPattern(keyword))]),
    );
  return query.orderBy('s.id').limit(limit).execute();
}
