import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { declareService } from '#kernel/contract/service.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fen,
  id,
  idOut,
  instantOut,
  optionalText,
  several,
  text,
  version,
  mobileText,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { idTypes } from '#domains/patient/contract/dictionaries.ts';
import { cardKinds } from '../dictionaries.ts';
import { grantMachine, grantSources, lineStates } from '../grantStates.ts';
import { cardPermissions as may } from '../permissions.ts';

const service = declareService('CardGrantService');
const view = may['card.view'];
const edit = may['grant.edit'];
const canExport = may['card.export'];

const facts = {
  id: idOut,
  grantNo: field('发放单号', z.string(), { width: 160 }),
  cardTypeId: idOut,
  typeName: field('卡种', z.string(), { width: 200 }),
  kind: field('类型', cardKinds.schema, { width: 90 }),
  source: field('来源', grantSources.schema, { width: 90 }),
  totalCount: field('人数', z.int(), { width: 80 }),
  totalAmount: field('本金', fen),
  totalBonus: field('赠金', fen),
  okCount: field('成功', z.int(), { width: 70 }),
  failCount: field('失败', z.int(), { width: 70 }),
  status: field('状态', grantMachine.dictionary.schema),
  /** Its execution was interrupted and is to be taken up again; since when nobody works on it. */
  waitingSince: field('等待重试自', z.nullable(instantOut), { width: 150 }),
  createdBy: field('制单人', z.string(), { width: 90 }),
  submittedBy: field('提交人', z.nullable(z.string()), { width: 90 }),
  approvedBy: field('审批人', z.nullable(z.string()), { width: 120 }),
  createdAt: field('创建时间', instantOut),
  version: z.int(),
  allowedActions: actionsOf(grantMachine),
};
const row = z.strictObject(facts);
export type GrantRow = z.output<typeof row>;
export const queryGrantList = service.list({
  operation: 'queryGrantList',
  label: '查询储值发放单',
  access: view,
  filter: {
    ...sortedBy('grantNo', 'createdAt'),
    grantNo: z.optional(wholeText('发放单号', 40)),
    cardTypeId: field('卡种', z.optional(id)),
    source: field('来源', z.optional(grantSources.schema)),
    status: field('状态', z.optional(several(grantMachine.dictionary.schema))),
    dateFrom: field('创建时间起', z.optional(day)),
    holderName: z.optional(personName('持卡人', 40)),
    policyNo: z.optional(wholeText('保单号', 40)),
    outerSerialNo: z.optional(wholeText('外部流水号', 60)),
    dateTo: field('创建时间止', z.optional(day)),
  },
  output: row,
});
export const exportGrantList = exportOf(queryGrantList, { operation: 'exportGrantList', label: '导出储值发放单', access: canExport });

const line = z.strictObject({
  id: idOut,
  grantId: idOut,
  grantNo: field('发放单号', z.string(), { width: 160 }),
  rowNo: field('行号', z.int(), { width: 70 }),
  typeName: field('卡种', z.string(), { width: 180 }),
  holderName: field('持卡人', z.string(), { width: 90 }),
  idNo: field('证件号', z.string(), { width: 170 }),
  mobile: field('手机号', z.string(), { width: 120 }),
  policyNo: field('保单号', z.nullable(z.string()), { width: 150 }),
  outerSerialNo: field('外部流水号', z.nullable(z.string()), { width: 150 }),
  amount: field('本金', fen),
  bonus: field('赠金', fen),
  revokedAmount: field('已撤回', fen),
  effectiveFrom: field('生效日期', z.nullable(dayOut), { width: 110 }),
  expireOn: field('失效日期', z.nullable(dayOut), { width: 110 }),
  cardId: z.nullable(idOut),
  cardNo: field('卡号', z.nullable(z.string()), { width: 180 }),
  state: field('结果', lineStates.schema),
  failReason: field('失败原因', z.nullable(z.string()), { width: 220 }),
  doneAt: field('发放时间', z.nullable(instantOut)),
});
export type GrantLineRow = z.output<typeof line>;
export const queryGrantLineList = service.list({
  operation: 'queryGrantLineList',
  label: '查询储值发放明细',
  access: view,
  filter: {
    grantId: field('发放单', z.optional(id)),
    grantNo: z.optional(wholeText('发放单号', 40)),
    cardTypeId: field('卡种', z.optional(id)),
    holderName: z.optional(personName('持卡人', 40)),
    policyNo: z.optional(wholeText('保单号', 40)),
    outerSerialNo: z.optional(wholeText('外部流水号', 60)),
    state: field('结果', z.optional(several(lineStates.schema))),
  },
  output: line,
});
export const exportGrantResult = exportOf(queryGrantLineList, {
  operation: 'exportGrantResult',
  label: '导出储值发放明细',
  access: canExport,
});

