import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { declareService, rowOutcomes } from '#kernel/contract/service.ts';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  day,
  dayOut,
  flag,
  id,
  idOut,
  instant,
  instantOut,
  numberOrNull,
  several,
  text,
  textOrNull,
  version,
  int4,
  wholeText,
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { accountOwners, capabilities, licenceOwners, licenceStates, licenceTypes, locateSources, storeTags } from './dictionaries.ts';
import { accountOut, adcode, at, spans, weekHours } from './fields.ts';
import { institutionPermissions as may } from './permissions.ts';
import { changeMachine, storeMachine } from './states.ts';
import { storeFacts, storeFactsInput, storeLabels, storeRules } from './storeFacts.ts';

const institution = declareService('InstitutionService');

const service = declareService('DrugstoreService');
const state = storeMachine.dictionary.schema;
const whole = (label: string, min: number, max: number) =>
  field(
    label,
    z.pipe(
      z.union([z.number(), z.string()]),
      z.pipe(
        z.transform(Number),
        z.int(`${label}须为整数`).check(z.minimum(min, `${label}最小为${min}`), z.maximum(max, `${label}最大为${max}`)),
      ),
    ),
  );

const storeFilters = {
  storeNo: z.optional(wholeText('门店编号', 30)),
  name: z.optional(text('名称', 50)),
  chainId: field('连锁', z.optional(id)),
  storeTags: field('门店类型', z.optional(several(storeTags.schema))),
  capabilities: field('能力', z.optional(several(capabilities.schema))),
  adcode: z.optional(adcode),
  state: z.optional(several(state)),
  /** Open at this instant; `openNow` asks for the present one. */
  openAt: field('营业时刻', z.optional(instant)),
  openNow: field('现在营业', z.optional(flag)),
  /** Days within which the earliest licence ends. */
  expireWithin: z.optional(whole('证照到期天数', 0, 365)),
  nearLngE6: z.optional(whole('经度', 73_000_000, 136_000_000)),
  nearLatE6: z.optional(whole('纬度', 3_000_000, 54_000_000)),
  radiusM: z.optional(whole('半径', 1, 50_000)),
  goodsCode: z.optional(wholeText('有货商品', 40)),
};
const open = { openNow: field('营业', z.boolean()), todayHours: field('今日营业', z.string(), { width: 180 }) };
const storeRow = z.strictObject({
  id: idOut,
  storeNo: field('门店编号', z.string(), { width: 160 }),
  name: field('名称', z.string(), { width: 240 }),
  chainId: textOrNull,
  chainName: field('连锁', textOrNull, { width: 210 }),
  chainStoreCode: field('店号', textOrNull),
  storeTags: field('类型', z.array(storeTags.schema), { width: 210 }),
  capabilities: field(storeLabels.capabilities, z.array(capabilities.schema), { width: 210 }),
  adcode: z.string(),
  region: field('地区', z.string(), { width: 190 }),
  address: field(storeLabels.address, z.string(), { width: 320 }),
  lngE6: numberOrNull,
  latE6: numberOrNull,
  phone: field(storeLabels.phone, z.string()),
  nextExpireOn: field('证照到期', z.nullable(dayOut)),
  expireDays: numberOrNull,
  deliveryRadiusM: numberOrNull,
  state: field('状态', state),
  suspendReason: field('停用原因', textOrNull, { width: 240 }),
  changePending: z.boolean(),
  mine: z.boolean(),
  distanceM: numberOrNull,
  version: z.int(),
  updatedAt: field('更新时间', instantOut),
  ...open,
});
export type StoreRow = z.output<typeof storeRow>;
export const queryDrugstoreList = service.list({
  operation: 'queryDrugstoreList',
  label: '查询药店列表',
  access: may['store.view'],
  filter: { ...storeFilters, ...sortedBy('storeNo', 'name', 'updatedAt') },
  output: storeRow,
});
export const exportDrugstoreList = exportOf(queryDrugstoreList, {
  operation: 'exportDrugstoreList',
  label: '导出药店',
  access: may['store.export'],
});

