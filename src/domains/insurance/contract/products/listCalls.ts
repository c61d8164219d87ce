import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { day, id, idOut, instantOut, optionalText, several, text, version } from '#kernel/contract/fields.ts';
import { CHANGED, COPIED, DELETED, nothing } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { productLines, productTypes } from '../businessLines.ts';
import { productVersionStates } from '../documents/states.ts';
import { rateGenders, socialStatuses } from '../model/dictionaries.ts';
import { versionSections } from '../model/sections.ts';
import { productPermissions as may } from '../permissions.ts';
import { productFacts } from './facts.ts';
import { productService } from './options.ts';
import { productStates } from './states.ts';

const productState = productStates.dictionary.schema;

const filter = {
  productCode: z.optional(text('产品编码', 32)),
  productName: z.optional(text('产品名称', 60)),
  insurerId: field('保司', z.optional(id)),
  productLine: field('业务线', z.optional(several(productLines.schema))),
  productType: field('产品类型', z.optional(several(productTypes.schema))),
  status: field('状态', z.optional(several(productState))),
  adcode: field('销售地区', z.optional(z.string().check(z.regex(/^\d{6}$/, '地区不正确')))),
  versionState: field('版本状态', z.optional(several(productVersionStates.dictionary.schema))),
  ownerUserId: field('产品经理', z.optional(id)),
};

/** A version in a few words, and where it is. */
const versionShort = z.nullable(z.strictObject({ id: idOut, versionNo: z.int(), text: z.string() }));

const productRow = z.strictObject({
  id: idOut,
  productCode: field('产品编码', z.string(), { width: 150 }),
  productName: field('产品名称', z.string(), { width: 220 }),
  productLine: field('业务线', productLines.schema, { width: 110 }),
  productType: field('类型', productTypes.schema, { width: 140 }),
  payerName: field('保司/出资方', z.string(), { width: 180 }),
  current: field('当前版本', versionShort, { width: 210, text: (one) => one?.text ?? '' }),
  next: field('下一版本', versionShort, { width: 210, text: (one) => one?.text ?? '' }),
  linkCount: field('附加/关联数', z.int(), { width: 100 }),
  policyCount: field('有效保单数', z.int(), { width: 100 }),
  ownerName: field('产品经理', z.nullable(z.string()), { width: 90 }),
  status: field('状态', productState),
  updatedByName: field('更新人', z.nullable(z.string()), { width: 90 }),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type ProductRow = z.output<typeof productRow>;

export const queryProductList = productService.list({
  operation: 'queryProductList',
  label: '查询保险产品',
  access: may['product.view'],
  filter: { ...filter, ...sortedBy('productCode', 'linkCount', 'policyCount', 'updatedAt') },
  output: productRow,
});
export const exportProductList = exportOf(queryProductList, {
  operation: 'exportProductList',
  label: '导出保险产品',
  access: may['product.view'],
});
/** How many products stand in each state, of those that the viewer sees. */
export const queryProductCounts = productService.read({
  operation: 'queryProductCounts',
  label: '查询保险产品各状态数量',
  access: may['product.view'],
  input: {},
  output: z.array(z.strictObject({ status: productState, count: z.int() })),
});
export const changeProductStatus = productService.act({
  operation: 'changeProductStatus',
  label: '产品上架、停售、下架',
  access: may['product.shelf'],
  ...CHANGED,
  input: {
    id,
    version,
    action: field('操作', z.enum(['onSale', 'suspend', 'resume', 'retire'], '操作不正确')),
    opinion: optionalText('意见', 200),
  },
  output: actionAnswer,
});

export const delProduct = productService.act({
  operation: 'delProduct',
  label: '删除保险产品',
  access: may['product.edit'],
  ...DELETED,
  input: { id, version },
  output: nothing,
});
/** Another product that says the same: its newest version becomes a draft of the copy, with rules, test cases and without clauses. */
export const copyProduct = productService.act({
  operation: 'copyProduct',
  label: '复制保险产品',
  access: may['product.edit'],
  ...COPIED,
  input: {
    id,
    productCode: productFacts.shape.productCode,
    productName: productFacts.shape.productName,
    effectiveFrom: field('生效日', day),
  },
  output: actionAnswer,
});
export const delProductVersion = productService.act({
  operation: 'delProductVersion',
  label: '删除产品版本',
  access: may['product.edit'],
  ...DELETED,
  input: { productVersionId: field('产品版本', id), version },
  output: nothing,
});

export const quotePremium = productService.read({
  operation: 'quotePremium',
  label: '试算保费',
  access: may['product.view'],
  input: {
    productVersionId: field('产品版本', id),
    planCode: text('计划', 24, 1),
    birthDate: field('出生日期', day),
    gender: field('性别', z.enum(['M', 'F'], '请选择性别')),
    social: field('医保', z.enum(['YES', 'NO'], '请选择有无医保')),
    from: field('起保日期', day),
    to: field('终保日期', day),
  },
  output: z.strictObject({
    annualPremiumFen: field('年保费', z.int(), { kind: 'money' }),
    days: field('保障天数', z.int()),
    amountFen: field('应收保费', z.int(), { kind: 'money' }),
    steps: z.array(z.string()),
  }),
});
export const quoteGenders = rateGenders.options.filter(({ value }) => value !== 'ANY');
export const quoteSocials = socialStatuses.options.filter(({ value }) => value !== 'ANY');

const difference = z.strictObject({
  section: versionSections.schema,
  label: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export const diffProductVersion = productService.read({
  operation: 'diffProductVersion',
  label: '比较产品版本',
  access: may['product.view'],
  input: { fromId: field('原版本', id), toId: field('新版本', id) },
  output: z.strictObject({ fromNo: z.int(), toNo: z.int(), differences: z.array(difference) }),
});
