import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { queryOpeningApplyList, queryServiceOpeningList } from '../../contract/openingCalls.ts';
import { seesDoctor, type Viewer } from '../access.ts';
import { like, own } from '../database.ts';

type Shared = Pick<
  CheckedInputOf<typeof queryServiceOpeningList>,
  'doctorName' | 'doctorId' | 'hospitalId' | 'itemId' | 'careKind' | 'itemType'
>;
export type OpeningFilter = Omit<CheckedInputOf<typeof queryServiceOpeningList>, 'pageNo' | 'pageSize'> & { id?: string };
export type ApplyFilter = Omit<CheckedInputOf<typeof queryOpeningApplyList>, 'pageNo' | 'pageSize'>;

/** Conditions that openings and applies share, over the aliases `d` and `i`. */
function sharedConditions({ doctorName, doctorId, hospitalId, itemId, careKind, itemType }: Shared, viewer: Viewer) {
  return [
    seesDoctor(viewer),
    ...(doctorName ? [sql<boolean>`(d.name || ' ' || d.name_pinyin || ' ' || d.doctor_no) ilike ${like(doctorName)}`] : []),
    ...(doctorId ? [sql<boolean>`d.id = ${doctorId}`] : []),
    ...(hospitalId ? [sql<boolean>`d.hospital_id = ${hospitalId}`] : []),
    ...(itemId ? [sql<boolean>`i.id = ${itemId}`] : []),
    ...(careKind ? [sql<boolean>`i.care_kind = ${careKind}`] : []),
    ...(itemType ? [sql<boolean>`i.item_type = any(${[...itemType]}::text[])`] : []),
  ];
}

export function openingQuery(db: Db, viewer: Viewer, filter: OpeningFilter) {
  let query = own(db)
    .selectFrom('doctorServiceOpening as o')
    .innerJoin('doctorServiceItem as i', 'i.id', 'o.itemId')
    .innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId')
    .where((eb) => eb.and(sharedConditions(filter, viewer)));
  const { id, priceFrom, priceTo, state } = filter;
  if (id) query = query.where('o.id', '=', id);
  if (priceFrom !== undefined) query = query.where('o.priceFen', '>=', String(priceFrom));
  if (priceTo !== undefined) query = query.where('o.priceFen', '<=', String(priceTo));
  if (state) query = query.where('o.state', 'in', state);
  return query;
}

/** The price is the one asked for. */
export function applyQuery(db: Db, viewer: Viewer, filter: ApplyFilter) {
  let query = own(db)
    .selectFrom('doctorOpeningApply as a')
    .innerJoin('doctorServiceOpening as o', 'o.id', 'a.openingId')
    .innerJoin('doctorServiceItem as i', 'i.id', 'o.itemId')
    .innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId')
    .where((eb) => eb.and(sharedConditions(filter, viewer)));
  const { applyNo, openingId, kind, priceFrom, priceTo, state, createdFrom, createdTo } = filter;
  if (applyNo) query = query.where('a.applyNo', 'like', like(applyNo.toUpperCase()));
  if (openingId) query = query.where('a.openingId', '=', openingId);
  if (kind) query = query.where('a.kind', '=', kind);
  if (priceFrom !== undefined) query = query.where('a.toPriceFen', '>=', String(priceFrom));
  if (priceTo !== undefined) query = query.where('a.toPriceFen', '<=', String(priceTo));
  if (state) query = query.where('a.state', 'in', state);
  if (createdFrom) query = query.where('a.createdAt', '>=', createdFrom);
  if (createdTo) query = query.where('a.createdAt', '<=', createdTo);
  return query;
}
