import { chunksById } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import { exportAdverseReportList } from '../../contract/calls/adverse.ts';
import { seriousnessLevels } from '../../contract/dictionaries.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { adverseMachine } from '../../contract/states.ts';
import { pharmaDb } from '../database.ts';
import { describe, matchingReports, presentReport, reportRows } from './adverseRows.ts';

export const adverseExport = (secrets: Secrets) =>
  exportSource({
    call: exportAdverseReportList,
    title: '不良反应报告',
    routeKey: 'pharmaceuticalEnterprises',
    permission: pharmaPermissions['pv.export'].code,
    count: ({ db, filter, now }) => totalUpTo(db, matchingReports(pharmaDb(db), filter, now)),
    chunks: ({ db, filter, now }) =>
      chunksById(async (after, limit) => {
        const own = pharmaDb(db);
        const rows = await reportRows(own)
          .where('r.id', 'in', matchingReports(own, filter, now))
          .where('r.id', '>', after)
          .orderBy('r.id')
          .limit(limit)
          .execute();
        return rows.map((row) => ({ ...presentReport(row, now), plain: describe(secrets, row) }));
      }),
    columns: [
      { key: 'reportNo', label: '报告编号', value: (row) => row.reportNo, width: 20 },
      { key: 'genericName', label: '药品', value: (row) => row.genericName, width: 24 },
      { key: 'companyName', label: '上市许可持有人', value: (row) => row.companyName, width: 30 },
      { key: 'seriousness', label: '严重程度', dictionary: seriousnessLevels, value: (row) => row.seriousness },
      { key: 'isNew', label: '新的不良反应', kind: 'flag', value: (row) => row.isNew },
      { key: 'description', label: '描述', sensitive: 'medical', value: (row) => row.plain, width: 40 },
      { key: 'occurredOn', label: '发生日期', kind: 'day', value: (row) => row.occurredOn },
      { key: 'receivedAt', label: '收到时间', kind: 'instant', value: (row) => row.receivedAt, width: 20 },
      { key: 'dueAt', label: '转报期限', kind: 'instant', value: (row) => row.dueAt, width: 20 },
      { key: 'forwardedAt', label: '转报时间', kind: 'instant', value: (row) => row.forwardedAt, width: 20 },
      { key: 'companyReceiptNo', label: '回执编号', value: (row) => row.companyReceiptNo },
      { key: 'state', label: '状态', dictionary: adverseMachine.dictionary, value: (row) => row.state },
    ],
  });
