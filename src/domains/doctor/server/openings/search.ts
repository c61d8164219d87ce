import { sql } from 'kysely';
import type { Db, Tx } from '#kernel/server/context.ts';
import { type ItemType, type careKinds, titles, type TitleCode } from '../../contract/dictionaries.ts';
import { own } from '../database.ts';
import { containsPattern } from '#kernel/server/database/search.ts';

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

export interface OpeningBrief {
  openingId: string;
  doctorId: string;
  itemId: string;
  itemName: string;
  itemType: ItemType;
  careKind: (typeof careKinds.codes)[number];
  priceFen: number;
  needSlot: boolean;
  state: string;
}

/** What one opening sells; null when there is none. */
export async function openingBrief(db: Db | Tx, openingId: string): Promise<OpeningBrief | null> {
  const { rows } = await sql<OpeningBrief>`
    select o.id as opening_id, o.doctor_id, o.item_id, i.name as item_name, i.item_type, i.care_kind, o.price_fen::int as price_fen,
      i.need_slot, o.state
      from doctor_service_opening o join doctor_service_item i on i.id = o.item_id where o.id = ${openingId}`.execute(db);
  return rows[0] ?? null;
}

export interface RoutableDoctor {
  doctorId: string;
  operatorId: string;
  doctorName: string;
  titleName: string;
  hospitalName: string;
  departmentName: string;
  openings: { openingId: string; name: string; serviceType: ItemType; priceFen: string; needSlot: boolean }[];
}
interface RouteWish {
  keyword?: string | undefined;
  department?: string | undefined;
  diseaseId?: string | undefined;
  adcode?: string | undefined;
}

const MOST_ROUTED = 20;
/** Doctors to whom a patient can be led now, with what they sell; best served first. */
export async function routableDoctors(db: Db, { keyword, department, diseaseId, adcode }: RouteWish): Promise<RoutableDoctor[]> {
  interface Row extends Omit<RoutableDoctor, 'titleName'> {
    titleCode: TitleCode | null;
  }
  const { rows } = await sql<Row>`
    select d.id as doctor_id, d.operator_id, d.name as doctor_name, d.title_code, coalesce(d.hospital_name, '') as hospital_name,
        coalesce(d.department_name, '') as department_name,
        jsonb_agg(
          jsonb_build_object(
            'openingId', o.id::text, 'name', i.name, 'serviceType', i.item_type, 'priceFen', o.price_fen::text, 'needSlot', i.need_slot
          ) order by o.price_fen,
          o.id
        ) as openings
      from doctor_doctor d
      join doctor_service_opening o on o.doctor_id = d.id and o.state = 'ON'
      join doctor_service_item i on i.id = o.item_id and i.state = 'ON'
      where d.practice_ok
        and d.accept_state = 'ON'
        and (
          ${keyword ?? null}::text is null
          or (d.name || ' ' || d.name_pinyin || ' ' || coalesce(d.hospital_name, '')) ilike ${containsPattern(keyword ?? '')}
        )
        and (${department ?? null}::text is null or d.department_name ilike ${containsPattern(department ?? '')})
        and (${diseaseId ?? null}::bigint is null or d.disease_ids @> array[${diseaseId ?? null}::bigint])
        and (${adcode ?? null}::text is null or d.adcode like ${`${(adcode ?? '').replace(/(00)+$/, '')}%`})
      group by d.id
      order by d.rating_bp desc nulls last, d.served_count desc, d.id limit ${MOST_ROUTED}`.execute(db);
  return rows.map(({ titleCode, ...row }) => ({ ...row, titleName: titleCode === null ? '' : titles.label(titleCode) }));
}
