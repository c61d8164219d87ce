import { listExport } from '#kernel/server/list/listExport.ts';
import { exportVisitRecordExcel, type VisitRow } from '../../contract/calls/visits.ts';
import { own } from '../database.ts';
import type { VisitList } from './list.ts';

/** What the list does not show, or masks itself: the cell masks it unless plain text was asked for. */
interface ExportRow extends VisitRow {
  orderNo: string | null;
  fullName: string;
  fullComplaint: string;
}

export const visitExport = (list: VisitList) =>
  listExport(list, {
    call: exportVisitRecordExcel,
    title: '就诊记录',
    routeKey: 'visitRecords',
    columns: [
      'inquiryNo',
      'visitNo',
      { key: 'orderNo', label: '咨询订单号', width: 22, value: (row: ExportRow) => row.orderNo },
      'serviceType',
      { key: 'suffererName', label: '患者', sensitive: 'name', value: (row: ExportRow) => row.fullName },
      'doctorName',
      'hospitalName',
      'departmentName',
      { key: 'chiefComplaint', label: '主诉', width: 30, sensitive: 'medical', value: (row: ExportRow) => row.fullComplaint },
      'diagnosis',
      'createdAt',
      'acceptSec',
      'firstReplySec',
      'durationSec',
      'roundUsed',
      'videoSecUsed',
      'feeFen',
      'refundedFen',
      'refundState',
      'stars',
      'qcScore',
      'serverStatus',
      'recordState',
      { key: 'ownerName', label: '责任医助', value: (row) => row.ownerAssistantName },
      'endedAt',
    ],
    async widen(rows, { db }) {
      const stored = await own(db)
        .selectFrom('consultationInquiry')
        .select(['id', 'orderNo', 'patientName', 'chiefComplaint'])
        .where(
          'id',
          'in',
          rows.map(({ serverId }) => serverId),
        )
        .execute();
      const inquiries = new Map(stored.map((row) => [row.id, row]));
      return rows.map((row): ExportRow => {
        const { orderNo, patientName, chiefComplaint } = inquiries.get(row.serverId)!;
        return { ...row, orderNo, fullName: patientName, fullComplaint: chiefComplaint };
      });
    },
  });
