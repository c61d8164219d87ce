import { listExport } from '../../../kernel/server/list/listExport.ts';
import type { ExportColumn } from '../../../kernel/server/exporting/source.ts';
import type { OutputOf } from '../../../kernel/contract/call.ts';
import { exportInspectionCheckList, type queryInspectionCheckList } from '../contract/calls/ehr.ts';
import { exportPatientMergeList, type MergeRow } from '../contract/calls/merge.ts';
import { exportPrivacyRequestList, type PrivacyRequestRow } from '../contract/calls/privacy.ts';
import { exportRealNameCheckList, type queryRealNameCheckList } from '../contract/calls/realName.ts';
import { checkMethods, genders, idTypes, inspectionKinds, privacyKinds } from '../contract/dictionaries.ts';
import type { PersonBrief } from '../contract/fields.ts';
import { mergeMachine, privacyMachine, realNameMachine } from '../contract/states.ts';
import { reportQueue } from './inspections/handlers.ts';
import { mergeQueue } from './merges/handlers.ts';
import { privacyQueue } from './privacy/handlers.ts';
import { realNameQueue } from './realName/list.ts';

/** Queues have no page of their own; they stand in the finder of every page. */
const routeKey = 'patientFinder';

/** Columns of a person; his name is masked, the numbers are kept masked only. */
const person = <Row>(of: (row: Row) => PersonBrief, prefix = '', label = ''): readonly ExportColumn<Row>[] => [
  { key: `${prefix}patientNo`, label: `${label}患者编号`, width: 14, value: (row) => of(row).patientNo },
  { key: `${prefix}name`, label: `${label}姓名`, sensitive: 'name', value: (row) => of(row).name },
  { key: `${prefix}gender`, label: `${label}性别`, width: 6, value: (row) => genders.label(String(of(row).gender)) },
  { key: `${prefix}age`, label: `${label}年龄`, kind: 'int', width: 6, value: (row) => of(row).age },
  { key: `${prefix}mobile`, label: `${label}手机号`, width: 14, value: (row) => of(row).mobileMasked },
  { key: `${prefix}idNo`, label: `${label}证件号`, width: 22, value: (row) => of(row).idNoMasked },
];

type ManualRow = OutputOf<typeof queryRealNameCheckList>;
const manualColumns: readonly ExportColumn<ManualRow>[] = [
  ...person<ManualRow>((row) => row.patient),
  { key: 'state', label: '实名状态', dictionary: realNameMachine.dictionary, value: (row) => row.state },
  { key: 'method', label: '核验方式', dictionary: checkMethods, width: 16, value: (row) => row.request?.method },
  { key: 'idType', label: '提交证件类型', dictionary: idTypes, value: (row) => row.request?.idType },
  { key: 'requestName', label: '提交姓名', sensitive: 'name', value: (row) => row.request?.name },
  { key: 'requestIdNo', label: '提交证件号', width: 22, value: (row) => row.request?.idNoMasked },
  { key: 'attempts', label: '已核验次数', kind: 'int', value: (row) => row.request?.attempts },
  { key: 'opinion', label: '说明', width: 30, value: (row) => row.request?.opinion },
  { key: 'requestedBy', label: '提交人', value: (row) => row.request && (row.request.requestedBy ?? '患者本人') },
  { key: 'at', label: '提交时间', kind: 'instant', value: (row) => row.request?.at },
];
const manualExport = listExport(realNameQueue, { call: exportRealNameCheckList, title: '待核验实名', routeKey, columns: manualColumns });

type ReportRow = OutputOf<typeof queryInspectionCheckList>;
/** What a report says of the body stays in the record. */
const reportColumns: readonly ExportColumn<ReportRow>[] = [
  { key: 'inspectionNo', label: '报告编号', width: 18, value: (row) => row.inspection.inspectionNo },
  ...person<ReportRow>((row) => row.patient),
  { key: 'kind', label: '类型', dictionary: inspectionKinds, value: (row) => row.inspection.kind },
  { key: 'itemName', label: '项目', width: 20, value: (row) => row.inspection.itemName },
  { key: 'hospitalName', label: '医院', width: 24, value: (row) => row.inspection.hospitalName },
  { key: 'inspectionTime', label: '检查时间', kind: 'instant', value: (row) => row.inspection.inspectionTime },
  { key: 'files', label: '文件数', kind: 'int', value: (row) => row.inspection.fileIds.length },
];
const reportExport = listExport(reportQueue, { call: exportInspectionCheckList, title: '待解读报告', routeKey, columns: reportColumns });

const mergeColumns: readonly ExportColumn<MergeRow>[] = [
  { key: 'mergeNo', label: '合并单号', width: 18, value: (row) => row.mergeNo },
  ...person<MergeRow>((row) => row.from, 'from.', '被合并'),
  ...person<MergeRow>((row) => row.into, 'into.', '保留'),
  { key: 'evidence', label: '依据', width: 20, value: (row) => row.evidence.join('、') },
  { key: 'reason', label: '原因', width: 30, value: (row) => row.reason },
  { key: 'state', label: '状态', dictionary: mergeMachine.dictionary, value: (row) => row.state },
  { key: 'maker', label: '申请人', value: (row) => row.maker ?? '系统' },
  { key: 'createdAt', label: '申请时间', kind: 'instant', value: (row) => row.createdAt },
  { key: 'checker', label: '审批人', value: (row) => row.checker },
  { key: 'decidedAt', label: '审批时间', kind: 'instant', value: (row) => row.decidedAt },
  { key: 'opinion', label: '意见', width: 30, value: (row) => row.opinion },
];
const mergeExport = listExport(mergeQueue, { call: exportPatientMergeList, title: '档案合并', routeKey, columns: mergeColumns });

const privacyColumns: readonly ExportColumn<PrivacyRequestRow>[] = [
  { key: 'requestNo', label: '请求编号', width: 18, value: (row) => row.requestNo },
  { key: 'kind', label: '类型', dictionary: privacyKinds, value: (row) => row.kind },
  ...person<PrivacyRequestRow>((row) => row.patient),
  { key: 'detail', label: '请求内容', width: 40, value: (row) => row.detail },
  { key: 'state', label: '状态', dictionary: privacyMachine.dictionary, value: (row) => row.state },
  { key: 'createdBy', label: '登记人', value: (row) => row.createdBy ?? '患者本人' },
  { key: 'createdAt', label: '登记时间', kind: 'instant', value: (row) => row.createdAt },
  { key: 'dueAt', label: '办结期限', kind: 'day', value: (row) => row.dueAt.slice(0, 10) },
  { key: 'handler', label: '处理人', value: (row) => row.handler },
  { key: 'finishedAt', label: '办结时间', kind: 'instant', value: (row) => row.finishedAt },
  { key: 'opinion', label: '意见', width: 30, value: (row) => row.opinion },
];
const privacyExport = listExport(privacyQueue, { call: exportPrivacyRequestList, title: '隐私请求', routeKey, columns: privacyColumns });

/** The work queues as tables. */
export const patientExports = [manualExport, reportExport, mergeExport, privacyExport] as const;
