import { sql, type SqlBool } from 'kysely';
import type { Kernel } from '#kernel/server/kernel.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { query } from '#kernel/server/handler.ts';
import { isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf, type FilterOf, type ListAsk } from '#kernel/server/list/listOf.ts';
import {
  exportLedgerAccountList,
  queryLedgerAccountList,
  queryLedgerAccountTotal,
  queryLedgerChart,
  type LedgerAccountRow,
} from '../../contract/calls/accounts.ts';
import { bookPermissions, ledgerPermissions as may } from '../../contract/permissions.ts';
import { accountStates } from '../../contract/states.ts';
import { accountIn, namesFor, requireBook, typeLabel } from '../access.ts';
import { ledgerOf } from '../books.ts';
import { isAdjustable } from '../chart.ts';
import { own } from '../database.ts';

type Ask = ListAsk<FilterOf<typeof queryLedgerAccountList>>;

const posted = sql<string>`(
  select sum(b.sign * (b.debit_total_fen - b.credit_total_fen))::text from ledger_balance b where b.account_id = a.id
)`;
const held = sql<string>`(select sum(b.held_fen)::text from ledger_balance b where b.account_id = a.id)`;

/** Names of persons are found by who may read them; by others only whole. */
const nameIs = (ask: Ask, text: string, kernel: Kernel) => {
  const like = sql<SqlBool>`a.owner_name ilike ${containsPattern(text)}`;
  if (ask.has(may['owner.reveal'])) return like;
  const personal = ledgerOf(kernel)
    .chart.accountTypesOf(ask.filter.book)
    .flatMap(({ name, personal: isPerson }) => (isPerson ? [name] : []));
  return sql<SqlBool>`(a.owner_name = ${text} or (${like} and a.account_type <> all(${personal}::text[])))`;
};

export const accountList = (kernel: Kernel) =>
  listOf(queryLedgerAccountList)
    .from((ask) => {
      requireBook(ask, ask.filter.book);
      return own(ask.db).selectFrom('ledgerAccount as a');
    })
    .with({
      where: {
        book: 'a.book',
        accountNos: (_eb, _nos, { filter }) => accountIn('a.id', filter),
        ownerType: 'a.ownerType',
        ownerId: 'a.ownerId',
        accountType: 'a.accountType',
        ownerName: (_eb, text, ask) => nameIs(ask, text, kernel),
        accountNo: isNumber('a.accountNo'),
        keyword: (_eb, text, ask) => sql<SqlBool>`(${nameIs(ask, text, kernel)} or a.account_no ilike ${containsPattern(text)})`,
        status: 'a.status',
        adjustable: (_eb, yes, { filter }) => {
          const types = ledgerOf(kernel).chart.accountTypesOf(filter.book).filter(isAdjustable);
          return sql<SqlBool>`(a.account_type = any(${types.map(({ name }) => name)}::text[])) = ${yes}`;
        },
        nonZero: (_eb, yes) =>
          yes
            ? sql<SqlBool>`exists (select from ledger_balance b where b.account_id = a.id group by b.account_id
                having sum(b.debit_total_fen) <> sum(b.credit_total_fen) or sum(b.held_fen) <> 0)`
            : undefined,
      },
      id: 'a.id',
      sorts: { accountNo: 'a.accountNo' },
      select: (rows, { now }) =>
        rows
          .select(['a.id', 'a.accountNo', 'a.book', 'a.accountType', 'a.normalSide', 'a.ownerType', 'a.ownerId', 'a.ownerName'])
          .select(['a.sub', 'a.floorFen', 'a.status', 'a.version'])
          .select([posted.as('postedFen'), held.as('heldFen')])
          .select(sql<string | null>`(select max(b.last_entry_at) from ledger_balance b where b.account_id = a.id)`.as('lastEntryAt'))
          .select(
            sql<string>`(select coalesce(sum(l.remaining_fen - l.held_fen), 0)::text from ledger_lot l
              where a.lotted and l.account_id = a.id and l.remaining_fen > 0 and l.expires_at <= ${now}::timestamptz)`.as('overFen'),
          ),
      present: (rows, ask) => {
        const { chart } = ledgerOf(kernel);
        const nameOf = namesFor(chart, ask);
        return rows.map(({ overFen, ...row }): LedgerAccountRow => {
          const available = BigInt(row.postedFen) - BigInt(row.heldFen);
          return {
            ...row,
            ...nameOf(row),
            accountTypeLabel: typeLabel(chart, row.book, row.accountType),
            adjustable: isAdjustable(chart.accountType(row.book, row.accountType)),
            availableFen: String(available),
            spendableFen: String(available - BigInt(overFen)),
            allowedActions: accountStates.allowed(row.status, (code) => ask.has(code)),
          };
        });
      },
    });

export const accountExport = (kernel: Kernel) =>
  listExport(accountList(kernel), {
    call: exportLedgerAccountList,
    title: '账户',
    routeKey: 'ledger.accounts',
    columns: [
      'accountNo',
      'book',
      'accountTypeLabel',
      'ownerName',
      'sub',
      'normalSide',
      'postedFen',
      'heldFen',
      'availableFen',
      'spendableFen',
      'lastEntryAt',
      'status',
    ],
  });

export const accountTotal = (kernel: Kernel) =>
  query(queryLedgerAccountTotal, async (filter, { db, staff, now, today, has }) => {
    const rows = await accountList(kernel).matching({ db, staff, now, today, has, filter });
    const sums = await rows
      .innerJoin('ledgerBalance as b', 'b.accountId', 'a.id')
      .select([
        sql<string>`coalesce(sum(b.debit_total_fen - b.credit_total_fen) filter (where a.normal_side = 'D'), 0)::text`.as('debitFen'),
        sql<string>`coalesce(sum(b.credit_total_fen - b.debit_total_fen) filter (where a.normal_side = 'C'), 0)::text`.as('creditFen'),
        sql<string>`coalesce(sum(b.held_fen), 0)::text`.as('heldFen'),
      ])
      .executeTakeFirstOrThrow();
    return sums;
  });

export const chartOf = (kernel: Kernel) =>
  query(queryLedgerChart, async (_input, { has }) => {
    const { chart } = ledgerOf(kernel);
    return chart.books
      .filter((book) => has(bookPermissions[book]))
      .map((book) => ({
        book,
        accountTypes: chart.accountTypesOf(book).map(({ name, label, normalSide, floorFen, lotted }) => ({
          code: name,
          label,
          normalSide,
          guarded: floorFen !== null,
          lotted: lotted ?? false,
        })),
        transferTypes: chart.transferTypesOf(book).map(({ name, label }) => ({ code: name, label })),
      }));
  });
