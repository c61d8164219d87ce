import { containsPattern } from '#kernel/server/database/search.ts';
import { sql } from 'kysely';
import { from, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportOpeningApplyList, queryOpeningApplyList, type OpeningApplyRow } from '../../../contract/calls/openings.ts';
import { deviationBp } from '../../../contract/rules/price.ts';
import { seesDoctor } from '../../access.ts';
import { own } from '../../database.ts';
import { average, doctorColumns, whose, withHospitals } from '../list.ts';

type Stored = Omit<OpeningApplyRow, 'hospitalName' | 'deviationBp' | 'own'> & { hospitalId: string | null; applicantId: string };

/** Applies, the newest first; the deviation is from the former price, of a new opening from the default of the band. */
export const openingApplyList = listOf(queryOpeningApplyList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('doctorOpeningApply as a')
      .innerJoin('doctorServiceOpening as o', 'o.id', 'a.openingId')
      .innerJoin('doctorServiceItem as i', 'i.id', 'o.itemId')
      .innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId')
      .where(seesDoctor(staff)),
  )
  .with({
    where: {
      ...whose,
      // The price is the one asked for.
      priceFrom: from('a.toPriceFen'),
      priceTo: upTo('a.toPriceFen'),
      applyNo: (eb, applyNo) => eb('a.applyNo', 'like', containsPattern(applyNo.toUpperCase())),
      kind: 'a.kind',
      state: 'a.state',
      openingId: 'a.openingId',
      createdFrom: from('a.createdAt'),
      createdTo: upTo('a.createdAt'),
    },
    id: 'a.id',
    sorts: { applyNo: 'a.applyNo', createdAt: 'a.createdAt' },
    select: (query) =>
      query
        .select(doctorColumns)
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
        .$castTo<Stored>(),
    present: async (rows, { db, staff }) =>
      (await withHospitals(db, rows)).map(({ applicantId, ...row }) => ({
        ...row,
        own: row.applicantType === 'STAFF' && applicantId === staff.userId,
        deviationBp: deviationBp(row.toPriceFen, row.fromPriceFen ?? row.band?.defaultFen ?? null),
      })),
  });

export const openingApplyExport = listExport(openingApplyList, {
  call: exportOpeningApplyList,
  title: '服务开通申请',
  routeKey: 'doctorManagementService',
  columns: [
    'applyNo',
    'doctorNo',
    'doctorName',
    'titleCode',
    'hospitalName',
    'itemName',
    'careKind',
    'kind',
    'fromPriceFen',
    'toPriceFen',
    'band',
    'deviationBp',
    'averageFen',
    'reason',
    'applicantType',
    'applicantName',
    'createdAt',
    'state',
    'auditorName',
    'decidedAt',
    'opinion',
  ],
});