export const queryGrantDetail = service.read({
  operation: 'queryGrantDetail',
  label: '查询储值发放单详情',
  access: view,
  input: { grantId: field('发放单', id) },
  output: z.strictObject({ ...facts, purpose: z.string(), opinion: z.nullable(z.string()), needsSecond: z.boolean(), trail }),
});

const wish = z.strictObject({
  holderName: field('姓名', personName('姓名', 40, 1)),
  idType: field('证件类型', idTypes.schema),
  idNo: field('证件号', text('证件号', 30, 5)),
  mobile: field('手机号', mobileText('请输入正确的手机号')),
  amount: field('发放金额', fen.check(z.minimum(0, '发放金额须大于0'), z.maximum(100_000_000, '发放金额不能大于100万元'))),
  bonus: field('赠送金额', z._default(fen.check(z.minimum(0, '赠送金额不能小于0'), z.maximum(100_000_000, '赠送金额不能大于100万元')), 0)),
  /** The value comes on this day; none: as soon as the grant is passed. */
  effectiveFrom: field('生效日期', z._default(z.nullable(day), null)),
  expireOn: field('失效日期', z._default(z.nullable(day), null)),
  policyNo: field('保单号', z._default(z.nullable(text('保单号', 40)), null)),
  outerSerialNo: field('外部流水号', z._default(z.nullable(text('外部流水号', 60, 1)), null)),
});
export type GrantWish = z.output<typeof wish>;
const answer = z.strictObject({ id: idOut, grantNo: z.string(), status: grantMachine.dictionary.schema, version: z.int() });

export const addGrant = service.act({
  operation: 'addGrant',
  label: '新增储值发放',
  access: edit,
  message: '添加成功!',
  input: { cardTypeId: field('卡种', id), purpose: optionalText('发放说明', 200), ...wish.shape },
  output: answer,
});
/** A list of people: its preview names what is wrong in which cell, and nothing is written before it is without fault. */
export const importGrant = service.act({
  operation: 'importGrant',
  label: '导入储值发放名单',
  access: edit,
  log: 'IMPORT',
  input: { cardTypeId: field('卡种', id), ...importFields },
  output: importStarted,
});
const ofVersion = { grantId: field('发放单', id), version };
export const submitGrant = service.act({ operation: 'submitGrant', label: '提交储值发放', access: edit, input: ofVersion, output: answer });
export const auditGrant = service.act({
  operation: 'auditGrant',
  label: '审批储值发放',
  access: access.byAction('stage', { FIRST: may['grant.approve'], SECOND: may['grant.approve2'] }, may['grant.approve']),
  idempotency: 'required',
  input: {
    grantId: field('发放单', id),
    version,
    stage: field('审批级别', z.enum(['FIRST', 'SECOND'], '请选择审批级别')),
    decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')),
    opinion: optionalText('意见', 500),
  },
  output: answer,
});
export const retryGrant = service.act({
  operation: 'retryGrant',
  label: '重试储值发放',
  access: edit,
  idempotency: 'required',
  input: ofVersion,
  output: answer,
});
export const revokeGrant = service.act({
  operation: 'revokeGrant',
  label: '撤回储值发放',
  access: may['grant.approve'],
  idempotency: 'required',
  input: {
    grantId: field('发放单', id),
    version,
    lineId: field('发放明细', z.optional(id)),
    amount: field('撤回金额', z.optional(fen.check(z.minimum(1, '撤回金额须大于0')))),
    opinion: field('意见', text('意见', 500, 1)),
  },
  output: answer,
});
