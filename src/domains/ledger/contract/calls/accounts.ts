import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { fenOut, flag, idOut, instantOut, opinion, several, text, version, wholeText } from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { books, sides } from '../books.ts';
import { ledgerPermissions as may } from '../permissions.ts';
import { accountStates } from '../states.ts';
import { entryRow } from './entries.ts';
import { accountNo, accountOut, scope, service } from './shared.ts';

const seen = may['account.view'];

const named = z.strictObject({ code: z.string(), label: z.string() });
/** The books that the viewer may see, with what pages call their parts. */
export const queryLedgerChart = service.read({
  operation: 'queryLedgerChart',
  label: '查询会计科目',
  access: seen,
  input: {},
  output: z.array(
    z.strictObject({
      book: books.schema,
      accountTypes: z.array(
        z.strictObject({ code: z.string(), label: z.string(), normalSide: sides.schema, guarded: z.boolean(), lotted: z.boolean() }),
      ),
      transferTypes: z.array(named),
    }),
  ),
});

const row = z.strictObject({
  id: idOut,
  ...accountOut,
  book: field('账簿', books.schema),
  accountType: z.string(),
  normalSide: field('余额方向', sides.schema, { width: 90 }),
  ownerType: z.string(),
  ownerId: z.string(),
  /** The name is masked, and may be seen in full by who holds the right. */
  ownerMasked: z.boolean(),
  sub: field('子账户', z.string(), { width: 110 }),
  /** Whether an adjustment may move it. */
  adjustable: z.boolean(),
  /** Null: an open account, that may go below nothing. */
  floorFen: z.nullable(fenOut),
  postedFen: field('账面余额', fenOut, { width: 130 }),
  heldFen: field('预占', fenOut, { width: 120 }),
  availableFen: field('可用', fenOut, { width: 130 }),
  spendableFen: field('可消费', fenOut, { width: 130 }),
  status: accountStates.dictionary.schema,
  lastEntryAt: field('最近记账时间', z.nullable(instantOut)),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type LedgerAccountRow = z.output<typeof row>;

const filters = {
  ...scope,
  accountType: z.optional(text('科目', 40)),
  ownerName: z.optional(text('户名', 40)),
  accountNo: z.optional(wholeText('账户编号', 20)),
  /** Number or name of the owner, for pickers. */
  keyword: z.optional(text('账户', 40)),
  status: field('状态', z.optional(several(accountStates.dictionary.schema))),
  adjustable: field('可手工调账', z.optional(flag)),
  nonZero: field('仅看有余额', z.optional(flag)),
};

export const queryLedgerAccountList = service.list({
  operation: 'queryLedgerAccountList',
  label: '查询账户',
  access: seen,
  filter: { ...sortedBy('accountNo'), ...filters },
  output: row,
});
export const exportLedgerAccountList = exportOf(queryLedgerAccountList, {
  operation: 'exportLedgerAccountList',
  label: '导出账户',
  access: seen,
});

/** Sums of what the filters find, by the side on which balances grow. */
export const queryLedgerAccountTotal = service.read({
  operation: 'queryLedgerAccountTotal',
  label: '查询账户余额合计',
  access: seen,
  input: filters,
  output: z.strictObject({ debitFen: fenOut, creditFen: fenOut, heldFen: fenOut }),
});

export const queryLedgerAccountDetail = service.read({
  operation: 'queryLedgerAccountDetail',
  label: '查询账户详情',
  access: seen,
  input: { accountNo },
  output: z.strictObject({
    account: row,
    /** Of lots that are good. */
    lots: z.strictObject({ count: z.int(), remainingFen: fenOut, expiredFen: fenOut, nextExpiry: z.nullable(instantOut) }),
    openHolds: z.int(),
    entries: z.array(entryRow),
  }),
});

/** The same one on its way back, so that an answer may be read twice. */
const freezing = { access: may['account.freeze'], output: row } as const;
const freezeInput = z.strictObject({ accountNo, version, opinion });
export const freezeLedgerAccount = service.act({ ...freezing, operation: 'freezeLedgerAccount', label: '冻结账户', input: freezeInput });
export const unfreezeLedgerAccount = service.act({
  ...freezing,
  operation: 'unfreezeLedgerAccount',
  label: '解冻账户',
  input: freezeInput,
});

export const revealLedgerOwnerName = service.act({
  operation: 'revealLedgerOwnerName',
  label: '查看账户户名',
  access: may['owner.reveal'],
  log: 'REVEAL',
  input: { accountNo, reason: text('查看原因', 200, 2) },
  output: z.strictObject({ ownerName: z.string() }),
});
