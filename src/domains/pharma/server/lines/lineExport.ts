import { dayOf } from '../../../../kernel/contract/time.ts';
import { chunksById } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { exportProductLineList } from '../../contract/calls/lines.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { lineMachine } from '../../contract/states.ts';
import { lineLabels } from '../../contract/labels.ts';
import { pharmaDb } from '../database.ts';
import { lineRows, matchingLines, presentLines } from './lineRows.ts';

export const lineExport = exportSource({
  call: exportProductLineList,
  title: '药企产品线',
  routeKey: 'pharmaceuticalEnterprisesProductLine',
  permission: pharmaPermissions['line.export'].code,
  count: ({ db, filter, now }) => totalUpTo(db, matchingLines(pharmaDb(db), filter, dayOf(now))),
  chunks: ({ db, filter, now }) =>
    chunksById(async (after, limit) => {
      const own = pharmaDb(db);
      const today = dayOf(now);
      const rows = await lineRows(own, today)
        .where('l.id', 'in', matchingLines(own, filter, today))
        .where('l.id', '>', after)
        .orderBy('l.id')
        .limit(limit)
        .execute();
      return presentLines(db, rows, today);
    }),
  columns: [
    { key: 'lineNo', label: '产品线编号', value: (row) => row.lineNo, width: 20 },
    { key: 'name', label: '产品线', value: (row) => row.name, width: 24 },
    { key: 'companyName', label: '药企', value: (row) => row.companyName, width: 24 },
    { key: 'therapyArea', label: lineLabels.therapyArea, value: (row) => row.therapyArea },
    {
      key: 'diseases',
      label: lineLabels.diseases,
      value: (row) => row.diseases.map((disease) => disease.diseaseName).join('、'),
      width: 24,
    },
    { key: 'medicineCount', label: '药品数', kind: 'int', value: (row) => row.medicineCount },
    { key: 'agentCount', label: '代表数', kind: 'int', value: (row) => row.agentCount },
    { key: 'startDate', label: lineLabels.startDate, kind: 'day', value: (row) => row.startDate },
    { key: 'endDate', label: lineLabels.endDate, kind: 'day', value: (row) => row.endDate },
    { key: 'ownerName', label: lineLabels.ownerName, value: (row) => row.ownerName },
    { key: 'state', label: '状态', dictionary: lineMachine.dictionary, value: (row) => row.state },
    { key: 'remark', label: lineLabels.remark, value: (row) => row.remark, width: 30 },
  ],
});
