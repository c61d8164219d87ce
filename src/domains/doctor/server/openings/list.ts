import { sql, type SelectQueryBuilder } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { from, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportServiceOpeningList, queryServiceOpeningList, type OpeningRow } from '../../contract/calls/openings.ts';
import { deviationBp, type Band } from '../../contract/rules/price.ts';
import { seesDoctor } from '../access.ts';
import { own, type DoctorTables } from '../database.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { getHospitals } from '#domains/institution/server/index.ts';

/** What lists of openings and of applies join: the opening, its item and its doctor. */
type OfOpening = DoctorTables & {
  o: DoctorTables['doctorServiceOpening'];
  i: DoctorTables['doctorServiceItem'];
  d: DoctorTables['doctorDoctor'];
};

/** Filters that both lists share. */
export const whose = {
  doctorName: (_eb: unknown, name: string) =>
    sql<boolean>`(d.name || ' ' || d.name_pinyin || ' ' || d.doctor_no) ilike ${containsPattern(name)}`,
  doctorId: 'd.id',
  hospitalId: 'd.hospitalId',
  itemId: 'i.id',
  careKind: 'i.careKind',
  itemType: 'i.itemType',
} as const;

/** Mean price of the openings of the item by doctors of the same title, over the aliases `o` and `d`. */
export const average = sql<
  number | null
>`(select round(avg(p.price_fen))::int from doctor_service_opening p join doctor_doctor e on e.id = p.doctor_id
  where p.item_id = o.item_id and p.state = 'ON' and e.title_code = d.title_code)`;

/** Names of the hospitals as they stand now, also of merged ones. */
export async function withHospitals<Row extends { hospitalId: string | null }>(
  db: Db,
  rows: readonly Row[],
): Promise<(Omit<Row, 'hospitalId'> & { hospitalName: string | null })[]> {
  const hospitals = new Map(
    (await getHospitals(db, [...new Set(rows.map(({ hospitalId }) => hospitalId).filter((id) => id !== null))])).map(({ id, name }) => [
      id,
      name,
    ]),
  );
  return rows.map(({ hospitalId, ...row }) => ({ ...row, hospitalName: hospitalId === null ? null : (hospitals.get(hospitalId) ?? null) }));
}

export const doctorColumns = [
  'o.doctorId',
  'd.doctorNo',
  'd.name as doctorName',
  'd.titleCode',
  'd.hospitalId',
  'i.id as itemId',
  'i.name as itemName',
  'i.itemType',
  'i.careKind',
] as const;

type Stored = Omit<OpeningRow, 'hospitalName' | 'deviationBp'> & { hospitalId: string | null };

export const openingColumns = (query: SelectQueryBuilder<OfOpening, 'o' | 'i' | 'd', object>) =>
  query
    .select(doctorColumns)
    .select(['o.id', 'o.dailyLimit', 'i.needSlot', 'o.slots', 'o.state', 'o.suspendReason', 'o.effectiveAt', 'o.updatedAt', 'o.version'])
    .select([
      sql<number>`o.price_fen::int`.as('priceFen'),
      sql<Band | null>`i.price_bands -> d.title_code`.as('band'),
      average.as('averageFen'),
      sql<
        OpeningRow['pendingApply']
      >`(select jsonb_build_object('id', a.id::text, 'applyNo', a.apply_no, 'kind', a.kind, 'toPriceFen', a.to_price_fen)
      from doctor_opening_apply a where a.opening_id = o.id and a.state = 'PENDING')`.as('pendingApply'),
    ])
    .$castTo<Stored>();

export const presentOpenings = async (db: Db, rows: readonly Stored[]): Promise<OpeningRow[]> =>
  (await withHospitals(db, rows)).map((row) => ({ ...row, deviationBp: deviationBp(row.priceFen, row.averageFen) }));

/** Openings, the newest first. */
export const openingList = listOf(queryServiceOpeningList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('doctorServiceOpening as o')
      .innerJoin('doctorServiceItem as i', 'i.id', 'o.itemId')
      .innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId')
      .where(seesDoctor(staff)),
  )
  .with({
    where: { ...whose, priceFrom: from('o.priceFen'), priceTo: upTo('o.priceFen'), state: 'o.state' },
    id: 'o.id',
    sorts: { priceFen: 'o.priceFen', updatedAt: 'o.updatedAt' },
    select: openingColumns,
    present: (rows, { db }) => presentOpenings(db, rows),
  });

export const openingExport = listExport(openingList, {
  call: exportServiceOpeningList,
  title: '服务开通',
  routeKey: 'doctorManagementService',
  columns: [
    'doctorNo',
    'doctorName',
    'titleCode',
    'hospitalName',
    'itemName',
    'itemType',
    'careKind',
    'priceFen',
    'band',
    'averageFen',
    'deviationBp',
    'dailyLimit',
    'state',
    'suspendReason',
    'effectiveAt',
    'updatedAt',
  ],
});
