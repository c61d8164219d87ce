import { sql, type SqlBool } from 'kysely';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { exportVisitRecordExcel } from '../../contract/calls/visits.ts';
import { refundStates, serviceTypes, type ServiceType } from '../../contract/dictionaries.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { inquiryMachine, visitRecordMachine } from '../../contract/states.ts';
import { ownDb } from '../database.ts';
import { tabOf } from './query.ts';
import { departmentsOf, diagnosesOf, diagnosisText, selected, type SelectedVisit } from './rows.ts';
import { filtered } from './sums.ts';

const CHUNK = 1_000;
type ExportRow = SelectedVisit & { departmentName: string | null };

const columns: readonly ExportColumn<ExportRow>[] = [
  { key: 'inquiryNo', label: '问诊编号', width: 18, value: (row) => row.inquiryNo },
  { key: 'visitNo', label: '就诊编号', width: 18, value: (row) => row.visitNo },
  { key: 'orderNo', label: '咨询订单号', width: 22, value: (row) => row.orderNo },
  { key: 'serviceType', label: '服务类型', dictionary: serviceTypes, value: (row) => row.serviceType },
  { key: 'suffererName', label: '患者', sensitive: 'name', value: (row) => row.patientName },
  { key: 'doctorName', label: '医生', value: (row) => row.doctorName },
  { key: 'hospitalName', label: '医院', width: 24, value: (row) => row.hospitalName },
  { key: 'departmentName', label: '科室', width: 14, value: (row) => row.departmentName },
  { key: 'chiefComplaint', label: '主诉', width: 30, sensitive: 'medical', value: (row) => row.chiefComplaint },
  { key: 'diagnosis', label: '初步诊断', width: 30, value: (row) => diagnosisText(diagnosesOf(row.diagnoses)) },
  { key: 'createdAt', label: '发起时间', kind: 'instant', value: (row) => row.createdAt },
  { key: 'acceptSec', label: '接诊用时（秒）', kind: 'int', value: (row) => row.acceptSec },
  { key: 'firstReplySec', label: '首次回复用时（秒）', kind: 'int', value: (row) => row.firstReplySec },
  { key: 'durationSec', label: '时长（秒）', kind: 'int', value: (row) => row.durationSec },
  { key: 'roundUsed', label: '已用轮次', kind: 'int', value: (row) => row.roundUsed },
  { key: 'videoSecUsed', label: '视频时长（秒）', kind: 'int', value: (row) => row.videoSecUsed },
  { key: 'feeFen', label: '费用（元）', kind: 'money', value: (row) => row.feeFen },
  { key: 'refundedFen', label: '已退（元）', kind: 'money', value: (row) => row.refundedFen },
  { key: 'refundState', label: '退款', dictionary: refundStates, value: (row) => row.refundState },
  { key: 'stars', label: '评价', kind: 'int', value: (row) => row.stars },
  { key: 'qcScore', label: '质检', kind: 'int', value: (row) => row.qcScore },
  { key: 'serverStatus', label: '问诊状态', dictionary: inquiryMachine.dictionary, value: (row) => row.serverStatus },
  { key: 'recordState', label: '小结状态', dictionary: visitRecordMachine.dictionary, value: (row) => row.recordState },
  { key: 'ownerName', label: '责任医助', value: (row) => row.ownerName },
  { key: 'endedAt', label: '结束时间', kind: 'instant', value: (row) => row.endedAt },
];

/** Inquiries with their records in the list's order. */
export const visitExport = (kernel: Kernel) =>
  exportSource({
    call: exportVisitRecordExcel,
    title: '就诊记录',
    routeKey: 'visitRecords',
    permission: may['visit.export'].code,
    columns,
    count: async ({ db, staff, filter, now }) =>
      totalUpTo(ownDb(db), (await filtered(kernel, db, staff, filter, now)).where(tabOf[filter.tab ?? 'all'])),
    async *chunks({ db, staff, filter, now }) {
      const matching = (await filtered(kernel, db, staff, filter, now)).where(tabOf[filter.tab ?? 'all']);
      for (let last: { createdAt: string; id: string } | undefined; ;) {
        const from = last;
        const page = from
          ? matching.where(sql<SqlBool>`(i.created_at, i.id) < (${from.createdAt}::timestamptz, ${from.id}::bigint)`)
          : matching;
        const rows = await selected(page, staff).orderBy('i.createdAt', 'desc').orderBy('i.id', 'desc').limit(CHUNK).execute();
        if (rows.length === 0) return;
        const departments = await departmentsOf(db, rows);
        yield rows.map((row): ExportRow => ({
          ...row,
          departmentName: row.departmentId === null ? null : (departments.get(row.departmentId) ?? null),
        }));
        last = rows.at(-1);
      }
    },
  });
