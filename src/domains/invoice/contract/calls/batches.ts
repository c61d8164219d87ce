import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { fen, id, idOut, instantOut, opinion, optionalText, several, textOrNull, version, wholeText } from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, CHANGED, declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { batchOutcomes } from '../dictionaries.ts';
import { invoicePermissions as may } from '../permissions.ts';
import { refundBatchMachine } from '../states.ts';
import { refundRow } from './refunds.ts';

const service = declareService('PaymentService');
const view = may['payment.view'];
/** Refunds that one batch may hold. */
const MOST = 500;

const batchRow = z.strictObject({
  id: idOut,
  batchNo: field('批次号', z.string(), { width: 170 }),
  itemCount: field('笔数', z.int(), { width: 70 }),
  amountFen: field('退款金额', fen),
  okCount: field('成功', z.int(), { width: 70 }),
  failCount: field('失败', z.int(), { width: 70 }),
  unknownCount: field('结果未知', z.int(), { width: 90 }),
  makerName: field('制单人', z.string(), { width: 90 }),
  approverName: field('复核人', textOrNull, { width: 90 }),
  executorName: field('执行人', textOrNull, { width: 90 }),
  createdAt: field('制单时间', instantOut),
  startedAt: field('执行时间', z.nullable(instantOut)),
  finishedAt: field('完成时间', z.nullable(instantOut)),
  status: field('状态', refundBatchMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(refundBatchMachine),
});
export type RefundBatchRow = z.output<typeof batchRow>;

export const queryRefundBatchList = service.list({
  operation: 'queryRefundBatchList',
  label: '查询退款批次',
  access: view,
  filter: {
    batchNo: z.optional(wholeText('批次号', 30)),
    status: field('状态', z.optional(several(refundBatchMachine.dictionary.schema))),
  },
  output: batchRow,
});
export const exportRefundBatch = exportOf(queryRefundBatchList, {
  operation: 'exportRefundBatch',
  label: '导出退款批次',
  access: may['payment.export'],
});
export const queryRefundBatchDetail = service.read({
  operation: 'queryRefundBatchDetail',
  label: '查看退款批次',
  access: view,
  input: { refundBatchId: field('退款批次', id) },
  output: z.strictObject({
    batch: batchRow,
    opinion: field('复核意见', textOrNull),
    items: z.array(
      z.strictObject({
        refund: refundRow,
        /** What became of it in this batch; null: open. */
        outcome: field('本批结果', z.nullable(batchOutcomes.schema)),
        failReason: field('失败原因', textOrNull),
      }),
    ),
    trail,
  }),
});

const answer = acted(refundBatchMachine.dictionary.schema);
const onBatch = { refundBatchId: field('退款批次', id), version };
export const addRefundBatch = service.act({
  operation: 'addRefundBatch',
  label: '新建退款批次',
  access: may['refund.make'],
  idempotency: 'required',
  message: '新增成功!',
  input: {
    refundIds: field('退款单', z.array(id).check(z.minLength(1, '请选择退款单'), z.maxLength(MOST, `一个批次最多${MOST}笔退款`))),
  },
  output: answer,
});
export const auditRefundBatch = service.act({
  operation: 'auditRefundBatch',
  label: '复核退款批次',
  access: may['refund.approve'],
  idempotency: 'required',
  ...CHANGED,
  input: { ...onBatch, decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')), opinion: optionalText('意见', 500) },
  output: answer,
});
export const voidRefundBatch = service.act({
  operation: 'voidRefundBatch',
  label: '作废退款批次',
  access: may['refund.make'],
  input: { ...onBatch, opinion },
  output: answer,
});
/** As a query parameter carries it. */
const versionParameter = field(
  '版本号',
  z.pipe(
    z.union([z.number(), z.string()]),
    z.pipe(
      z.transform((value: number | string) => Number(value)),
      version,
    ),
  ),
);
/** GET by the specification: it only starts an approved batch; repeated, it answers the same and does nothing. */
export const batchRefund = service.act({
  operation: 'batchRefund',
  label: '执行批量退款',
  method: 'GET',
  access: may['refund.execute'],
  idempotency: 'required',
  input: { refundBatchId: field('退款批次', id), version: versionParameter },
  output: z.strictObject({ status: refundBatchMachine.dictionary.schema, count: z.int(), started: z.boolean() }),
});
