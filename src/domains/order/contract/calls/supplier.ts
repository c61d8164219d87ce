import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  emptyToNull,
  fen,
  flag,
  id,
  idOut,
  instantOut,
  int4,
  intOrNull,
  mobileText,
  opinion,
  optionalDay,
  optionalId,
  optionalText,
  personName,
  several,
  text,
  textOrNull,
  version,
} from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, ADDED, CHANGED, declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { trail } from '#kernel/contract/trail.ts';
import { integrations, licenceStates, pauseStates, supplierTypes, type SupplierType } from '../dictionaries.ts';
import { orderPermissions as may } from '../permissions.ts';
import { supplierMachine } from '../supplierStates.ts';

export const supplierService = declareService('SupplierService');
const view = may['supplier.view'];
const edit = may['supplier.edit'];
const audit = may['supplier.audit'];

const count = (label: string, most: number) =>
  int4(`${label}须为整数`).check(z.minimum(1, `${label}须大于0`), z.maximum(most, `${label}不能大于${most}`));
const MOST_FREIGHT_FEN = 1_000_000;
const freight = (label: string) => fen.check(z.minimum(0, `${label}不能小于0`), z.maximum(MOST_FREIGHT_FEN, `${label}不能大于1万元`));

/** Whether a kind of supplier sells from a drugstore that is known as one. */
export const hasStore = (type: SupplierType): boolean => type === 'DTP' || type === 'CHAIN';

const facts = {
  supplierName: text('供应商名称', 60, 2),
  supplierType: field('供应商类型', supplierTypes.schema),
  drugstoreId: field('关联药店', optionalId),
  coldChainCapable: field('冷链能力', flag),
  contactName: personName('联系人', 30, 1),
  licenseNo: text('药品经营许可证号', 40, 2),
  licenseExpireAt: field('许可证有效期', day),
  licenseFileIds: field('许可证文件', z._default(z.array(id).check(z.maxLength(5, '许可证文件最多5个')), [])),
  gspExpireAt: field('GSP证书有效期', optionalDay),
  dailyCapacity: field('日产能（单）', z._default(z.nullable(count('日产能', 1_000_000)), null)),
  cutoffTime: field('截单时间', emptyToNull(z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, '截单时间格式应为HH:mm')))),
  acceptSlaMin: field('接单时限（分钟）', z._default(count('接单时限', 10_080), 120)),
  shipSlaHour: field('发货时限（小时）', z._default(count('发货时限', 720), 24)),
  freightFirstFen: field('首重运费', freight('首重运费')),
  freightStepFen: field('续重运费', freight('续重运费')),
  freeShipFen: field('包邮金额', z._default(z.nullable(freight('包邮金额').check(z.minimum(1, '包邮金额须大于0'))), null)),
  integration: field('对接方式', integrations.schema),
  endpoint: field('接口地址', optionalText('接口地址', 200).check(z.regex(/^$|^https:\/\/[^\s/@]+(\/\S*)?$/, '请输入https开头的接口地址'))),
  appKey: optionalText('接口账号', 64),
  /** Written, never read: an empty one leaves what is kept. */
  secret: optionalText('接口密钥', 128),
};
interface Linked {
  supplierType: SupplierType;
  drugstoreId: string | null;
}
interface Connected {
  integration: string;
  endpoint: string;
  appKey: string;
}
const sound = [
  between<Linked>(
    ['supplierType', 'drugstoreId'],
    ({ supplierType, drugstoreId }) => drugstoreId === null || hasStore(supplierType),
    '只有DTP药房与连锁药店可以关联药店',
  ),
  between<Pick<Connected, 'integration' | 'endpoint'>>(
    ['integration', 'endpoint'],
    ({ integration, endpoint }) => integration !== 'API' || endpoint !== '',
    '请输入接口地址',
  ),
  between<Pick<Connected, 'integration' | 'appKey'>>(
    ['integration', 'appKey'],
    ({ integration, appKey }) => integration !== 'API' || appKey !== '',
    '请输入接口账号',
  ),
] as const;

const supplierRow = z.strictObject({
  id: idOut,
  supplierCode: field('编码', z.string(), { width: 110 }),
  supplierName: field('名称', z.string(), { width: 200 }),
  supplierType: field('类型', supplierTypes.schema, { width: 100 }),
  integration: field('对接方式', integrations.schema, { width: 100 }),
  coldChainCapable: field('冷链能力', z.boolean(), { width: 90 }),
  regionCount: field('覆盖地区数', z.int(), { width: 100 }),
  goodsCount: field('在售品数', z.int(), { width: 90 }),
  dailyCapacity: field('日产能', intOrNull, { width: 90 }),
  expireOn: field('证照到期', dayOut, { width: 110 }),
  licenceState: field('证照状态', licenceStates.schema, { width: 110 }),
  status: field('状态', supplierMachine.dictionary.schema, { width: 100 }),
  updatedBy: field('修改人', textOrNull, { width: 90 }),
  updatedAt: field('修改时间', instantOut),
  version: z.int(),
  allowedActions: actionsOf(supplierMachine),
});
export type SupplierRow = z.output<typeof supplierRow>;
export const querySupplierList = supplierService.list({
  operation: 'querySupplierList',
  label: '查询供应商',
  access: view,
  filter: {
    supplier: z.optional(text('供应商', 60)),
    supplierType: field('类型', z.optional(several(supplierTypes.schema))),
    integration: field('对接方式', z.optional(integrations.schema)),
    licenceState: field('证照状态', z.optional(licenceStates.schema)),
    status: field('状态', z.optional(several(supplierMachine.dictionary.schema))),
    ...sortedBy('supplierCode', 'expireOn', 'updatedAt'),
  },
  output: supplierRow,
});
export const exportSupplierList = exportOf(querySupplierList, {
  operation: 'exportSupplierList',
  label: '导出供应商',
  access: view,
});

