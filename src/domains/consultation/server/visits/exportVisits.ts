import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { countOf } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { rowsOf } from '../../../../kernel/server/list/rowsOf.ts';
import { exportVisitRecordExcel, queryVisitRecordList } from '../../contract/calls/visits.ts';
import { refundStates, serviceTypes, type ServiceType } from '../../contract/dictionaries.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { inquiryMachine, visitRecordMachine } from '../../contract/states.ts';
import { tabOf } from './query.ts';
import { departmentsOf, diagnosesOf, diagnosisText, newestFirst, selected, type SelectedVisit } from './rows.ts';
import { filtered } from './sums.ts';

type ExportRow = SelectedVisit & { departmentName: string | null };

const columns: readonly ExportColumn<ExportRow>[] = [
  { key: 'inquiryNo', label: '问诊编号', width: 18, value: (row) => row.inquiryNo },
  { key: 'visitNo', label: '就诊编号', width: 18, value: (row) => row.visitNo },
  { key: 'orderNo', label: '咨询订单号', width: 22, value: (row) => row.orderNo },
  { key: 'serviceType', label: '服务类型', dictionary: serviceTypes, value: (row) => row.serviceType as ServiceType },
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
    // Not a listOf: the list counts within its own statement.
    list: queryVisitRecordList,
    count: async ({ db, staff, filter, now }) =>
      countOf(db, (await filtered(kernel, db, staff, filter, now)).where(tabOf[filter.tab ?? 'all'])),
    async *chunks({ db, staff, filter, now }) {
      const matching = (await filtered(kernel, db, staff, filter, now)).where(tabOf[filter.tab ?? 'all']);
      for await (const rows of rowsOf(db, newestFirst(selected(matching, staff)))) {
        const departments = await departmentsOf(db, rows);
        yield rows.map((row): ExportRow => ({
          ...row,
          departmentName: row.departmentId === null ? null : (departments.get(row.departmentId) ?? null),
        }));
      }
    },
  });
