import { sql } from 'kysely';
import { type Day, type Instant, plusDays, dayOf } from '#kernel/contract/time.ts';
import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Capability, StoreTag } from '../contract/dictionaries.ts';
import { isOpenAt, type Span, type WeekHours } from '../contract/opening.ts';
import { everyone, hospitalsSeen, type Seer } from './access.ts';
import { submitApply, type Applicant, type ApplyPayload } from './applies/submit.ts';
import { own } from './database.ts';
import { requirePlace } from './regions.ts';
import { normName } from './rules/normName.ts';
import { distanceSql, nearOf, storeList } from './stores/list.ts';

export interface HospitalBrief {
  /** The id that was asked for. */
  id: string;
  /** The hospital that it stands for now; another one after a merge. */
  hospitalId: string;
  hospitalNo: string;
  name: string;
  level: string;
  levelRank: number;
  kind: string;
  /** PUBLIC, PRIVATE or MILITARY. */
  ownership: string;
  adcode: string;
  cityAdcode: string;
  state: string;
}

/** Hospitals by id; a merged one is answered as its survivor. Unknown ids are left out. */
export async function getHospitals(db: Db | Tx, ids: readonly string[]): Promise<HospitalBrief[]> {
  if (ids.length === 0) return [];
  return own(db)
    .selectFrom('institutionHospital as a')
    .innerJoin('institutionHospital as h', (join) => join.on(sql<boolean>`h.id = coalesce(a.merged_into_id, a.id)`))
    .select([
      'a.id',
      'h.id as hospitalId',
      'h.hospitalNo',
      'h.name',
      'h.level',
      'h.levelRank',
      'h.kind',
      'h.ownership',
      'h.adcode',
      'h.cityAdcode',
      'h.state',
    ])
    .where('a.id', 'in', [...ids])
    .execute();
}
/** Of these hospitals those that are there (merged ones too) and that somebody sees. */
export async function seenHospitals(db: Db | Tx, seer: Seer, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await hospitalsSeen(own(db), seer)
    .select('h.id')
    .where('h.id', 'in', [...ids])
    .execute();
  return rows.map(({ id }) => id);
}
export const getHospital = async (db: Db | Tx, id: string): Promise<HospitalBrief | null> => (await getHospitals(db, [id]))[0] ?? null;

/** Whether a written name means this hospital: its own name or one of its other names, after normalisation. */
export async function hospitalNameMatches(db: Db | Tx, hospitalId: string, name: string): Promise<boolean> {
  const hospital = await getHospital(db, hospitalId);
  if (!hospital) return false;
  const norm = normName(name, await requirePlace(db, hospital.adcode));
  const { rows } = await sql`
    select 1 from institution_hospital where id = ${hospital.hospitalId} and norm_name = ${norm}
    union all select 1 from institution_hospital_alias where hospital_id = ${hospital.hospitalId} and norm_name = ${norm}`.execute(db);
  return rows.length > 0;
}

/** Files a request for a new hospital on behalf of a doctor or representative. */
export const requestHospital = (
  kernel: Kernel,
  ctx: CommandContext,
  facts: ApplyPayload,
  applicant: Applicant,
  evidenceFileIds: readonly string[] = [],
) => submitApply(ctx, kernel, { applyType: 'CREATE', hospitalId: null, payload: facts, evidenceFileIds, reason: '' }, applicant);

/** A request for a new hospital: where it stands and, once decided in favour, the hospital that it became. */
export async function getHospitalApply(
  db: Db | Tx,
  id: string,
): Promise<{ id: string; name: string; adcode: string | null; state: string; resultHospitalId: string | null } | null> {
  const row = await own(db)
    .selectFrom('institutionHospitalApply')
    .select(['id', 'name', 'adcode', 'state', 'resultHospitalId'])
    .where('id', '=', id)
    .where('applyType', '=', 'CREATE')
    .executeTakeFirst();
  return row ?? null;
}

