import { sql } from 'kysely';
import type { Db } from '../../../../kernel/server/context.ts';
import { getHospitals } from '../../../institution/server/index.ts';
import type { OpeningApplyRow, OpeningRow } from '../../contract/openingCalls.ts';
import { deviationBp, type Band } from '../../contract/rules/price.ts';
import type { applyQuery, openingQuery } from './find.ts';

interface Page {
  limit: number;
  offset: number;
}

/** Mean price of the openings of the item by doctors of the same title, over the aliases `o` and `d`. */
const average = sql<
  number | null
>`(select round(avg(p.price_fen))::int from doctor_service_opening p join doctor_doctor e on e.id = p.doctor_id
  where p.item_id = o.item_id and p.state = 'ON' and e.title_code = d.title_code)`;

/** Names of the hospitals as they stand now, also of merged ones. */
async function withHospitals<Row extends { hospitalId: string | null }>(
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

const DOCTOR = [
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

type StoredOpening = Omit<OpeningRow, 'hospitalName' | 'deviationBp'> & { hospitalId: string | null };

/** Openings, newest change first. */
export async function readOpenings(db: Db, query: ReturnType<typeof openingQuery>, page: Page): Promise<OpeningRow[]> {
  const rows = await query
    .select(DOCTOR)
    .select(['o.id', 'o.dailyLimit', 'i.needSlot', 'o.slots', 'o.state', 'o.suspendReason', 'o.effectiveAt', 'o.updatedAt', 'o.version'])
    .select([
      sql<number>`o.price_fen::int`.as('priceFen'),
      sql<Band | null>`i.price_bands -> d.title_code`.as('band'),
      average.as('averageFen'),
    ])
    .select(
      sql<
        OpeningRow['pendingApply']
      >`(select jsonb_build_object('id', a.id::text, 'applyNo', a.apply_no, 'kind', a.kind, 'toPriceFen', a.to_price_fen)
      from doctor_opening_apply a where a.opening_id = o.id and a.state = 'PENDING')`.as('pendingApply'),
    )
    .orderBy('o.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .$castTo<StoredOpening>()
    .execute();
  return (await withHospitals(db, rows)).map((row) => ({ ...row, deviationBp: deviationBp(row.priceFen, row.averageFen) }));
}

type StoredApply = Omit<OpeningApplyRow, 'hospitalName' | 'deviationBp' | 'own'> & { hospitalId: string | null; applicantId: string };

/** Applies, newest first; the deviation is from the former price, of a new opening from the default of the band. */
export async function readApplies(db: Db, query: ReturnType<typeof applyQuery>, userId: string, page: Page): Promise<OpeningApplyRow[]> {
  const rows = await query
    .select(DOCTOR)
    .select([
      'a.id',
      'a.applyNo',
      'a.openingId',
      'o.state as openingState',
      'a.kind',
      'a.bandSnapshot as band',
      'a.reason',
      'a.applicantType',
      'a.applicantId',
      'a.applicantName',
      'a.state',
      'a.auditorName',
      'a.opinion',
      'a.decidedAt',
      'a.createdAt',
      'a.version',
    ])
    .select([
      sql<number | null>`a.from_price_fen::int`.as('fromPriceFen'),
      sql<number>`a.to_price_fen::int`.as('toPriceFen'),
      average.as('averageFen'),
    ])
    .orderBy('a.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .$castTo<StoredApply>()
    .execute();
  return (await withHospitals(db, rows)).map(({ applicantId, ...row }) => ({
    ...row,
    own: row.applicantType === 'STAFF' && applicantId === userId,
    deviationBp: deviationBp(row.toPriceFen, row.fromPriceFen ?? row.band?.defaultFen ?? null),
  }));
}
