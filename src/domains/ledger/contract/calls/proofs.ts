import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { exportFields, exportQueued } from '#kernel/contract/exporting.ts';
import { fenOut, id, idOut, instantOut, monthOr, opinion, several, text, version } from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { books, findingCodes, proofKinds } from '../books.ts';
import { ledgerPermissions as may } from '../permissions.ts';
import { findingStates, periodStates, proofStates } from '../states.ts';
import { book, service } from './shared.ts';

const sees = may['proof.view'];
const manages = may['proof.manage'];
const period = field('会计期间', monthOr('会计期间格式为YYYY-MM'));

const periodRow = z.strictObject({
  /** The month names it within its book. */
  period: field('会计期间', z.string()),
  book: field('账簿', books.schema),
  transfers: field('凭证数', z.int()),
  totalFen: field('发生额', fenOut),
  openedAt: field('开立时间', instantOut),
  closedAt: field('结账时间', z.nullable(instantOut)),
  closedByName: field('结账人', z.nullable(z.string())),
  status: field('状态', periodStates.schema),
});
export const queryLedgerPeriodList = service.list({
  operation: 'queryLedgerPeriodList',
  label: '查询会计期间',
  access: may['account.view'],
  filter: { ...sortedBy('period', 'openedAt', 'closedAt'), book, status: field('状态', z.optional(several(periodStates.schema))) },
  output: periodRow,
});
export const exportLedgerPeriodList = exportOf(queryLedgerPeriodList, {
  operation: 'exportLedgerPeriodList',
  label: '导出会计期间',
  access: may['account.view'],
});

export const trialRow = z.strictObject({
  accountType: z.string(),
  accountTypeLabel: field('科目', z.string()),
  normalSide: field('余额方向', z.string()),
  openingFen: field('期初余额', fenOut),
  debitFen: field('本期借方', fenOut),
  creditFen: field('本期贷方', fenOut),
  closingFen: field('期末余额', fenOut),
});
export type TrialRow = z.output<typeof trialRow>;
/** By account type; balances on the side on which they grow. The sums are of debits and of credits. */
export const queryTrialBalance = service.read({
  operation: 'queryTrialBalance',
  label: '查询试算平衡表',
  access: sees,
  input: { book, period },
  output: z.strictObject({
    rows: z.array(trialRow),
    debitFen: fenOut,
    creditFen: fenOut,
    openingDebitFen: fenOut,
    openingCreditFen: fenOut,
    closingDebitFen: fenOut,
    closingCreditFen: fenOut,
  }),
});
export const exportTrialBalance = service.file({
  operation: 'exportTrialBalance',
  label: '导出试算平衡表',
  access: sees,
  log: 'EXPORT',
  input: { book, period, ...exportFields },
  output: exportQueued,
});

const proof = z.strictObject({
  id: idOut,
  book: field('账簿', books.schema),
  kind: field('类型', proofKinds.schema),
  status: field('结果', proofStates.schema),
  accountsChecked: field('账户数', z.int()),
  entriesChecked: field('分录数', z.string()),
  debitTotalFen: field('借方合计', fenOut),
  creditTotalFen: field('贷方合计', fenOut),
  findings: field('差异数', z.int()),
  digest: field('检查摘要', z.nullable(z.string()), { width: 220 }),
  prevDigest: field('前次摘要', z.nullable(z.string()), { width: 220 }),
  startedAt: field('开始时间', instantOut),
  finishedAt: field('完成时间', z.nullable(instantOut)),
});
export const queryLedgerProofList = service.list({
  operation: 'queryLedgerProofList',
  label: '查询平衡检查',
  access: sees,
  filter: {
    ...sortedBy('accountsChecked', 'entriesChecked', 'debitTotalFen', 'creditTotalFen', 'findings', 'startedAt', 'finishedAt'),
    book,
    kind: field('类型', z.optional(several(proofKinds.schema))),
    status: field('结果', z.optional(several(proofStates.schema))),
  },
  output: proof,
});
export const exportLedgerProofList = exportOf(queryLedgerProofList, {
  operation: 'exportLedgerProofList',
  label: '导出平衡检查',
  access: sees,
});

/** How each book stands that the viewer may see: its last proof, one under way, and what is not mended. */
export const queryLedgerBookState = service.read({
  operation: 'queryLedgerBookState',
  label: '查询账簿平衡状态',
  access: sees,
  input: {},
  output: z.array(
    z.strictObject({ book: books.schema, last: z.nullable(proof), runningSince: z.nullable(instantOut), openFindings: z.int() }),
  ),
});

export const runLedgerProof = service.act({
  operation: 'runLedgerProof',
  label: '发起平衡检查',
  access: manages,
  input: { book },
  output: z.strictObject({ proofId: idOut }),
});

const finding = z.strictObject({
  id: idOut,
  findingNo: field('编号', z.string(), { width: 110 }),
  findingCode: field('检查项', findingCodes.schema, { width: 190 }),
  object: field('对象', z.string(), { width: 190 }),
  accountNo: z.nullable(z.string()),
  transferNo: z.nullable(z.string()),
  expectedFen: field('应为', z.nullable(fenOut)),
  actualFen: field('实为', z.nullable(fenOut)),
  differenceFen: field('差额', z.nullable(fenOut)),
  ownerUserId: z.nullable(idOut),
  ownerUserName: field('负责人', z.nullable(z.string()), { width: 110 }),
  resolution: field('处理说明', z.nullable(z.string()), { width: 200 }),
  adjustNo: field('调账单号', z.nullable(z.string()), { width: 180 }),
  createdAt: field('发现时间', instantOut),
  closedAt: field('处理时间', z.nullable(instantOut)),
  status: findingStates.dictionary.schema,
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type FindingRow = z.output<typeof finding>;

export const queryLedgerFindingList = service.list({
  operation: 'queryLedgerFindingList',
  label: '查询平衡差异',
  access: sees,
  filter: {
    ...sortedBy('createdAt', 'closedAt'),
    book,
    findingCode: field('检查项', z.optional(several(findingCodes.schema))),
    status: field('状态', z.optional(several(findingStates.dictionary.schema))),
  },
  output: finding,
});
export const exportLedgerFindingList = exportOf(queryLedgerFindingList, {
  operation: 'exportLedgerFindingList',
  label: '导出平衡差异',
  access: sees,
});

const moved = z.strictObject({ id: idOut, version: z.int(), status: findingStates.dictionary.schema });
const act = { access: manages, output: moved } as const;
export const assignLedgerFinding = service.act({
  ...act,
  operation: 'assignLedgerFinding',
  label: '指派平衡差异',
  input: { id, version, userId: field('负责人', id) },
});
export const resolveLedgerFinding = service.act({
  ...act,
  operation: 'resolveLedgerFinding',
  label: '平衡差异处理完成',
  input: { id, version, adjustNo: text('调账单号', 20, 1), opinion: z.optional(text('处理说明', 200)) },
});
export const explainLedgerFinding = service.act({
  ...act,
  operation: 'explainLedgerFinding',
  label: '说明并关闭平衡差异',
  input: { id, version, opinion },
});
export const rebuildLedgerProjection = service.act({
  ...act,
  operation: 'rebuildLedgerProjection',
  label: '重建余额投影',
  input: { id, version },
});
/** Who may be asked to mend a difference. */
export const queryLedgerMender = service.read({
  operation: 'queryLedgerMender',
  label: '查询可指派人员',
  access: manages,
  input: {},
  output: z.array(z.strictObject({ userId: idOut, displayName: z.string() })),
});
