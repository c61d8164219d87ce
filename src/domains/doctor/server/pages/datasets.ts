import { keysOf } from '#kernel/contract/field.ts';
import { datasetStat } from '#kernel/server/datasets/dataset.ts';
import { dataset } from '#kernel/server/datasets/declare.ts';
import { exportDoctorList, queryDoctorCounts, queryDoctorList } from '../../contract/calls/doctors.ts';

/** What each number of the doctors' tabs counts. */
const COUNTED = {
  audit: '待审核',
  recheck: '待复核',
  returned: '已退回',
  certs: '证件预警',
  frozen: '已冻结',
  recommend: '推荐中',
} as const;

/** What pages of definitions may name of doctors: reading, counting, exporting. */
export const doctorSet = dataset({
  code: 'doctor.doctor',
  label: '医生',
  targetType: 'doctor.doctor',
  list: queryDoctorList,
  key: 'doctorId',
  version: 'version',
  routeKeys: ['doctorManagement'],
  columns: [
    'doctorNo',
    'name',
    'titleCode',
    'hospitalName',
    'departmentName',
    'region',
    'qualState',
    'accountState',
    'acceptState',
    'openingCount',
    'assistantName',
    'channelName',
    'sourceType',
    'createdAt',
  ],
  filters: [
    'doctorNo',
    'name',
    'titleCode',
    'qualState',
    'accountState',
    'acceptState',
    'recommended',
    { key: 'registered', label: '注册时间', from: 'registeredFrom', to: 'registeredTo' },
  ],
  export: exportDoctorList,
  stats: {
    work: datasetStat({
      call: queryDoctorCounts,
      label: '医生待办',
      input: () => ({}),
      dimensions: [{ key: 'kind', label: '事项', type: 'text' }],
      measures: [{ key: 'count', label: '医生数', type: 'int' }],
      rows: (counts) => keysOf(COUNTED).map((key) => ({ kind: COUNTED[key], count: counts[key] })),
    }),
  },
});
