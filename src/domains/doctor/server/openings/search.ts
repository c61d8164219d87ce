import { sql } from 'kysely';
import type { Db } from '../../../../kernel/server/context.ts';
import type { ItemType } from '../../contract/dictionaries.ts';
import { own } from '../database.ts';

interface OpeningSearch {
  /** Standard department code. */
  department?: string;
  diseaseId?: string;
  /** A province, city or district. */
  adcode?: string;
  itemType?: ItemType;
  limit?: number;
}

const MOST = 50;
/** `320500` stands for everything that starts with `3205`. */
const regionPrefix = (adcode: string) => adcode.replace(/(00)+$/, '');

/** Openings that a patient can buy now, of doctors who accept, best rated first. */
export async function searchOpenings(db: Db, { department, diseaseId, adcode, itemType, limit = MOST }: OpeningSearch) {
  let query = own(db)
    .selectFrom('doctorServiceOpening as o')
    .innerJoin('doctorServiceItem as i', 'i.id', 'o.itemId')
    .innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId')
    .select([
      'o.id as openingId',
      'o.doctorId',
      'd.name as doctorName',
      'd.titleCode',
      'd.hospitalId',
      'o.itemId',
      'i.name as itemName',
      'i.itemType',
      'i.careKind',
    ])
    .select(sql<number>`o.price_fen::int`.as('priceFen'))
    .where('o.state', '=', 'ON')
    .where('i.state', '=', 'ON')
    .where('d.practiceOk', '=', true)
    .where('d.acceptState', '=', 'ON');
  if (department) query = query.where('d.standardDeptCode', '=', department);
  if (diseaseId) query = query.where(sql<boolean>`d.disease_ids @> array[${diseaseId}]::bigint[]`);
  if (adcode) query = query.where('d.adcode', 'like', `${regionPrefix(adcode)}%`);
  if (itemType) query = query.where('i.itemType', '=', itemType);
  return query
    .orderBy(sql`d.rating_bp desc nulls last`)
    .orderBy('o.id')
    .limit(Math.min(limit, MOST))
    .execute();
}