export const licenceRow = z.strictObject({
  id: idOut,
  licenceType: licenceTypes.schema,
  licenceNo: z.string(),
  holder: z.string(),
  validFrom: z.string(),
  validTo: textOrNull,
  fileIds: z.array(idOut),
  state: licenceStates.schema,
  version: z.int(),
});
export const changeRow = z.strictObject({
  id: idOut,
  changeNo: field('变更单号', z.string(), { width: 160 }),
  ownerType: field('机构类型', z.enum(['DRUGSTORE', 'CHAIN']), { kind: 'dict', dictionary: licenceOwners }),
  ownerId: idOut,
  ownerName: field('门店/连锁', z.string(), { width: 240 }),
  reason: field('原因', z.string(), { width: 240 }),
  makerName: field('提交人', z.string()),
  mine: z.boolean(),
  checkerName: field('审核人', textOrNull),
  opinion: field('意见', textOrNull, { width: 240 }),
  differences: field('变更内容', z.array(z.strictObject({ label: z.string(), before: z.string(), after: z.string() })), {
    width: 480,
    text: (all) => all.map(({ label, before, after }) => `${label}：${before || '—'} → ${after || '—'}`).join('；'),
  }),
  fileIds: z.array(idOut),
  state: field('状态', changeMachine.dictionary.schema),
  createdAt: field('提交时间', instantOut),
  version: z.int(),
});
const detail = z.strictObject({
  id: idOut,
  storeNo: z.string(),
  name: z.string(),
  chainId: textOrNull,
  chainName: textOrNull,
  chainStoreCode: textOrNull,
  storeTags: field('门店类型', z.array(storeTags.schema)),
  uscc: field('统一社会信用代码', textOrNull),
  nhsaCode: field('医保编码', textOrNull),
  adcode: z.string(),
  region: z.string(),
  address: z.string(),
  lngE6: numberOrNull,
  latE6: numberOrNull,
  locateSource: z.nullable(locateSources.schema),
  phone: field('电话', z.string()),
  managerName: field('店长', z.string()),
  managerMobile: field('店长手机', textOrNull),
  pharmacistName: field('执业药师', z.string()),
  pharmacistCertNo: z.string(),
  accountOf: accountOwners.schema,
  account: field('收款账户', z.nullable(accountOut)),
  weekHours,
  capabilities: field('能力', z.array(capabilities.schema)),
  withheld: z.array(z.string()),
  deliveryRadiusM: numberOrNull,
  deliveryFeeFen: numberOrNull,
  freeOverFen: numberOrNull,
  state,
  suspendReason: textOrNull,
  nextExpireOn: textOrNull,
  openOrderCount: field('未完成订单', z.int()),
  mine: z.boolean(),
  version: z.int(),
  holidays: z.array(z.strictObject({ day: z.string(), spans, note: z.string() })),
  licences: z.array(licenceRow),
  changes: z.array(changeRow),
  allowedActions: actionsOf(storeMachine),
  createdAt: at,
  updatedAt: at,
  trail,
  ...open,
});
export type StoreDetail = z.output<typeof detail>;
export const queryDrugstoreDetail = service.read({
  operation: 'queryDrugstoreDetail',
  label: '查询药店详情',
  access: may['store.view'],
  input: { storeId: field('药店', id) },
  output: detail,
});

