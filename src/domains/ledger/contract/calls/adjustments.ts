import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { fen, fenOut, id, idOut, instantOut, optionalText, several, text, version, wholeText } from '#kernel/contract/fields.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { adjustmentStates, adjustReasons } from '../adjustments.ts';
import { books, sides } from '../books.ts';
import { ledgerPermissions as may } from '../permissions.ts';
import { accountNo, accountOut, book, service } from './shared.ts';

const makes = may['adjust.make'];
/** Makers and checkers look at them through the accounts that they may see. */
const sees = may['account.view'];

const row = z.strictObject({
  id: idOut,
  adjustNo: field('调账单号', z.string(), { width: 180 }),
  book: field('账簿', books.schema),
  reasonCode: field('原因类型', adjustReasons.schema),
  reason: field('原因说明', z.string(), { width: 220 }),
  totalFen: field('金额', fenOut),
  status: adjustmentStates.dictionary.schema,
  makerId: idOut,
  makerName: field('制单人', z.string(), { width: 110 }),
  checkerName: field('复核人', z.nullable(z.string()), { width: 110 }),
  secondCheckerName: field('二级复核人', z.nullable(z.string()), { width: 110 }),
  transferNo: field('凭证号', z.nullable(z.string()), { width: 180 }),
  createdAt: field('制单时间', instantOut),
  submittedAt: field('提交时间', z.nullable(instantOut)),
  version: z.int(),
  allowedActions: actionsOf(adjustmentStates),
});
export type AdjustmentRow = z.output<typeof row>;

export const queryLedgerAdjustmentList = service.list({
  operation: 'queryLedgerAdjustmentList',
  label: '查询调账',
  access: sees,
  filter: {
    ...sortedBy('adjustNo', 'totalFen', 'createdAt', 'submittedAt'),
    book,
    adjustNo: z.optional(wholeText('调账单号', 20)),
    reasonCode: field('原因类型', z.optional(several(adjustReasons.schema))),
    status: field('状态', z.optional(several(adjustmentStates.dictionary.schema))),
    makerName: z.optional(text('制单人', 40)),
  },
  output: row,
});
export const exportLedgerAdjustmentList = exportOf(queryLedgerAdjustmentList, {
  operation: 'exportLedgerAdjustmentList',
  label: '导出调账',
  access: sees,
});

const leg = z.strictObject({
  accountNo,
  side: field('方向', sides.schema),
  amountFen: field('金额', fen.check(z.minimum(1, '金额须大于0'), z.maximum(10_000_000_000_000, '金额超过单笔上限'))),
});
export type AdjustmentLeg = z.output<typeof leg>;

const facts = {
  book,
  legs: field('分录', z.array(leg).check(z.minLength(2, '至少两行分录'), z.maxLength(50, '最多50行分录'))),
  reasonCode: field('原因类型', adjustReasons.schema),
  reason: text('原因说明', 200, 10),
  attachmentIds: field('附件', z._default(z.array(id).check(z.maxLength(10, '最多10个附件')), [])),
};
const saved = z.strictObject({ id: idOut, adjustNo: z.string(), version: z.int() });

export const addLedgerAdjustment = service.act({
  operation: 'addLedgerAdjustment',
  label: '新增调账',
  access: makes,
  input: facts,
  output: saved,
});
export const modifyLedgerAdjustment = service.act({
  operation: 'modifyLedgerAdjustment',
  label: '修改调账',
  access: makes,
  input: { id, version, ...facts },
  output: saved,
});
export const submitLedgerAdjustment = service.act({
  operation: 'submitLedgerAdjustment',
  label: '提交调账复核',
  access: makes,
  input: { id, version },
  output: saved,
});
export const cancelLedgerAdjustment = service.act({
  operation: 'cancelLedgerAdjustment',
  label: '撤回调账',
  access: makes,
  input: { id, version },
  output: saved,
});
export const auditLedgerAdjustment = service.act({
  operation: 'auditLedgerAdjustment',
  label: '复核调账',
  access: access.owner(may['adjust.check'], may['adjust.check2']),
  idempotency: 'required',
  input: { id, version, decision: field('结论', z.enum(['PASS', 'REJECT'], '请选择结论')), opinion: optionalText('意见', 500) },
  output: saved,
});

export const queryLedgerAdjustmentDetail = service.read({
  operation: 'queryLedgerAdjustmentDetail',
  label: '查询调账详情',
  access: sees,
  input: { id },
  output: z.strictObject({
    adjustment: row,
    legs: z.array(
      z.strictObject({
        ...accountOut,
        side: sides.schema,
        amountFen: fenOut,
        /** Of its account now, and after all lines. */
        beforeFen: fenOut,
        afterFen: fenOut,
      }),
    ),
    attachments: z.array(
      z.strictObject({
        fileId: idOut,
        fileName: z.string(),
        detectedType: z.nullable(z.string()),
        size: z.nullable(z.number()),
        pageCount: z.nullable(z.int()),
      }),
    ),
    trail,
  }),
});
export type AdjustmentDetail = z.output<typeof queryLedgerAdjustmentDetail.output>;
