import { sql } from 'kysely';
import { containsText } from '#kernel/server/database/search.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { exportAdverseReportList, queryAdverseReportList } from '../../contract/calls/adverse.ts';
import { own } from '../database.ts';
import { describe, presentReport, reportColumns, reports } from './adverseRows.ts';

export const adverseList = listOf(queryAdverseReportList)
  .from(({ db }) => reports(own(db)))
  .with({
    where: {
      reportNo: 'r.reportNo',
      medicine: (_eb, medicine) =>
        containsText(sql`m.generic_name || ' ' || coalesce(m.brand_name, '') || ' ' || m.generic_pinyin`, medicine),
      companyId: 'm.holderId',
      seriousness: 'r.seriousness',
      state: 'r.state',
      overdue: (eb, overdue, { now }) =>
        overdue
          ? eb.and([eb('r.state', '=', 'RECEIVED'), eb('r.dueAt', '<', now)])
          : eb.or([eb('r.state', '<>', 'RECEIVED'), eb('r.dueAt', '>=', now)]),
    },
    id: 'r.id',
    sorts: {
      reportNo: 'r.reportNo',
      occurredOn: 'r.occurredOn',
      receivedAt: 'r.receivedAt',
      dueAt: 'r.dueAt',
      forwardedAt: 'r.forwardedAt',
    },
    bounded: 'adverse reactions are reported some hundreds of times a year',
    order: [['r.dueAt', 'asc']],
    select: reportColumns,
    present: (rows, { now }) => rows.map((row) => presentReport(row, now)),
  });

/** @param secrets descriptions leave in full only in a plain export */
export const adverseExport = (secrets: Secrets) =>
  listExport(adverseList, {
    call: exportAdverseReportList,
    title: '不良反应报告',
    routeKey: 'pharmaceuticalEnterprises',
    columns: [
      'reportNo',
      'genericName',
      'companyName',
      'seriousness',
      'isNew',
      'description',
      'occurredOn',
      'receivedAt',
      'dueAt',
      'forwardedAt',
      'companyReceiptNo',
      'state',
    ],
    async widen(rows, { db }) {
      const stored = await own(db)
        .selectFrom('pharmaAdverseReport')
        .select(['id', 'descriptionCipher'])
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute();
      const descriptions = new Map(stored.map((row) => [row.id, describe(secrets, row)]));
      return rows.map((row) => ({ ...row, description: descriptions.get(row.id) ?? row.description }));
    },
  });