const regionOut = z.strictObject({ adcode: z.string(), name: z.string() });
const pauseOut = z.strictObject({
  id: idOut,
  fromAt: field('停接开始', instantOut),
  toAt: field('停接结束', instantOut),
  reason: field('原因', z.string()),
  state: field('状态', pauseStates.schema),
  createdBy: field('登记人', textOrNull),
  version: z.int(),
});
export type SupplierPauseRow = z.output<typeof pauseOut>;
const supplierDetail = z.strictObject({
  supplier: supplierRow,
  drugstoreId: z.nullable(idOut),
  drugstoreName: field('关联药店', textOrNull),
  contactName: field('联系人', z.string()),
  contactMobile: field('手机号', z.string(), { mask: 'mobile' }),
  licenseNo: field('药品经营许可证号', z.string()),
  licenseExpireAt: field('许可证有效期', dayOut),
  licenseFileIds: z.array(idOut),
  gspExpireAt: field('GSP证书有效期', z.nullable(dayOut)),
  endpoint: field('接口地址', z.string()),
  appKey: field('接口账号', z.string()),
  hasSecret: field('接口密钥', z.boolean(), { text: (has) => (has ? '已设置' : '未设置') }),
  cutoffTime: field('截单时间', textOrNull),
  acceptSlaMin: field('接单时限（分钟）', z.int()),
  shipSlaHour: field('发货时限（小时）', z.int()),
  freightFirstFen: field('首重运费（元）', fen),
  freightStepFen: field('续重运费（元）', fen),
  freeShipFen: field('包邮金额（元）', z.nullable(fen)),
  included: z.array(regionOut),
  excluded: z.array(regionOut),
  pauses: z.array(pauseOut),
  trail,
});
export type SupplierDetail = z.output<typeof supplierDetail>;
const ofSupplier = { id: field('供应商', id) };
export const querySupplierDetail = supplierService.read({
  operation: 'querySupplierDetail',
  label: '查看供应商',
  access: view,
  input: ofSupplier,
  output: supplierDetail,
});
export const revealSupplierMobile = supplierService.reveal({
  operation: 'revealSupplierMobile',
  label: '查看供应商联系人手机号',
  access: edit,
  input: {},
});

const wrongMobile = '请输入11位手机号码';
const answer = acted(supplierMachine.dictionary.schema);
export const addSupplier = supplierService.act({
  operation: 'addSupplier',
  label: '新增供应商',
  access: edit,
  ...ADDED,
  secrets: ['secret', 'contactMobile'],
  input: z
    .strictObject({
      supplierCode: field(
        '供应商编码',
        text('供应商编码', 20, 2).check(z.regex(/^[A-Z0-9][A-Z0-9_-]*$/, '供应商编码只能用大写字母、数字、-与_')),
        { example: 'SUP010' },
      ),
      ...facts,
      contactMobile: field('手机号', mobileText(wrongMobile, '请输入手机号')),
    })
    .check(...sound),
  output: answer,
});
/** What was audited (name, licences, connection) changes by another audit; the rest at once. */
export const modifySupplier = supplierService.act({
  operation: 'modifySupplier',
  label: '修改供应商',
  access: edit,
  ...CHANGED,
  secrets: ['secret', 'contactMobile'],
  input: z
    .strictObject({
      ...ofSupplier,
      version,
      ...facts,
      /** Shown masked: absent, it stays. */
      contactMobile: field('手机号', z.optional(mobileText(wrongMobile))),
    })
    .check(...sound),
  output: answer,
});

const onSupplier = { ...ofSupplier, version };
export const submitSupplier = supplierService.act({
  operation: 'submitSupplier',
  label: '提交供应商审核',
  access: edit,
  message: '提交成功!',
  input: onSupplier,
  output: answer,
});
export const auditSupplier = supplierService.act({
  operation: 'auditSupplier',
  label: '审核供应商',
  access: audit,
  message: '审核完成!',
  input: {
    ...onSupplier,
    decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')),
    opinion: optionalText('意见', 500),
  },
  output: answer,
});
export const pauseSupplier = supplierService.act({
  operation: 'pauseSupplier',
  label: '供应商暂停接单',
  access: edit,
  message: '暂停成功!',
  input: { ...onSupplier, opinion: optionalText('意见', 500) },
  output: answer,
});
export const resumeSupplier = supplierService.act({
  operation: 'resumeSupplier',
  label: '供应商恢复接单',
  access: edit,
  message: '恢复成功!',
  input: onSupplier,
  output: answer,
});
export const disableSupplier = supplierService.act({
  operation: 'disableSupplier',
  label: '停用供应商',
  access: edit,
  message: '停用成功!',
  input: { ...onSupplier, opinion },
  output: answer,
});

/** Whether the supplier's interface answers now with the kept address, key and secret. */
export const testSupplierEndpoint = supplierService.act({
  operation: 'testSupplierEndpoint',
  label: '测试供应商连接',
  access: edit,
  input: ofSupplier,
  ratePerMinute: 20,
  output: z.strictObject({ connected: z.boolean(), told: z.string() }),
});
