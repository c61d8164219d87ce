import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { field } from '#kernel/contract/field.ts';
import { day, id, idOut, version } from '#kernel/contract/fields.ts';
import { ADDED, CHANGED } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { auditInput, auditRights } from '../documents/auditCall.ts';
import { documentPhases, productVersionStates } from '../documents/states.ts';
import { productLines, productTypes } from '../businessLines.ts';
import { versionDocument } from '../model/document.ts';
import { namedThings } from '../model/names.ts';
import { productPermissions as may } from '../permissions.ts';
import { productFacts } from './facts.ts';
import { productService } from './options.ts';
import { productStates } from './states.ts';

export const addProduct = productService.act({
  operation: 'addProduct',
  label: '新增保险产品',
  access: may['product.edit'],
  ...ADDED,
  input: productFacts.shape,
  output: actionAnswer,
});
export const modifyProduct = productService.act({
  operation: 'modifyProduct',
  label: '修改保险产品',
  access: may['product.edit'],
  ...CHANGED,
  input: { id, version, ...productFacts.shape },
  output: actionAnswer,
});
const versionBrief = z.strictObject({
  id: idOut,
  versionNo: z.int(),
  effectiveFrom: z.string(),
  effectiveTo: z.nullable(z.string()),
  state: productVersionStates.dictionary.schema,
  phase: documentPhases.schema,
  changeNote: z.string(),
  makerId: z.nullable(idOut),
  makerName: z.nullable(z.string()),
  checkerId: z.nullable(idOut),
  checkerName: z.nullable(z.string()),
  version: z.int(),
  allowedActions: actionsOf(productVersionStates),
});
export type VersionBrief = z.output<typeof versionBrief>;

export const queryProductDetail = productService.read({
  operation: 'queryProductDetail',
  label: '查询保险产品详情',
  access: may['product.view'],
  input: { productId: field('产品', id) },
  output: z.strictObject({
    product: z.strictObject({
      id: idOut,
      productCode: z.string(),
      productName: z.string(),
      shortName: field('简称', z.string()),
      productLine: field('业务线', productLines.schema),
      productType: field('产品类型', productTypes.schema),
      insurerId: z.nullable(idOut),
      insurerName: field('保司', z.nullable(z.string())),
      sponsorName: field('出资企业', z.nullable(z.string())),
      pharmaCompanyId: z.nullable(idOut),
      adcodes: field('销售地区', z.array(z.string())),
      ownerUserId: z.nullable(idOut),
      ownerName: field('产品经理', z.nullable(z.string())),
      pharmaCompanyName: field('药企', z.nullable(z.string())),
      status: productStates.dictionary.schema,
      version: z.int(),
      allowedActions: z.array(z.string()),
    }),
    versions: z.array(versionBrief),
    timeline: trail,
  }),
});

const saved = z.strictObject({ productVersionId: idOut, version: z.int() });
/** A copy of another version of the product where one is named, with its claim rules and test cases; an empty draft else. */
export const addProductVersion = productService.act({
  operation: 'addProductVersion',
  label: '新建产品版本',
  access: may['product.edit'],
  ...ADDED,
  input: { productId: field('产品', id), copyFrom: field('复制自', z.optional(id)), effectiveFrom: field('生效日', day) },
  output: saved,
});
export const modifyProductVersion = productService.act({
  operation: 'modifyProductVersion',
  label: '修改产品版本',
  access: may['product.edit'],
  ...CHANGED,
  input: { productVersionId: field('产品版本', id), version, document: field('版本内容', versionDocument) },
  output: saved,
});
export const queryProductVersionDetail = productService.read({
  operation: 'queryProductVersionDetail',
  label: '查询产品版本',
  access: may['product.view'],
  input: { productVersionId: field('产品版本', id) },
  output: z.strictObject({
    head: versionBrief,
    productId: idOut,
    productCode: z.string(),
    productName: z.string(),
    productLine: productLines.schema,
    document: versionDocument,
    named: namedThings,
    pins: z.int(),
    timeline: trail,
  }),
});
export const checkProductVersion = productService.read({
  operation: 'checkProductVersion',
  label: '校验产品版本',
  access: may['product.edit'],
  input: { productVersionId: field('产品版本', id) },
  output: z.strictObject({
    problems: z.array(z.strictObject({ path: z.string(), level: z.enum(['ERROR', 'WARN']), message: z.string() })),
  }),
});
export const auditProductVersion = productService.act({
  operation: 'auditProductVersion',
  label: '提交、审核、撤回产品版本',
  access: access.byAction('action', auditRights(may['product.edit'], may['product.audit']), may['product.audit']),
  ...CHANGED,
  input: auditInput,
  output: actionAnswer,
});
