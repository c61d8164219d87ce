import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { fenOut, flag, idOut, instant, instantOut, several, text, wholeText } from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { lotMoveKinds } from '../books.ts';
import { ledgerPermissions as may } from '../permissions.ts';
import { holdStates } from '../states.ts';
import { accountOut, link, scope, service } from './shared.ts';

const seen = may['account.view'];

const hold = z.strictObject({
  id: idOut,
  holdNo: field('预占单号', z.string(), { width: 180 }),
  /** Of all its accounts. */
  accountNos: field('账户编号', z.string(), { width: 150 }),
  ownerName: field('户名', z.string(), { width: 150 }),
  refLabel: z.string(),
  refNo: field('业务单号', z.string(), { width: 190 }),
  link,
  amountFen: field('金额', fenOut),
  capturedFen: field('已扣', fenOut),
  releasedFen: field('已释放', fenOut),
  leftFen: field('剩余', fenOut),
  expiresAt: field('到期时间', z.nullable(instantOut)),
  createdAt: field('预占时间', instantOut),
  closedAt: field('结束时间', z.nullable(instantOut)),
  releaseReason: field('释放原因', z.nullable(z.string()), { width: 140 }),
  operatorName: field('操作人', z.string(), { width: 110 }),
  status: field('状态', holdStates.schema),
  /** A part of a pending hold was captured. */
  partly: z.boolean(),
});
export type LedgerHoldRow = z.output<typeof hold>;

export const queryLedgerHoldList = service.list({
  operation: 'queryLedgerHoldList',
  label: '查询预占',
  access: seen,
  filter: {
    ...sortedBy('holdNo'),
    ...scope,
    holdNo: z.optional(wholeText('预占单号', 20)),
    refNo: z.optional(wholeText('业务单号', 64)),
    status: field('状态', z.optional(several(holdStates.schema))),
    expiresBefore: field('到期时间早于', z.optional(instant)),
  },
  output: hold,
});
export const exportLedgerHoldList = exportOf(queryLedgerHoldList, {
  operation: 'exportLedgerHoldList',
  label: '导出预占',
  access: seen,
});

const lot = z.strictObject({
  id: idOut,
  lotNo: field('批次号', z.string(), { width: 160 }),
  ...accountOut,
  refLabel: field('来源', z.string(), { width: 120 }),
  refId: z.string(),
  sourceTransferNo: field('来源凭证', z.string(), { width: 180 }),
  originalFen: field('原始', fenOut),
  remainingFen: field('剩余', fenOut),
  heldFen: field('预占', fenOut),
  validFrom: field('生效时间', instantOut),
  /** Exclusive; the last day on which it is good is the one before. */
  expiresAt: z.nullable(instantOut),
  lastDay: field('到期日', z.nullable(z.string()), { width: 120 }),
});
export type LedgerLotRow = z.output<typeof lot>;

export const queryLedgerLotList = service.list({
  operation: 'queryLedgerLotList',
  label: '查询额度批次',
  access: seen,
  filter: {
    ...sortedBy('lotNo'),
    ...scope,
    lotNo: z.optional(wholeText('批次号', 20)),
    onlyRemaining: field('仅看有剩余', z.optional(flag)),
    expiresBefore: field('到期时间早于', z.optional(instant)),
  },
  output: lot,
});
export const exportLedgerLotList = exportOf(queryLedgerLotList, {
  operation: 'exportLedgerLotList',
  label: '导出额度批次',
  access: seen,
});

/** What was done with a lot, oldest first. */
export const queryLedgerLotMoveList = service.list({
  operation: 'queryLedgerLotMoveList',
  label: '查询额度批次变动',
  access: seen,
  filter: { lotNo: field('批次号', text('批次号', 20, 1), { example: '完整批次号' }) },
  output: z.strictObject({
    id: idOut,
    kind: field('变动', lotMoveKinds.schema),
    remainingFen: field('剩余变动', fenOut),
    heldFen: field('预占变动', fenOut),
    transferNo: field('凭证号', z.nullable(z.string())),
    holdNo: field('预占单号', z.nullable(z.string())),
    at: field('时间', instantOut),
  }),
});
