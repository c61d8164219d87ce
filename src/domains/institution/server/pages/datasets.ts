import * as z from 'zod/mini';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { refuseField } from '#kernel/contract/errors.ts';
import { field, picked } from '#kernel/contract/field.ts';
import { datasetAction, datasetOptions, datasetStat, type Dataset } from '#kernel/server/datasets/dataset.ts';
import { dataset } from '#kernel/server/datasets/declare.ts';
import { qualityIssues } from '../../contract/dictionaries.ts';
import {
  exportHospitalList,
  hospitalFactKeys,
  hospitalFacts,
  modifyHospital,
  queryHospitalCounts,
  queryHospitalDetail,
  queryHospitalList,
} from '../../contract/hospitalCalls.ts';
import { importHospital } from '../../contract/importCalls.ts';
import type { WeekHours } from '../../contract/opening.ts';
import { exportDrugstoreList, queryDrugstoreDetail, queryDrugstoreList, saveBusinessHours } from '../../contract/storeCalls.ts';

// What pages of definitions may name of hospitals and drugstores: reading, exporting, and two acts. Every write is the declared call.

const hospitalById = { call: queryHospitalDetail, input: (hospitalId: string) => ({ hospitalId }) };
const storeById = { call: queryDrugstoreDetail, input: (storeId: string) => ({ storeId }) };

/** Entered facts that stand as region, name of the main hospital and point on the map. */
const SHOWN_AS: ReadonlySet<string> = new Set(['adcode', 'parentId', 'lngE6', 'latE6', 'logoFileId']);

export const hospitalSet = dataset({
  code: 'institution.hospital',
  label: '医院',
  targetType: 'institution.hospital',
  list: queryHospitalList,
  key: 'id',
  version: 'version',
  routeKeys: ['hospitalList', 'hospitalManagementMaintenance'],
  columns: [
    'hospitalNo',
    ...hospitalFactKeys.filter((key) => !SHOWN_AS.has(key)),
    'region',
    'parentName',
    'departmentCount',
    'doctorCount',
    'aliasCount',
    'qualityScoreBp',
    'qualityIssues',
    'source',
    'state',
    'updatedAt',
    'updatedBy',
  ],
  filters: [
    'keyword',
    'hospitalNo',
    'uscc',
    'level',
    'kind',
    'ownership',
    'state',
    'issue',
    'source',
    'hasDoctors',
    'hasCoordinates',
    { key: 'updated', label: '更新时间', from: 'updatedFrom', to: 'updatedTo' },
  ],
  detail: { ...hospitalById, trail: ({ trail }) => trail },
  export: exportHospitalList,
  import: { call: importHospital, importerCode: 'institution.hospital' },
  options: {
    hospital: datasetOptions({
      call: queryHospitalList,
      label: '医院',
      input: (keyword) => ({ pageSize: 20, ...(keyword !== '' && { keyword }) }),
      rows: ({ rows }) => rows.map(({ id, name }) => ({ value: id, label: name })),
    }),
  },
  stats: {
    city: datasetStat({
      call: queryHospitalCounts,
      label: '各城市医院数',
      input: () => ({}),
      dimensions: [{ key: 'city', label: '城市', type: 'text' }],
      measures: [
        { key: 'count', label: '医院数', type: 'int' },
        { key: 'located', label: '有坐标', type: 'int' },
      ],
      rows: ({ cities }) => cities.map(({ city, count, located }) => ({ city, count, located })),
    }),
    issue: datasetStat({
      call: queryHospitalCounts,
      label: '各质量问题医院数',
      input: () => ({}),
      dimensions: [{ key: 'issue', label: '质量问题', type: 'text' }],
      measures: [{ key: 'count', label: '医院数', type: 'int' }],
      rows: ({ issueCounts }) => issueCounts.map(({ issue, count }) => ({ issue: qualityIssues.label(issue), count })),
    }),
  },
  actions: [
    datasetAction({
      code: 'contact',
      label: '修改联系方式',
      kind: 'UPDATE',
      call: modifyHospital,
      form: { phone: hospitalFacts.phone, website: hospitalFacts.website, introduction: hospitalFacts.introduction },
      // The call takes all facts of a hospital; those that the form does not show stay as they are.
      read: hospitalById,
      input: ({ key, version, values, record }) => ({
        ...picked(record, hospitalFactKeys),
        name: record.name,
        level: record.level,
        kind: record.kind,
        ownership: record.ownership,
        adcode: record.adcode,
        ...values,
        id: key,
        version,
      }),
      when: { column: 'state', values: ['ENABLED', 'DISABLED'] },
    }),
  ],
});

