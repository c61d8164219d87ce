import type { InputOf } from '#kernel/contract/call.ts';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import type { ColumnChoice } from '#kernel/web/list/columnsOf.ts';
import type { FilterChoice } from '#kernel/web/list/filtersOf.ts';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { acceptStates, certTypes, titles } from '../../contract/dictionaries.ts';
import { queryDoctorList, type DoctorRow } from '../../contract/calls/doctors.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { channelFilter, deptFilter, hospitalFilter } from '../services/onDemand.tsx';
import { CertDays, Portrait, revealOf } from './person.tsx';
import { refFilter } from '../services/Selects.tsx';

const columns: readonly ColumnChoice<DoctorRow>[] = [
  'doctorNo',
  {
    key: 'name',
    width: 190,
    required: true,
    render: (row) => (
      <span className="dm-person" title={row.name}>
        <Portrait name={row.name} avatar={row.avatar} size={26} />
        <span>{row.name}</span>
        {row.titleCode && <span className="kq-muted">{titles.label(row.titleCode)}</span>}
      </span>
    ),
  },
  {
    key: 'mobile',
    width: 150,
    render: (row) => (
      <Masked value={row.mobile} permission={may['sensitive.reveal']} reveal={revealOf(row.doctorId, 'mobile')} withReason />
    ),
  },
  {
    key: 'place',
    title: '医院/科室',
    kind: 'custom',
    width: 240,
    render: (row) => (
      <span title={`${row.hospitalName ?? ''} ${row.departmentName ?? ''}`}>
        {row.hospitalName ?? '—'}
        {row.departmentName ? ` / ${row.departmentName}` : ''}
        {row.hospitalPending && <span className="kq-dict kq-dict-warning">医院待审核</span>}
      </span>
    ),
  },
  { key: 'region', width: 170 },
  { key: 'diseases', width: 180, value: (row) => row.diseases.map(({ name }) => name).join('、') },
  'qualState',
  { key: 'accountState', width: 90 },
  // His own switch says nothing while he may not practise at all.
  {
    key: 'acceptState',
    width: 150,
    render: (row) =>
      row.practiceOk ? (
        <span>
          <Dict of={acceptStates} code={row.acceptState} />
          {row.acceptState === 'OFF' && row.offUntil && <span className="kq-muted">　至{row.offUntil}</span>}
        </span>
      ) : (
        <span className="kq-muted" title="不可执业，不能接诊">
          —
        </span>
      ),
  },
  'openingCount',
  { key: 'assistantName', width: 90 },
  { key: 'channelAndAgent', title: '渠道/代表', width: 190, value: (row) => [row.channelName, row.agentName].filter(Boolean).join(' / ') },
  {
    key: 'certWarning',
    width: 210,
    render: (row) =>
      row.certWarning ? (
        <span>
          {certTypes.label(row.certWarning.certType)} <CertDays daysLeft={row.certWarning.daysLeft} />
        </span>
      ) : (
        <span className="kq-muted">—</span>
      ),
  },
  'createdAt',
];

const filters: readonly FilterChoice<InputOf<typeof queryDoctorList>>[] = [
  { name: 'name', placeholder: '姓名或拼音' },
  'doctorNo',
  'mobile',
  hospitalFilter,
  deptFilter,
  'titleCode',
  'qualState',
  'accountState',
  'acceptState',
  { kind: 'region', name: 'adcode' },
  refFilter('diseaseId', 'DISEASE'),
  channelFilter,
  { kind: 'select', name: 'certExpireWithin', options: ['7', '30', '60', '90'].map((value) => ({ value, label: `${value}天内` })) },
  { kind: 'instants', names: ['registeredFrom', 'registeredTo'], label: '注册时间' },
  'recommended',
];

const shared = { columns, filters };
export const allDoctors = resource(queryDoctorList, {
  ...shared,
  routeKey: 'doctorManagement',
  rowKey: 'doctorId',
  empty: '没有符合条件的医生，点击“新增医生”或“导入医生”创建',
});
export const frozenDoctors = resource(queryDoctorList, {
  ...shared,
  routeKey: 'doctorManagement:frozen',
  rowKey: 'doctorId',
  empty: '没有冻结的医生',
  filters: filters.filter((filter) => filter !== 'accountState'),
});
