import { sql } from 'kysely';
import { plusDays } from '#kernel/contract/time.ts';
import { contains } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportProductLineList, queryProductLineList } from '../../contract/calls/lines.ts';
import { own } from '../database.ts';
import { lineColumns, presentLines, productLines } from './lineRows.ts';

export const lineList = listOf(queryProductLineList)
  .from(({ db }) => productLines(own(db)))
  .with({
    where: {
      companyId: 'l.companyId',
      name: contains('l.name'),
      therapyArea: contains('l.therapyArea'),
      state: 'l.state',
      expireWithin: (eb, days, { today }) =>
        eb.and([eb('l.endDate', '>=', today), eb('l.endDate', '<=', plusDays(today, days)), eb('l.state', '<>', 'STOPPED')]),
    },
    id: 'l.id',
    last: { of: 'l.state', groups: [['EXPIRED', 'STOPPED']] },
    sorts: {
      lineNo: 'l.lineNo',
      startDate: 'l.startDate',
      endDate: 'l.endDate',
      medicineCount: sql.ref('medicineCount'),
      agentCount: sql.ref('agentCount'),
    },
    bounded: 'product lines are some hundreds',
    select: (query, { today }) => lineColumns(query, today),
    present: (rows, { db, today }) => presentLines(db, rows, today),
  });

export const lineExport = listExport(lineList, {
  call: exportProductLineList,
  title: '药企产品线',
  routeKey: 'pharmaceuticalEnterprisesProductLine',
  columns: [
    'lineNo',
    'name',
    'companyName',
    'therapyArea',
    'diseases',
    'medicineCount',
    'agentCount',
    'startDate',
    'endDate',
    'ownerName',
    'state',
    'remark',
  ],
});