const weekDays = dictionary('institution.weekDay', { 1: '周一', 2: '周二', 3: '周三', 4: '周四', 5: '周五', 6: '周六', 7: '周日' });
const clock = (label: string) =>
  field(label, z._default(z.string().check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)?$/, `${label}格式应为HH:mm`)), ''), {
    example: '09:00',
  });
const hoursForm = {
  days: field('适用日期', z.array(weekDays.schema, '请选择适用日期').check(z.minLength(1, '请选择适用日期'), z.maxLength(7, '最多7天'))),
  closed: field('休息', z._default(z.boolean(), false)),
  from: clock('开始时间'),
  to: clock('结束时间'),
};
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

interface HoursValues {
  days: readonly (keyof WeekHours)[];
  closed: boolean;
  from: string;
  to: string;
}

/** The week with the chosen days set anew. An end before its beginning is of the next day. */
function weekWith(week: WeekHours, { days, closed, from, to }: HoursValues) {
  if (!closed && from === '') throw refuseField('from', '请填写开始时间，或选择休息');
  if (!closed && to === '') throw refuseField('to', '请填写结束时间，或选择休息');
  const end = minutesOf(to);
  const spans = closed ? [] : [{ from: minutesOf(from), to: end > minutesOf(from) ? end : end + 1440 }];
  const chosen = Object.fromEntries(days.map((day) => [day, spans]));
  return Object.fromEntries(Object.entries({ ...week, ...chosen }).map(([day, all]) => [day, (all ?? []).map((one) => ({ ...one }))]));
}

const hours = (kind: 'UPDATE' | 'BATCH', code: string, label: string) =>
  datasetAction({
    code,
    label,
    kind,
    call: saveBusinessHours,
    form: hoursForm,
    read: storeById,
    input: ({ key, values, record }) => ({ storeIds: [key], weekHours: weekWith(record.weekHours, values) }),
    outcome: ([row]) => (row && !row.ok ? row.message : null),
    when: { column: 'state', values: ['DRAFT', 'PENDING', 'OPEN', 'SUSPENDED', 'REJECTED'] },
  });

export const drugstoreSet = dataset({
  code: 'institution.drugstore',
  label: '药店',
  targetType: 'institution.drugstore',
  list: queryDrugstoreList,
  key: 'id',
  version: 'version',
  routeKeys: ['drugstoreManagement'],
  columns: [
    'storeNo',
    'name',
    'chainName',
    'chainStoreCode',
    'storeTags',
    'capabilities',
    'region',
    'address',
    'phone',
    'todayHours',
    'nextExpireOn',
    'state',
    'suspendReason',
    'updatedAt',
  ],
  filters: ['storeNo', 'name', 'storeTags', 'capabilities', 'state', 'openNow', 'expireWithin', 'goodsCode'],
  detail: { ...storeById, trail: ({ trail }) => trail },
  export: exportDrugstoreList,
  actions: [hours('UPDATE', 'hours', '修改营业时间'), hours('BATCH', 'batchHours', '批量修改营业时间')],
});

export const institutionSets: readonly Dataset[] = [hospitalSet, drugstoreSet];