/** A department with its hospital; null when unknown. A department that was mapped to another is answered as that one. */
export async function getDepartment(db: Db | Tx, id: string) {
  const row = await own(db)
    .selectFrom('institutionDepartment as a')
    .innerJoin('institutionDepartment as d', (join) => join.on(sql<boolean>`d.id = coalesce(a.merged_into_id, a.id)`))
    .select(['d.id', 'd.hospitalId', 'd.name', 'd.standardDeptCode', 'd.state'])
    .where('a.id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Names of departments by the ids that were asked for; a merged one has the survivor's name. */
export async function getDepartmentNames(db: Db | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('institutionDepartment as a')
    .innerJoin('institutionDepartment as d', (join) => join.on(sql<boolean>`d.id = coalesce(a.merged_into_id, a.id)`))
    .select(['a.id', 'd.name'])
    .where('a.id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const storeColumns = [
  's.id',
  's.storeNo',
  's.name',
  's.chainId',
  's.storeTags',
  's.capabilities',
  's.adcode',
  's.address',
  's.lngE6',
  's.latE6',
  's.phone',
  's.state',
  's.nextExpireOn',
  's.deliveryRadiusM',
  's.deliveryFeeFen',
  's.freeOverFen',
] as const;
export const getDrugstores = (db: Db | Tx, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : own(db)
        .selectFrom('institutionDrugstore as s')
        .select(storeColumns)
        .where('s.id', 'in', [...ids])
        .execute();
/** @public */
export const getDrugstore = async (db: Db | Tx, id: string) => (await getDrugstores(db, [id]))[0] ?? null;

/** Names of chains, for identity's machine callers. */
export const chainNames = async (db: Db | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  new Map((await getChains(db, ids)).map(({ id, name }) => [id, name]));

const getChains = (db: Db | Tx, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : own(db)
        .selectFrom('institutionChain')
        .select(['id', 'chainNo', 'name', 'uscc', 'state'])
        .where('id', 'in', [...ids])
        .execute();

/** Price in force on a day, in fen; null when the store does not list the goods. @public */
export async function storePrice(
  db: Db | Tx,
  storeId: string,
  goodsCode: string,
  on: Day,
): Promise<{ priceFen: string; inStock: boolean } | null> {
  const row = await own(db)
    .selectFrom('institutionStoreGoods')
    .select(['priceFen', 'inStock'])
    .where('storeId', '=', storeId)
    .where('goodsCode', '=', goodsCode)
    .where('effectiveFrom', '<=', on)
    .orderBy('effectiveFrom', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

export interface StoreWish {
  near: { lngE6: number; latE6: number; radiusM: number };
  tags?: readonly StoreTag[];
  capabilities?: readonly Capability[];
  openAt?: Instant;
  goodsCode?: string;
}
/** Open stores within the radius that fit, nearest first, then by number. */
export async function findDrugstores(db: Db | Tx, wish: StoreWish, now: Instant) {
  const filter = {
    nearLngE6: wish.near.lngE6,
    nearLatE6: wish.near.latE6,
    radiusM: wish.near.radiusM,
    storeTags: wish.tags && [...wish.tags],
    capabilities: wish.capabilities && [...wish.capabilities],
    openAt: wish.openAt,
    goodsCode: wish.goodsCode,
    state: ['OPEN' as const],
  };
  const rows = await storeList.matching({ db, staff: everyone, now, today: dayOf(now), filter, has: () => true });
  return rows
    .select([...storeColumns, distanceSql(nearOf(filter)!).as('distanceM')])
    .orderBy('distanceM')
    .orderBy('s.storeNo')
    .execute();
}

/** R4 for one store. */
export async function isOpen(db: Db | Tx, storeId: string, at: Instant): Promise<boolean> {
  const tables = own(db);
  const store = await tables.selectFrom('institutionDrugstore').select(['state', 'weekHours']).where('id', '=', storeId).executeTakeFirst();
  if (store?.state !== 'OPEN') return false;
  const holidays = await tables
    .selectFrom('institutionStoreHoliday')
    .select(['day', 'spans'])
    .where('storeId', '=', storeId)
    .where('day', 'in', [dayOf(at), plusDays(dayOf(at), -1)])
    .execute();
  return isOpenAt(
    at,
    store.weekHours as WeekHours,
    holidays.map(({ day, spans }) => ({ day, spans: spans as Span[] })),
  );
}

/**
 * Enabled hospitals by number or written name (own name or another one of theirs), with their departments; for imports. A name that
 * several hospitals bear is answered with all of them.
 */
export async function findHospitalsNamed(
  db: Db | Tx,
  written: readonly string[],
): Promise<{ written: string; hospitalId: string; name: string; departments: { id: string; name: string }[] }[]> {
  if (written.length === 0) return [];
  const { rows } = await sql<{ written: string; hospitalId: string; name: string; departments: { id: string; name: string }[] }>`
    with asked as (select distinct unnest(${[...written]}::text[]) as written),
    found as (
      select a.written, h.id
        from asked a
        join institution_hospital h on h.name = a.written or h.hospital_no = a.written
        where h.state = 'ENABLED'
      union
      select a.written, h.id
        from asked a
        join institution_hospital_alias l on l.name = a.written
        join institution_hospital h on h.id = l.hospital_id
        where h.state = 'ENABLED'
    )
    select f.written, h.id::text as hospital_id, h.name,
        coalesce((
          select jsonb_agg(jsonb_build_object('id', d.id::text, 'name', d.name) order by d.sort, d.id)
            from institution_department d
            where d.hospital_id = h.id and d.state = 'ENABLED'
        ), '[]') as departments
      from found f
      join institution_hospital h on h.id = f.id
      order by f.written, h.id`.execute(db);
  return rows;
}
