import { containsPattern } from '../../../../kernel/server/database/search.ts';
import { sql } from 'kysely';
import type { Db } from '../../../../kernel/server/context.ts';
import { getHospitals } from '../../../institution/server/index.ts';
import { type DoctorTables } from '../database.ts';

/** What lists of openings and of applies join: the opening, its item and its doctor. */
export type OfOpening = DoctorTables & {
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
