import { sql, type SelectQueryBuilder } from 'kysely';
import type { Db } from '../../../../kernel/server/context.ts';
import { from, upTo } from '../../../../kernel/server/list/conditions.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportServiceOpeningList, queryServiceOpeningList, type OpeningRow } from '../../contract/openingCalls.ts';
import { deviationBp, type Band } from '../../contract/rules/price.ts';
import { seesDoctor } from '../access.ts';
import { own } from '../database.ts';
import { average, doctorColumns, whose, withHospitals, type OfOpening } from './rows.ts';

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
