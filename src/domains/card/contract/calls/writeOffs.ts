import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { declareService } from '#kernel/contract/service.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  fen,
  fenOut,
  id,
  idOut,
  instantOut,
  opinion,
  optionalText,
  several,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { cardKinds, lotKinds } from '../dictionaries.ts';
import { operatorTypes, reversalReasons, settleStates } from '../useDictionaries.ts';
import { cardPermissions as may } from '../permissions.ts';
import { reversalMachine, writeOffMachine } from '../useStates.ts';

const service = declareService('CardWriteOffService');
const view = may['card.view'];
const edit = may['writeoff.edit'];

const head = {
  id: idOut,
  writeOffNo: field('核销单号', z.string(), { width: 160 }),
  cardId: idOut,
  cardNo: field('卡号', z.string(), { width: 170 }),
  kind: field('卡类型', cardKinds.schema, { width: 90 }),
  cardTypeName: field('卡种', z.string(), { width: 150 }),
  holderName: field('持卡人', z.nullable(z.string()), { width: 90, mask: 'name' }),
  orderNo: field('订单号', z.string(), { width: 160 }),
  orderId: idOut,
  merchantName: field('药店', z.string(), { width: 150 }),
  goods: field('商品×数量', z.string(), { width: 180 }),
  amount: field('核销金额', fen),
  times: field('次数', z.int(), { width: 70 }),
  fee: field('手续费', fen),
  reversed: field('已冲正', fen),
  operatorType: field('方式', operatorTypes.schema, { width: 80 }),
  state: writeOffMachine.dictionary.schema,
  receivableState: field('应收结算', settleStates.schema, { width: 90 }),
  payableState: field('应付结算', settleStates.schema, { width: 90 }),
  doneAt: field('核销时间', instantOut),
  version: z.int(),
} as const;
const row = z.strictObject({
  ...head,
  receivableBillNo: z.nullable(z.string()),
  payableBillNo: field('应付结算单', z.nullable(z.string())),
  reversible: fen,
});
export type WriteOffRow = z.output<typeof row>;

const filters = {
  writeOffNo: z.optional(wholeText('核销单号', 40)),
  orderNo: z.optional(wholeText('订单号', 40)),
  cardNo: z.optional(wholeText('卡号', 24)),
  holderKeyword: z.optional(personName('持卡人', 40)),
  cardTypeId: field('卡种', z.optional(id)),
  cardId: field('卡', z.optional(id)),
  kind: field('卡类型', z.optional(cardKinds.schema)),
  merchantId: field('药店', z.optional(id)),
  state: field('状态', z.optional(several(writeOffMachine.dictionary.schema))),
  settleState: field('应付结算', z.optional(settleStates.schema)),
  operatorType: field('方式', z.optional(operatorTypes.schema)),
  dateFrom: field('核销时间起', z.optional(day)),
  dateTo: field('核销时间止', z.optional(day)),
};
export const queryWriteOffList = service.list({
  operation: 'queryWriteOffList',
  label: '查询卡核销记录',
  access: view,
  filter: { ...filters, ...sortedBy('writeOffNo', 'doneAt') },
  output: row,
});
export const exportWriteOffList = exportOf(queryWriteOffList, {
  operation: 'exportWriteOffList',
  label: '导出卡核销记录',
  access: may['card.export'],
});
/** Sums of all that the same filters find. */
export const queryWriteOffTotal = service.read({
  operation: 'queryWriteOffTotal',
  label: '汇总卡核销记录',
  access: view,
  input: filters,
  output: z.strictObject({ count: z.int(), amount: fenOut, reversed: fenOut, net: fenOut, fee: fenOut }),
});

const usedLot = z.strictObject({ lotId: idOut, kind: lotKinds.schema, amount: fen, expireAt: z.nullable(instantOut) });
const reversalRow = z.strictObject({
  id: idOut,
  reversalNo: field('冲正单号', z.string(), { width: 160 }),
  writeOffId: idOut,
  writeOffNo: field('核销单号', z.string(), { width: 160 }),
  cardNo: field('卡号', z.string(), { width: 170 }),
  cardId: idOut,
  orderNo: field('订单号', z.string(), { width: 160 }),
  merchantName: field('药店', z.string(), { width: 150 }),
  amount: field('冲正金额', fen),
  fee: field('退回手续费', fen),
  reasonCode: field('原因', reversalReasons.schema, { width: 110 }),
  opinion: field('说明', z.string(), { width: 200 }),
  requestedBy: field('申请人', z.string(), { width: 90 }),
  createdAt: field('申请时间', instantOut),
  approvedBy: field('复核人', z.nullable(z.string()), { width: 90 }),
  status: field('状态', reversalMachine.dictionary.schema),
  doneAt: field('冲正时间', z.nullable(instantOut)),
  version: z.int(),
  allowedActions: actionsOf(reversalMachine),
});
export type ReversalRow = z.output<typeof reversalRow>;

export const queryWriteOffDetail = service.read({
  operation: 'queryWriteOffDetail',
  label: '查看卡核销',
  access: view,
  input: { writeOffId: field('核销记录', id) },
  output: z.strictObject({
    ...head,
    quantity: z.int(),
    net: fen,
    operator: z.string(),
    holdNo: z.string(),
    benefitName: z.nullable(z.string()),
    lots: z.array(usedLot),
    reversals: z.array(reversalRow),
    reversible: fen,
    transferNo: z.nullable(z.string()),
    /** Until when what expired meanwhile would be valid after a reversal; null: nothing would be prolonged. */
    graceUntil: z.nullable(instantOut),
  }),
});
export type WriteOffDetail = z.output<typeof queryWriteOffDetail.output>;

export const addReversal = service.act({
  operation: 'addReversal',
  label: '申请冲正',
  access: edit,
  idempotency: 'required',
  input: {
    writeOffId: field('核销记录', id),
    amount: field('冲正金额', fen.check(z.minimum(1, '冲正金额须大于0'))),
    reasonCode: field('原因', reversalReasons.schema),
    opinion,
  },
  output: z.strictObject({ id: idOut, reversalNo: z.string(), status: reversalMachine.dictionary.schema, version: z.int() }),
});
export const auditReversal = service.act({
  operation: 'auditReversal',
  label: '复核冲正',
  access: may['writeoff.approve'],
  idempotency: 'required',
  input: {
    reversalId: field('冲正单', id),
    version,
    decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')),
    opinion: optionalText('意见', 500),
  },
  output: z.strictObject({ id: idOut, reversalNo: z.string(), status: reversalMachine.dictionary.schema, version: z.int() }),
});
export const queryReversalList = service.list({
  operation: 'queryReversalList',
  label: '查询冲正',
  access: view,
  filter: {
    ...sortedBy('reversalNo', 'createdAt'),
    reversalNo: z.optional(wholeText('冲正单号', 40)),
    writeOffNo: z.optional(wholeText('核销单号', 40)),
    orderNo: z.optional(wholeText('订单号', 40)),
    cardNo: z.optional(wholeText('卡号', 24)),
    status: field('状态', z.optional(reversalMachine.dictionary.schema)),
  },
  output: reversalRow,
});
export const exportReversalList = exportOf(queryReversalList, {
  operation: 'exportReversalList',
  label: '导出冲正',
  access: may['card.export'],
});
