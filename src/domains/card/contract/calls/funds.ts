import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { declareService } from '#kernel/contract/service.ts';
import { field } from '#kernel/contract/field.ts';
import { day, dayOut, fen, id, idOut, instantOut, optionalText, text, version, wholeText } from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { funders } from '../dictionaries.ts';
import { cardPermissions as may } from '../permissions.ts';
import { prepayMachine } from '../useStates.ts';

const service = declareService('CardFundService');
const view = may['card.view'];
const canExport = may['card.export'];

const balanceRow = z.strictObject({
  key: z.string(),
  funderType: field('出资方类型', funders.schema, { width: 100 }),
  funderId: idOut,
  funderName: field('出资方', z.string(), { width: 180 }),
  productCode: field('产品', z.nullable(z.string()), { width: 120 }),
  prepaid: field('累计预付', fen),
  used: field('已使用', fen),
  left: field('余额', fen),
  pending: field('待复核', fen),
});
export const queryFundBalanceList = service.list({
  operation: 'queryFundBalanceList',
  label: '查询出资方预付余额',
  access: view,
  filter: {
    ...sortedBy('prepaid', 'pending'),
    funderType: field('出资方类型', z.optional(funders.schema)),
    funderName: z.optional(text('出资方', 60)),
  },
  output: balanceRow,
});
export const exportFundBalanceList = exportOf(queryFundBalanceList, {
  operation: 'exportFundBalanceList',
  label: '导出出资方预付余额',
  access: canExport,
});

const prepayRow = z.strictObject({
  id: idOut,
  prepayNo: field('登记单号', z.string(), { width: 160 }),
  funderType: field('出资方类型', funders.schema, { width: 100 }),
  funderId: idOut,
  funderName: field('出资方', z.string(), { width: 180 }),
  productCode: field('产品', z.nullable(z.string()), { width: 120 }),
  amount: field('到账金额', fen),
  bankSerialNo: field('银行流水号', z.string(), { width: 180 }),
  receivedOn: field('到账日期', dayOut, { width: 110 }),
  voucherFileId: z.nullable(idOut),
  status: field('状态', prepayMachine.dictionary.schema),
  createdBy: field('登记人', z.string(), { width: 90 }),
  createdAt: field('登记时间', instantOut),
  confirmedBy: field('复核人', z.nullable(z.string()), { width: 90 }),
  opinion: field('意见', z.nullable(z.string()), { width: 160 }),
  version: z.int(),
  allowedActions: actionsOf(prepayMachine),
});
export type FundPrepayRow = z.output<typeof prepayRow>;
export const queryFundPrepayList = service.list({
  operation: 'queryFundPrepayList',
  label: '查询出资方预付登记',
  access: view,
  filter: {
    ...sortedBy('prepayNo', 'amount', 'receivedOn', 'createdAt'),
    prepayNo: z.optional(wholeText('登记单号', 40)),
    bankSerialNo: z.optional(text('银行流水号', 60)),
    funderName: z.optional(text('出资方', 60)),
    status: field('状态', z.optional(prepayMachine.dictionary.schema)),
    dateFrom: field('到账日期起', z.optional(day)),
    dateTo: field('到账日期止', z.optional(day)),
  },
  output: prepayRow,
});
export const exportFundPrepayList = exportOf(queryFundPrepayList, {
  operation: 'exportFundPrepayList',
  label: '导出出资方预付登记',
  access: canExport,
});

const answer = z.strictObject({ id: idOut, prepayNo: z.string(), status: prepayMachine.dictionary.schema, version: z.int() });
export const addFundPrepay = service.act({
  operation: 'addFundPrepay',
  label: '登记预付到账',
  access: may['fund.edit'],
  idempotency: 'required',
  input: {
    cardTypeId: field('卡种', id),
    amount: field('到账金额', fen.check(z.minimum(1, '到账金额须大于0'), z.maximum(100_000_000_000, '到账金额过大'))),
    bankSerialNo: text('银行流水号', 60, 4),
    receivedOn: field('到账日期', day),
    voucherFileId: field('到账凭证', id),
  },
  output: answer,
});
export const auditFundPrepay = service.act({
  operation: 'auditFundPrepay',
  label: '复核预付到账',
  access: may['fund.audit'],
  idempotency: 'required',
  input: {
    prepayId: field('预付单', id),
    version,
    decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')),
    opinion: optionalText('意见', 500),
  },
  output: answer,
});

/** Card types whose funders pay in advance. */
export const queryFunderTypeOptions = service.read({
  operation: 'queryFunderTypeOptions',
  label: '查询预付卡种',
  access: view,
  input: {},
  output: z.array(z.strictObject({ value: idOut, label: z.string() })),
});
