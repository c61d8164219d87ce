import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import { dayOf } from '../../../../kernel/contract/time.ts';
import {
  applicantTypes,
  applyTypes,
  capabilities,
  hospitalLevels,
  licenceOwners,
  licenceTypes,
  storeTags,
} from '../../contract/dictionaries.ts';
import type { ApplyRow } from '../../contract/applyCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { applyMachine, storeMachine } from '../../contract/states.ts';
import type { StoreRow } from '../../contract/storeCalls.ts';
import { storeLabels } from '../../contract/storeFacts.ts';
import { exportDuplicateHospital, exportHospitalAuditList } from '../../contract/hospitalTransferCalls.ts';
import { exportDrugstoreList, exportLicenceList } from '../../contract/storeTransferCalls.ts';
import { applies, applyChunks } from '../applies/read.ts';
import { countOf, ownDb } from '../database.ts';
import { hospitalExport } from '../hospitals/list.ts';
import { expiring, expiringChunks, type ExpiringRow } from '../licences/handlers.ts';
import { pairChunks, pairs, type PairRow } from '../merges/pairs.ts';
import { storesOf } from '../stores/find.ts';
import { chainExport, changeExport, goodsExport, mergeExport } from './moreExports.ts';
import { storeChunks } from '../stores/list.ts';

const pairColumns: ExportColumn<PairRow>[] = [
  { key: 'aNo', label: '医院A编号', width: 20, value: (row) => row.a.hospitalNo },
  { key: 'aName', label: '医院A', width: 32, value: (row) => row.a.name },
  { key: 'aAddress', label: '医院A地址', width: 36, value: (row) => row.a.address },
  { key: 'bNo', label: '医院B编号', width: 20, value: (row) => row.b.hospitalNo },
  { key: 'bName', label: '医院B', width: 32, value: (row) => row.b.name },
  { key: 'bAddress', label: '医院B地址', width: 36, value: (row) => row.b.address },
  { key: 'score', label: '得分', kind: 'int', value: (row) => row.score },
  { key: 'why', label: '理由', width: 40, value: (row) => row.why.join('；') },
];
const applyColumns: ExportColumn<ApplyRow>[] = [
  { key: 'applyNo', label: '申请单号', width: 20, value: (row) => row.applyNo },
  { key: 'applyType', label: '类型', dictionary: applyTypes, value: (row) => row.applyType },
  { key: 'name', label: '医院名称', width: 32, value: (row) => row.name },
  { key: 'level', label: '等级', dictionary: hospitalLevels, value: (row) => row.level },
  { key: 'region', label: '地区', width: 24, value: (row) => row.region },
  { key: 'applicantType', label: '来源', dictionary: applicantTypes, value: (row) => row.applicantType },
  { key: 'applicantName', label: '申请人', value: (row) => row.applicantName },
  { key: 'topScore', label: '疑似重复', kind: 'int', value: (row) => row.topScore },
  { key: 'createdAt', label: '申请时间', kind: 'instant', width: 20, value: (row) => row.createdAt },
  { key: 'state', label: '状态', dictionary: applyMachine.dictionary, value: (row) => row.state },
  { key: 'handler', label: '处理人', value: (row) => row.handler },
  { key: 'auditedAt', label: '审核时间', kind: 'instant', width: 20, value: (row) => row.auditedAt },
];
const storeColumns: ExportColumn<StoreRow>[] = [
  { key: 'storeNo', label: '门店编号', width: 20, value: (row) => row.storeNo },
  { key: 'name', label: '名称', width: 30, value: (row) => row.name },
  { key: 'chainName', label: '连锁', width: 26, value: (row) => row.chainName },
  { key: 'chainStoreCode', label: '店号', value: (row) => row.chainStoreCode },
  { key: 'storeTags', label: '类型', width: 26, value: (row) => row.storeTags.map((tag) => storeTags.label(tag)).join('、') },
  {
    key: 'capabilities',
    label: storeLabels.capabilities,
    width: 26,
    value: (row) => row.capabilities.map((capability) => capabilities.label(capability)).join('、'),
  },
  { key: 'region', label: '地区', width: 24, value: (row) => row.region },
  { key: 'address', label: storeLabels.address, width: 40, value: (row) => row.address },
  { key: 'phone', label: storeLabels.phone, value: (row) => row.phone },
  { key: 'todayHours', label: '今日营业', width: 22, value: (row) => row.todayHours },
  { key: 'nextExpireOn', label: '证照到期', kind: 'day', value: (row) => row.nextExpireOn },
  { key: 'state', label: '状态', dictionary: storeMachine.dictionary, value: (row) => row.state },
  { key: 'suspendReason', label: '停用原因', width: 30, value: (row) => row.suspendReason },
  { key: 'updatedAt', label: '更新时间', kind: 'instant', width: 20, value: (row) => row.updatedAt },
];
const licenceColumns: ExportColumn<ExpiringRow>[] = [
  { key: 'ownerType', label: '机构类型', dictionary: licenceOwners, value: (row) => row.ownerType },
  { key: 'ownerNo', label: '机构编号', width: 20, value: (row) => row.ownerNo },
  { key: 'ownerName', label: '机构名称', width: 30, value: (row) => row.ownerName },
  { key: 'licenceType', label: '证照', dictionary: licenceTypes, value: (row) => row.licenceType },
  { key: 'licenceNo', label: '证照编号', width: 26, value: (row) => row.licenceNo },
  { key: 'validTo', label: '有效期止', kind: 'day', value: (row) => row.validTo },
  { key: 'daysLeft', label: '剩余天数', kind: 'int', value: (row) => row.daysLeft },
];

export const duplicateExport = exportSource({
  call: exportDuplicateHospital,
  title: '疑似重复医院',
  routeKey: 'hospitalManagementMaintenance',
  permission: may['hospital.export'].code,
  columns: pairColumns,
  count: ({ db, staff, filter }) => countOf(pairs(ownDb(db), filter, staff)),
  chunks: ({ db, staff, filter }) => pairChunks(db, filter, staff),
});
export const applyExport = exportSource({
  call: exportHospitalAuditList,
  title: '医院申请',
  routeKey: 'hospitalManagementAudit',
  permission: may['apply.export'].code,
  columns: applyColumns,
  count: ({ db, staff, filter, now }) => countOf(applies(ownDb(db), filter, staff, now)),
  chunks: ({ db, staff, filter, now }) => applyChunks(db, filter, staff, now),
});
export const storeExport = exportSource({
  call: exportDrugstoreList,
  title: '药店',
  routeKey: 'drugstoreManagement',
  permission: may['store.export'].code,
  columns: storeColumns,
  count: ({ db, staff, filter, now }) => countOf(storesOf(ownDb(db), filter, staff, now)),
  chunks: ({ db, staff, filter, now }) => storeChunks(db, filter, staff, now),
});
export const licenceExport = exportSource({
  call: exportLicenceList,
  title: '到期证照',
  routeKey: 'drugstoreManagement',
  permission: may['store.export'].code,
  columns: licenceColumns,
  count: ({ db, staff, filter, now }) => countOf(expiring(ownDb(db), filter, staff, dayOf(now))),
  chunks: ({ db, staff, filter, now }) => expiringChunks(db, filter, staff, dayOf(now)),
});
/** Every list of the domain. @param secrets account numbers are masked in what is told of a change */
export const institutionExports = (secrets: Secrets) => [
  hospitalExport,
  duplicateExport,
  applyExport,
  storeExport,
  licenceExport,
  goodsExport,
  chainExport,
  mergeExport,
  changeExport(secrets),
];
