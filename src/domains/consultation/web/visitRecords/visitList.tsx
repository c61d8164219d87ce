import { send } from '../../../../kernel/web/http/client.ts';
import { HospitalPicker, type PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { Dict, Money, NOTHING } from '../../../../kernel/web/kit/values.tsx';
import { resource } from '../../../../kernel/web/list/ResourceList.tsx';
import { usePage } from '../../../../kernel/web/tabs/page.tsx';
import {
  queryVisitRecordDetail,
  queryVisitRecordList,
  queryVisitRecordSums,
  revealVisitField,
  type VisitRow,
} from '../../contract/calls/visits.ts';
import { refundStates, serviceTypes } from '../../contract/dictionaries.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { inquiryMachine, visitRecordMachine } from '../../contract/states.ts';
import { AssistantSelect, DepartmentSelect } from './filterLayers.ts';
import { spanText } from './spans.ts';

export const refreshes = [queryVisitRecordList, queryVisitRecordSums, queryVisitRecordDetail];

/** Departments belong to the hospital in the address. */
function DepartmentFilter(props: PickerProps<string>) {
  const { search } = usePage();
  return <DepartmentSelect hospitalId={typeof search['hospitalId'] === 'string' ? search['hospitalId'] : undefined} {...props} />;
}

export const revealed = async (row: Pick<VisitRow, 'serverId'>, field: 'suffererName' | 'chiefComplaint'): Promise<string> =>
  (await send(revealVisitField, { serverId: row.serverId }))[field];
const stars = [5, 4, 3, 2, 1].map((n) => ({ value: String(n), label: `${n}星` }));

export const visitList = resource(queryVisitRecordList, {
  routeKey: 'visitRecords',
  rowKey: 'serverId',
  empty: '没有符合条件的就诊记录，请调整筛选条件',
  filters: [
    { kind: 'text', name: 'inquiryNo', label: '问诊编号', maxLength: 20 },
    { kind: 'text', name: 'visitNo', label: '就诊编号', maxLength: 20 },
    { kind: 'text', name: 'orderNo', label: '咨询订单号', maxLength: 20 },
    { kind: 'text', name: 'suffererName', label: '患者姓名', maxLength: 32 },
    { kind: 'text', name: 'mobile', label: '手机号', placeholder: '完整手机号', maxLength: 11 },
    { kind: 'text', name: 'doctorName', label: '医生', maxLength: 30 },
    { kind: 'picker', name: 'hospitalId', label: '医院', picker: HospitalPicker },
    { kind: 'picker', name: 'departmentId', label: '科室', picker: DepartmentFilter },
    { kind: 'dict', name: 'serviceType', label: '服务类型', dictionary: serviceTypes, several: true },
    { kind: 'dict', name: 'serverStatus', label: '问诊状态', dictionary: inquiryMachine.dictionary, several: true },
    { kind: 'dict', name: 'recordState', label: '小结状态', dictionary: visitRecordMachine.dictionary, several: true },
    { kind: 'text', name: 'icd10', label: '诊断', placeholder: 'ICD-10编码或名称', maxLength: 12 },
    { kind: 'numbers', name: 'stars', label: '评价', options: stars, several: true },
    {
      kind: 'select',
      name: 'qcState',
      label: '质检',
      options: [
        { value: 'DONE', label: '已质检' },
        { value: 'TODO', label: '未质检' },
      ],
    },
    { kind: 'picker', name: 'ownerAssistantId', label: '责任医助', picker: AssistantSelect },
    { kind: 'instants', names: ['createdFrom', 'createdTo'], label: '发起时间' },
    { kind: 'instants', names: ['endedFrom', 'endedTo'], label: '结束时间' },
    { kind: 'flag', name: 'overSla', label: '仅超时' },
  ],
  columns: [
    { key: 'inquiryNo', title: '问诊编号', width: 168, required: true },
    { key: 'serviceType', title: '服务类型', kind: 'dict', dictionary: serviceTypes, plain: true, width: 100 },
    {
      key: 'suffererName',
      title: '患者',
      kind: 'masked',
      width: 110,
      masked: { permission: may['inquiry.reveal'], reveal: (row) => revealed(row, 'suffererName') },
    },
    { key: 'doctorName', title: '医生', width: 90, required: true },
    {
      key: 'place',
      title: '医院/科室',
      width: 200,
      value: (row) => [row.hospitalName, row.departmentName].filter(Boolean).join(' / ') || NOTHING,
    },
    {
      key: 'chiefComplaint',
      title: '主诉',
      kind: 'masked',
      width: 200,
      masked: { permission: may['inquiry.reveal'], reveal: (row) => revealed(row, 'chiefComplaint') },
    },
    { key: 'diagnosis', title: '初步诊断', width: 200 },
    { key: 'createdAt', title: '发起时间', kind: 'time' },
    { key: 'acceptSec', title: '接诊用时', width: 110, align: 'right', value: (row) => spanText(row.acceptSec) },
    { key: 'firstReplySec', title: '首次回复用时', width: 120, align: 'right', value: (row) => spanText(row.firstReplySec) },
    { key: 'durationSec', title: '时长', width: 110, align: 'right', value: (row) => spanText(row.durationSec) },
    {
      key: 'rounds',
      title: '轮次',
      width: 80,
      align: 'right',
      value: (row) => (row.roundLimit === 0 ? String(row.roundUsed) : `${row.roundUsed}/${row.roundLimit}`),
    },
    {
      key: 'videoSecUsed',
      title: '视频时长',
      width: 100,
      align: 'right',
      value: (row) => (row.videoSecUsed === 0 ? NOTHING : spanText(row.videoSecUsed)),
    },
    { key: 'feeFen', title: '费用（元）', kind: 'money', width: 100 },
    {
      key: 'refund',
      title: '退款',
      kind: 'custom',
      width: 130,
      render: (row) =>
        row.refundState === 'NONE' ? (
          NOTHING
        ) : (
          <>
            <Dict of={refundStates} code={row.refundState} />
            {row.refundedFen !== '0' && (
              <>
                {' '}
                <Money fen={row.refundedFen} />
              </>
            )}
          </>
        ),
    },
    { key: 'stars', title: '评价', width: 80, value: (row) => (row.stars === null ? NOTHING : `${row.stars}星`) },
    { key: 'qcScore', title: '质检', width: 70, align: 'right', value: (row) => row.qcScore ?? NOTHING },
    { key: 'serverStatus', title: '问诊状态', kind: 'dict', dictionary: inquiryMachine.dictionary, width: 110, required: true },
    {
      key: 'recordState',
      title: '小结状态',
      kind: 'custom',
      width: 130,
      render: (row) => (
        <>
          <Dict of={visitRecordMachine.dictionary} code={row.recordState} />
          {(row.recordVersion ?? 1) > 1 && <span className="kq-muted"> 第{row.recordVersion}版</span>}
        </>
      ),
    },
    { key: 'visitNo', title: '就诊编号', width: 168, hidden: true },
    { key: 'ownerAssistantName', title: '责任医助', width: 100, hidden: true },
    { key: 'endedAt', title: '结束时间', kind: 'time', hidden: true },
  ],
});
