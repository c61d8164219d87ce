import { useState } from 'react';
import { useList } from '#kernel/web/http/queries.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { NOTHING, Time } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryVisitRecordList, type VisitRow } from '../../contract/calls/visits.ts';
import { serviceTypes } from '../../contract/dictionaries.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { inquiryMachine, visitRecordMachine } from '../../contract/states.ts';

const PAGE_SIZE = 10;
const columns: readonly Column<VisitRow>[] = [
  {
    key: 'inquiryNo',
    title: '问诊编号',
    width: 168,
    kind: 'link',
    to: (row) => ({ path: '/visitRecords', search: { serverId: row.serverId } }),
  },
  { key: 'createdAt', title: '发起日期', width: 104, kind: 'custom', render: (row) => <Time at={row.createdAt} day /> },
  { key: 'doctorName', title: '医生', width: 80 },
  { key: 'hospitalName', title: '医院', width: 130 },
  { key: 'serviceType', title: '服务类型', kind: 'dict', dictionary: serviceTypes, plain: true, width: 90 },
  { key: 'diagnosis', title: '初步诊断', width: 126, value: (row) => row.diagnosis ?? NOTHING },
  { key: 'serverStatus', title: '问诊状态', kind: 'dict', dictionary: inquiryMachine.dictionary, width: 90 },
  { key: 'recordState', title: '小结状态', kind: 'dict', dictionary: visitRecordMachine.dictionary, width: 92 },
];

/** 咨询记录 in the patient's record: his inquiries, each leading to its visit record. */
export default function VisitTab({ patientId }: { patientId: string }) {
  const reads = useMay()(may['visit.view']);
  const [paging, setPaging] = useState({ pageNo: 1, pageSize: PAGE_SIZE });
  const { rows, total, fetching, error, refetch } = useList(
    queryVisitRecordList,
    { patientId, ...paging },
    { quiet: true, enabled: reads },
  );
  if (!reads) return <p className="kq-muted">需要“{may['visit.view'].label}”权限</p>;
  return (
    <DataTable<VisitRow>
      columns={columns}
      rows={rows}
      rowKey="serverId"
      loading={fetching}
      error={error}
      onRetry={() => void refetch()}
      empty="没有咨询记录"
      height="auto"
      paging={{ ...paging, total, onChange: (pageNo, pageSize) => setPaging({ pageNo, pageSize }) }}
    />
  );
}
