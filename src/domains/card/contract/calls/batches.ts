import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { declareService } from '#kernel/contract/service.ts';
import { field } from '#kernel/contract/field.ts';
import { day, fen, id, idOut, instantOut, optionalText, several, text, version, wholeText } from '#kernel/contract/fields.ts';
import { trailEntry } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { cardKinds } from '../dictionaries.ts';
import { cardPermissions as may } from '../permissions.ts';
import { storedTerms } from '../terms.ts';
import { batchMachine, media } from '../typeDictionaries.ts';

const service = declareService('CardBatchService');
const view = may['card.view'];
const edit = may['batch.edit'];

const facts = {
  id: idOut,
  batchNo: field('批次号', z.string(), { width: 150 }),
  cardTypeId: idOut,
  typeName: field('卡种', z.string(), { width: 200 }),
  kind: field('类型', cardKinds.schema, { width: 90 }),
  medium: field('介质', media.schema, { width: 70 }),
  quantity: field('数量', z.int(), { width: 80 }),
  faceAmount: field('面额', fen),
  bonusAmount: field('赠送', fen),
  totalAmount: field('总金额', fen),
  generatedCount: field('已制卡', z.int(), { width: 80 }),
  issuedCount: field('已发放', z.int(), { width: 80 }),
  activatedCount: field('已激活', z.int(), { width: 80 }),
  status: field('状态', batchMachine.dictionary.schema),
  createdBy: field('创建人', z.string(), { width: 90 }),
  submittedBy: field('提交人', z.nullable(z.string()), { width: 90 }),
  approvedBy: field('审批人', z.nullable(z.string()), { width: 120 }),
  createdAt: field('创建时间', z.nullable(instantOut)),
  version: z.int(),
  allowedActions: actionsOf(batchMachine),
};
const row = z.strictObject(facts);
export type BatchRow = z.output<typeof row>;

export const queryBatchList = service.list({
  operation: 'queryBatchList',
  label: '查询发卡批次',
  access: view,
  filter: {
    ...sortedBy('batchNo', 'quantity', 'faceAmount', 'bonusAmount', 'totalAmount', 'generatedCount', 'createdAt'),
    batchNo: z.optional(wholeText('批次号', 40)),
    cardTypeId: field('卡种', z.optional(id)),
    kind: field('类型', z.optional(cardKinds.schema)),
    medium: field('介质', z.optional(media.schema)),
    status: field('状态', z.optional(several(batchMachine.dictionary.schema))),
    creator: z.optional(text('创建人', 40)),
    dateFrom: field('创建时间起', z.optional(day)),
    dateTo: field('创建时间止', z.optional(day)),
  },
  output: row,
});
export const exportBatchList = exportOf(queryBatchList, {
  operation: 'exportBatchList',
  label: '导出发卡批次',
  access: may['card.export'],
});

const exportLine = z.strictObject({
  action: z.enum(['EXPORT', 'REVEAL']),
  userName: z.string(),
  opinion: z.nullable(z.string()),
  ip: z.string(),
  at: instantOut,
});
/** One batch: its cards by state, its value by what became of it, who passed it and who took its secrets. */
export const batchDetails = service.read({
  operation: 'batchDetails',
  label: '查询发卡批次详情',
  method: 'GET',
  access: view,
  input: { batchId: field('批次', id) },
  output: z.strictObject({
    ...facts,
    purpose: z.string(),
    ruleVersion: z.int(),
    terms: storedTerms,
    exportCount: z.int(),
    passwordShown: z.boolean(),
    funnel: z.array(z.strictObject({ label: z.string(), count: z.int() })),
    /** Of the stock: `unsold`, `voidedStock`. Of what was `granted`: where it is now; `moved` is what cards of other batches took over. */
    amounts: z.strictObject({
      total: fen,
      unsold: fen,
      voidedStock: fen,
      granted: fen,
      available: fen,
      held: fen,
      spent: fen,
      expired: fen,
      takenBack: fen,
      moved: z.int(),
    }),
    exports: z.array(exportLine),
    trail: z.array(trailEntry),
  }),
});
export type BatchDetails = z.output<typeof batchDetails.output>;

const wishes = {
  quantity: field(
    '数量',
    z.int('数量须为1–100000的整数').check(z.minimum(1, '数量须为1–100000的整数'), z.maximum(100_000, '数量须为1–100000的整数')),
  ),
  faceAmount: field('面额', fen.check(z.minimum(0, '面额不能小于0'), z.maximum(100_000_000, '面额不能大于100万元'))),
  bonusAmount: field('赠送', z._default(fen.check(z.minimum(0, '赠送不能小于0'), z.maximum(100_000_000, '赠送不能大于100万元')), 0)),
  medium: field('介质', media.schema),
  purpose: field('用途', text('用途', 200, 1)),
};
const answer = z.strictObject({ id: idOut, batchNo: z.string(), status: batchMachine.dictionary.schema, version: z.int() });

export const addBatch = service.act({
  operation: 'addBatch',
  label: '新建发卡批次',
  access: edit,
  message: '添加成功!',
  input: { cardTypeId: field('卡种', id), ...wishes },
  output: answer,
});
export const modifyBatch = service.act({
  operation: 'modifyBatch',
  label: '修改发卡批次',
  access: edit,
  input: { batchId: field('批次', id), version, ...wishes },
  output: answer,
});
const ofVersion = { batchId: field('批次', id), version };
const withOpinion = { batchId: field('批次', id), version, opinion: field('意见', text('意见', 500, 1)) };
export const submitBatch = service.act({ operation: 'submitBatch', label: '提交发卡批次', access: edit, input: ofVersion, output: answer });
export const auditBatch = service.act({
  operation: 'auditBatch',
  label: '审批发卡批次',
  access: access.byAction('stage', { FIRST: may['batch.approve'], SECOND: may['batch.approve2'] }, may['batch.approve']),
  input: {
    batchId: field('批次', id),
    version,
    stage: field('审批级别', z.enum(['FIRST', 'SECOND'], '请选择审批级别')),
    decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')),
    opinion: optionalText('意见', 500),
  },
  output: answer,
});
export const generateBatch = service.act({
  operation: 'generateBatch',
  label: '制卡',
  access: edit,
  idempotency: 'required',
  input: ofVersion,
  output: answer,
});
export const exportBatchSecret = service.file({
  operation: 'exportBatchSecret',
  label: '导出卡密',
  access: may['batch.export'],
  log: 'EXPORT',
  input: withOpinion,
  output: z.strictObject({}),
});
export const revealBatchPassword = service.act({
  operation: 'revealBatchPassword',
  label: '查看卡密文件密码',
  access: may['batch.approve'],
  log: 'REVEAL',
  input: { batchId: field('批次', id) },
  output: z.strictObject({ password: z.string() }),
});
export const closeBatch = service.act({
  operation: 'closeBatch',
  label: '关闭发卡批次',
  access: may['batch.approve'],
  input: withOpinion,
  output: answer,
});
export const voidBatch = service.act({
  operation: 'voidBatch',
  label: '作废发卡批次',
  access: may['batch.approve'],
  idempotency: 'required',
  input: withOpinion,
  output: answer,
});