const saved = z.strictObject({ ...actionAnswer.shape, changeNo: textOrNull });
export const addDrugstore = service.act({
  operation: 'addDrugstore',
  label: '新增药店',
  access: may['store.edit'],
  message: '新增成功!',
  secrets: ['account', 'managerMobile'],
  input: storeFactsInput,
  output: saved,
});
/** Of an open store, what needs an audit becomes a change; the rest acts at once. */
export const modifyDrugstore = service.act({
  operation: 'modifyDrugstore',
  label: '编辑药店',
  access: may['store.edit'],
  message: '修改成功!',
  secrets: ['account', 'managerMobile'],
  input: z.strictObject({ id, version, ...storeFacts, reason: z._default(text('变更原因', 500), '') }).check(...storeRules),
  output: saved,
});
export const submitDrugstore = service.act({
  operation: 'submitDrugstore',
  label: '药店提交审核',
  access: may['store.edit'],
  message: '提交成功!',
  input: { id, version },
  output: actionAnswer,
});
const decision = {
  version,
  action: field('操作', z.enum(['approve', 'reject'], '请选择审核结论')),
  opinion: z._default(text('意见', 500), ''),
};
export const auditDrugstore = service.act({
  operation: 'auditDrugstore',
  label: '审核药店',
  access: may['store.audit'],
  message: '修改成功!',
  input: { id, ...decision },
  output: actionAnswer,
});
export const auditStoreChange = service.act({
  operation: 'auditStoreChange',
  label: '审核药店变更',
  access: may['store.audit'],
  message: '修改成功!',
  input: { changeId: field('变更', id), ...decision },
  output: actionAnswer,
});
export const cancelStoreChange = service.act({
  operation: 'cancelStoreChange',
  label: '撤销药店变更',
  access: may['store.edit'],
  message: '已撤销',
  input: { changeId: field('变更', id), version },
  output: actionAnswer,
});
const changeFilters = { name: z.optional(text('名称', 50)), state: z.optional(several(changeMachine.dictionary.schema)) };
export const queryStoreChangeList = service.list({
  operation: 'queryStoreChangeList',
  label: '查询药店变更',
  access: may['store.view'],
  filter: { ...sortedBy('changeNo', 'createdAt'), ...changeFilters },
  output: changeRow,
});
export const exportStoreChangeList = exportOf(queryStoreChangeList, {
  operation: 'exportStoreChangeList',
  label: '导出药店变更',
  access: may['store.export'],
});
export const queryStoreChangeTrail = service.read({
  operation: 'queryStoreChangeTrail',
  label: '查询药店变更轨迹',
  access: may['store.view'],
  input: { changeId: field('变更', id) },
  output: trail,
});
export const changeDrugstoreState = service.act({
  operation: 'changeDrugstoreState',
  label: '停用、恢复、关店',
  access: may['store.state'],
  message: '修改成功!',
  input: { id, version, action: field('操作', z.enum(['suspend', 'resume', 'close'], '操作不正确')), opinion: text('意见', 500, 2) },
  output: actionAnswer,
});
export const delDrugstore = service.act({
  operation: 'delDrugstore',
  label: '删除药店',
  access: may['store.edit'],
  message: '删除成功!',
  input: { id, version },
  output: z.strictObject({}),
});
const storeIds = field('药店', z.array(id, '请选择门店').check(z.minLength(1, '请选择门店'), z.maxLength(200, '一次最多200家门店')));
export const saveBusinessHours = service.act({
  operation: 'saveBusinessHours',
  label: '设置营业时间',
  access: may['store.edit'],
  message: '修改成功!',
  input: { storeIds, weekHours },
  output: rowOutcomes,
});
export const saveStoreHolidays = service.act({
  operation: 'saveStoreHolidays',
  label: '设置节假日安排',
  access: may['store.edit'],
  message: '修改成功!',
  input: {
    storeIds,
    /** `spans` null takes the day's row away. */
    days: field(
      '特殊日期',
      z
        .array(z.strictObject({ day: field('日期', day), spans: z.nullable(spans), note: z._default(text('说明', 50), '') }))
        .check(z.minLength(1, '请选择日期'), z.maxLength(60, '一次最多60天')),
    ),
  },
  output: rowOutcomes,
});
export const geocodeDrugstores = service.read({
  operation: 'geocodeDrugstores',
  label: '解析药店坐标',
  access: may['store.edit'],
  input: { ids: storeIds },
  output: z.array(
    z.strictObject({
      id: idOut,
      storeNo: z.string(),
      name: z.string(),
      address: z.string(),
      version: z.int(),
      lngE6: numberOrNull,
      latE6: numberOrNull,
      from: z.string(),
    }),
  ),
});
/** Takes a proposed place over, after somebody has looked at it. */
export const saveStorePlace = service.act({
  operation: 'saveStorePlace',
  label: '确认药店坐标',
  access: may['store.edit'],
  message: '修改成功!',
  input: { id, version, lngE6: field('经度', int4('经度不正确')), latE6: field('纬度', int4('纬度不正确')) },
  output: saved,
});
export const revealContact = institution.act({
  operation: 'revealContact',
  label: '查看机构联系人与收款账户',
  access: may['sensitive.reveal'],
  log: 'REVEAL',
  input: {
    ownerType: field('主体类型', z.enum(['DRUGSTORE', 'CHAIN', 'APPLY'], '类型不正确')),
    ownerId: field('主体', id),
    field: field('字段', z.enum(['MOBILE', 'ACCOUNT'], '字段不正确')),
    reason: z._default(text('查看原因', 200), ''),
  },
  output: z.strictObject({ value: z.string() }),
});
