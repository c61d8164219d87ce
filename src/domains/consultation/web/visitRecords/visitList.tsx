import { lazy } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { HospitalPicker, type PickerProps } from '#kernel/web/kit/pickers.tsx';
import { Dict, Money, NOTHING } from '#kernel/web/kit/values.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { usePage } from '#kernel/web/tabs/page.tsx';
import {
  queryVisitRecordDetail,
  queryVisitRecordList,
  queryVisitRecordSums,
  revealVisitField,
  type VisitRow,
} from '../../contract/calls/visits.ts';
import { refundStates } from '../../contract/dictionaries.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { visitRecordMachine } from '../../contract/states.ts';
import { spanText } from './spans.ts';

// What other domains hold is loaded where it is shown.
const DepartmentSelect = lazy(async () => ({ default: (await import('./selects.tsx')).DepartmentSelect }));
const AssistantSelect = lazy(async () => ({ default: (await import('./selects.tsx')).AssistantSelect }));

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
    'inquiryNo',
    'visitNo',
    'orderNo',
    'suffererName',
    { name: 'mobile', placeholder: '完整手机号' },
    'doctorName',
    { kind: 'picker', name: 'hospitalId', picker: HospitalPicker },
    { kind: 'picker', name: 'departmentId', picker: DepartmentFilter },
    'serviceType',
    'serverStatus',
    'recordState',
    { name: 'icd10', placeholder: 'ICD-10编码或名称' },
    { kind: 'numbers', name: 'stars', options: stars, several: true },
    {
      kind: 'select',
      name: 'qcState',
      options: [
        { value: 'DONE', label: '已质检' },
        { value: 'TODO', label: '未质检' },
      ],
    },
    { kind: 'picker', name: 'ownerAssistantId', picker: AssistantSelect },
    { kind: 'instants', names: ['createdFrom', 'createdTo'], label: '发起时间' },
    { kind: 'instants', names: ['endedFrom', 'endedTo'], label: '结束时间' },
    'overSla',
  ],
  columns: [
    { key: 'inquiryNo', width: 168, required: true },
    { key: 'serviceType', plain: true },
    { key: 'suffererName', width: 110, masked: { permission: may['inquiry.reveal'], reveal: (row) => revealed(row, 'suffererName') } },
    { key: 'doctorName', width: 90, required: true },
    {
      key: 'place',
      title: '医院/科室',
      width: 200,
      value: (row) => [row.hospitalName, row.departmentName].filter(Boolean).join(' / ') || NOTHING,
    },
    { key: 'chiefComplaint', width: 200, masked: { permission: may['inquiry.reveal'], reveal: (row) => revealed(row, 'chiefComplaint') } },
    { key: 'diagnosis', width: 200 },
    'createdAt',
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
    { key: 'feeFen', width: 100 },
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
    { key: 'stars', width: 80, value: (row) => (row.stars === null ? NOTHING : `${row.stars}星`) },
    { key: 'qcScore', width: 70, align: 'right', value: (row) => row.qcScore ?? NOTHING },
    { key: 'serverStatus', width: 110, required: true },
    {
      key: 'recordState',
      width: 130,
      render: (row) => (
        <>
          <Dict of={visitRecordMachine.dictionary} code={row.recordState} />
          {(row.recordVersion ?? 1) > 1 && <span className="kq-muted"> 第{row.recordVersion}版</span>}
        </>
      ),
    },
    { key: 'visitNo', width: 168, hidden: true },
    { key: 'ownerAssistantName', width: 100, hidden: true },
    { key: 'endedAt', hidden: true },
  ],
});
