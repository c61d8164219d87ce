import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { between } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  day,
  dayOut,
  fenOut,
  id,
  idOut,
  instantOut,
  numberOrNull,
  optionalText,
  several,
  text,
  textOrNull,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { enabledStates, licenceOwners, licenceTypes } from './dictionaries.ts';
import { account, accountOut, at, mobile, uscc } from './fields.ts';
import { institutionPermissions as may } from './permissions.ts';
import { licenceRow } from './storeCalls.ts';

const service = declareService('DrugstoreService');
const whole = (label: string, max: number) =>
  field(
    label,
    z.pipe(
      z.union([z.number(), z.string()]),
      z.pipe(z.transform(Number), z.int(`${label}须为整数`).check(z.minimum(0, `${label}从0开始`), z.maximum(max, `${label}最大为${max}`))),
    ),
  );

const chosen = (message: string) => z.array(id, message).check(z.minLength(1, message), z.maxLength(200, '一次最多200个'));

/** Of an open store the new licence waits for its audit; the old one stays meanwhile. */
export const saveLicence = service.act({
  operation: 'saveLicence',
  label: '维护证照',
  access: may['store.edit'],
  message: '修改成功!',
  input: {
    ownerType: field('主体类型', licenceOwners.schema),
    ownerId: field('主体', id),
    licenceType: field('证照类型', licenceTypes.schema),
    licenceNo: field(
      '证照编号',
      z.string('请输入证照编号').check(z.trim(), z.minLength(1, '请输入证照编号'), z.maxLength(60, '证照编号最多60个字符')),
    ),
    holder: text('持有人', 100, 1),
    validFrom: field('有效期开始', day),
    validTo: field('有效期结束', z._default(z.nullable(day), null)),
    fileIds: field('证照图片', z._default(z.array(id).check(z.maxLength(10, '最多上传10个文件')), [])),
  },
  output: z.strictObject({ licence: z.nullable(licenceRow), changeNo: textOrNull }),
});
const licenceFilters = {
  within: z._default(whole('到期天数', 90), 60),
  licenceType: field('证照类型', z.optional(several(licenceTypes.schema))),
  ownerType: field('机构类型', z.optional(licenceOwners.schema)),
  name: z.optional(text('名称', 50)),
};
const expiringRow = z.strictObject({
  id: idOut,
  ownerType: field('机构类型', licenceOwners.schema),
  ownerId: idOut,
  ownerNo: field('机构编号', z.string(), { width: 160 }),
  ownerName: field('机构名称', z.string(), { width: 240 }),
  licenceType: field('证照', licenceTypes.schema),
  licenceNo: field('证照编号', z.string(), { width: 210 }),
  validTo: field('有效期止', dayOut),
  daysLeft: field('剩余天数', z.int()),
  lastReminded: field('最近提醒', numberOrNull),
});
export const queryLicenceExpireList = service.list({
  operation: 'queryLicenceExpireList',
  label: '查询到期证照',
  access: may['store.view'],
  filter: licenceFilters,
  output: expiringRow,
});
export const exportLicenceList = exportOf(queryLicenceExpireList, {
  operation: 'exportLicenceList',
  label: '导出到期证照',
  access: may['store.export'],
});
/** Of single licences, or of all licences of drugstores that end within 90 days; answered per id that was given. */
export const remindLicence = service.act({
  operation: 'remindLicence',
  label: '发送证照提醒',
  access: may['store.edit'],
  message: '已发送',
  input: z
    .strictObject({ ids: field('证照', z.optional(chosen('请选择证照'))), storeIds: field('药店', z.optional(chosen('请选择门店'))) })
    .check(between(['storeIds', 'ids'], ({ storeIds, ids }) => (ids === undefined) !== (storeIds === undefined), '请选择证照或门店')),
  output: z.array(z.strictObject({ id: idOut, ok: z.boolean(), message: z.string() })),
});

const chainRow = z.strictObject({
  id: idOut,
  chainNo: field('连锁编号', z.string(), { width: 160 }),
  name: field('名称', z.string(), { width: 240 }),
  brand: field('品牌', z.string()),
  uscc: field('统一社会信用代码', z.string(), { width: 190 }),
  contactName: field('联系人', z.string()),
  contactMobile: field('联系手机', textOrNull),
  account: field('收款账户', z.nullable(accountOut)),
  storeCount: field('门店数', z.int()),
  openCount: field('营业门店', z.int()),
  changePending: z.boolean(),
  state: field('状态', enabledStates.schema),
  version: z.int(),
  updatedAt: at,
});
const chainFilters = {
  name: z.optional(text('名称', 50)),
  ids: field('证照', z.optional(several(id, 50))),
  state: field('状态', z.optional(several(enabledStates.schema))),
};
export const queryChainList = service.list({
  operation: 'queryChainList',
  label: '查询连锁总部',
  access: may['store.view'],
  filter: { ...sortedBy('chainNo', 'storeCount', 'openCount'), ...chainFilters },
  output: chainRow,
});
export const exportChainList = exportOf(queryChainList, {
  operation: 'exportChainList',
  label: '导出连锁总部',
  access: may['store.export'],
});
const chainFacts = {
  name: text('连锁名称', 100, 2),
  brand: optionalText('品牌', 50),
  uscc,
  contactName: z._default(personName('联系人', 50), ''),
  contactMobile: z.optional(mobile),
  account: z.optional(account),
  state: field('状态', z._default(enabledStates.schema, 'ENABLED')),
};
const saved = z.strictObject({ ...actionAnswer.shape, changeNo: textOrNull });
export const addChain = service.act({
  operation: 'addChain',
  label: '新增连锁总部',
  access: may['store.edit'],
  message: '新增成功!',
  secrets: ['account', 'contactMobile'],
  input: chainFacts,
  output: saved,
});
/** The payee account takes effect when its change is approved. */
export const modifyChain = service.act({
  operation: 'modifyChain',
  label: '编辑连锁总部',
  access: may['store.edit'],
  message: '修改成功!',
  secrets: ['account', 'contactMobile'],
  input: { id, version, ...chainFacts },
  output: saved,
});

const goodsFilters = {
  storeId: field('药店', z.optional(id)),
  goodsCode: z.optional(wholeText('商品编码', 40)),
  goodsName: z.optional(text('商品名称', 50)),
  inStock: field(
    '有货',
    z.optional(
      z.pipe(
        z.union([z.boolean(), z.enum(['true', 'false'])]),
        z.transform((value) => value === true || value === 'true'),
      ),
    ),
  ),
};
export const queryStoreGoodsList = service.list({
  operation: 'queryStoreGoodsList',
  label: '查询门店商品价格',
  access: may['store.view'],
  filter: { ...sortedBy('goodsCode'), ...goodsFilters },
  output: z.strictObject({
    id: idOut,
    storeId: idOut,
    storeNo: field('门店编号', z.string(), { width: 160 }),
    storeName: field('门店', z.string(), { width: 240 }),
    goodsCode: field('商品编码', z.string()),
    goodsName: field('商品', z.string(), { width: 220 }),
    spec: field('规格', z.string(), { width: 160 }),
    priceFen: field('价格（元）', fenOut),
    inStock: field('有货', z.boolean()),
    stockAt: field('库存时间', instantOut),
    effectiveFrom: field('生效日期', dayOut),
  }),
});
export const exportStoreGoodsList = exportOf(queryStoreGoodsList, {
  operation: 'exportStoreGoodsList',
  label: '导出门店商品价格',
  access: may['store.export'],
});
