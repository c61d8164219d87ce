import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { day, id, idOut, several, text, version } from '#kernel/contract/fields.ts';
import { ADDED, CHANGED, declareService, DELETED, nothing, optionOut } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { auditInput, auditRights } from '../documents/auditCall.ts';
import { documentPhases, entitlementDefStates } from '../documents/states.ts';
import { entitlementPermissions as may } from '../permissions.ts';
import { couponModes, entitlementKinds } from './dictionaries.ts';
import { entitlementCode, entitlementContent, entitlementDocument } from './document.ts';

const service = declareService('EntitlementService', 'product');

/** A definition by the version that speaks for it today. */
const row = z.strictObject({
  id: idOut,
  entitlementCode: field('权益编码', z.string(), { width: 130 }),
  name: field('名称', z.string(), { width: 180 }),
  kind: field('类型', entitlementKinds.schema, { width: 90 }),
  versionNo: field('版本', z.int(), { width: 60 }),
  terms: field('优惠内容', z.string(), { width: 240 }),
  validity: field('有效期规则', z.string(), { width: 170 }),
  scopeText: field('适用范围', z.string(), { width: 180 }),
  effective: field('生效期', z.string(), { width: 190 }),
  phase: field('状态', documentPhases.schema, { width: 90 }),
  pins: field('引用批次', z.int(), { width: 90 }),
  version: z.int(),
  allowedActions: actionsOf(entitlementDefStates),
  openId: z.nullable(idOut),
  openVersionNo: z.nullable(z.int()),
  everPublished: z.boolean(),
});
export type EntitlementRow = z.output<typeof row>;

export const queryEntitlementDefList = service.list({
  operation: 'queryEntitlementDefList',
  label: '查询权益定义',
  access: may['entitlement.view'],
  filter: {
    ...sortedBy('entitlementCode', 'versionNo', 'pins'),
    keyword: z.optional(text('编码或名称', 40)),
    kind: field('类型', z.optional(several(entitlementKinds.schema))),
    phase: field('状态', z.optional(several(documentPhases.schema))),
  },
  output: row,
});
export const exportEntitlementDefList = exportOf(queryEntitlementDefList, {
  operation: 'exportEntitlementDefList',
  label: '导出权益定义',
  access: may['entitlement.view'],
});

export const queryEntitlementDefDetail = service.read({
  operation: 'queryEntitlementDefDetail',
  label: '查询权益定义详情',
  access: may['entitlement.view'],
  input: { id },
  output: z.strictObject({
    id: idOut,
    entitlementCode: z.string(),
    versionNo: z.int(),
    document: entitlementDocument,
    state: entitlementDefStates.dictionary.schema,
    phase: documentPhases.schema,
    version: z.int(),
    pins: z.array(z.strictObject({ refType: z.string(), refId: z.string() })),
    versions: z.array(z.strictObject({ id: idOut, versionNo: z.int(), phase: documentPhases.schema, changeNote: z.string() })),
    allowedActions: actionsOf(entitlementDefStates),
  }),
});

const saved = z.strictObject({ id: idOut, version: z.int() });
export const addEntitlementDef = service.act({
  operation: 'addEntitlementDef',
  label: '新增权益定义',
  access: may['entitlement.edit'],
  ...ADDED,
  input: { entitlementCode, ...entitlementContent },
  output: saved,
});
/** A draft that begins as a copy of the newest version. */
export const addEntitlementVersion = service.act({
  operation: 'addEntitlementVersion',
  label: '新建权益定义版本',
  access: may['entitlement.edit'],
  ...ADDED,
  input: { id, effectiveFrom: field('生效日', z.optional(day)) },
  output: saved,
});
export const modifyEntitlementDef = service.act({
  operation: 'modifyEntitlementDef',
  label: '修改权益定义',
  access: may['entitlement.edit'],
  ...CHANGED,
  input: { id, version, ...entitlementContent },
  output: saved,
});
export const removeEntitlementDef = service.act({
  operation: 'removeEntitlementDef',
  label: '删除权益定义',
  access: may['entitlement.edit'],
  ...DELETED,
  input: { id, version },
  output: nothing,
});
export const auditEntitlementDef = service.act({
  operation: 'auditEntitlementDef',
  label: '提交、审核、撤回权益定义',
  access: access.byAction('action', auditRights(may['entitlement.edit'], may['entitlement.audit']), may['entitlement.audit']),
  ...CHANGED,
  input: auditInput,
  output: actionAnswer,
});

/** Coupons that can be issued today. */
export const queryCouponOptions = service.read({
  operation: 'queryCouponOptions',
  label: '查询优惠券选项',
  method: 'GET',
  access: access.session,
  input: { keyword: z.optional(text('关键字', 40)), mode: field('优惠方式', z.optional(couponModes.schema)) },
  output: z.array(optionOut),
});
