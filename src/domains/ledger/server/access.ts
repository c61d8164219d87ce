import { sql, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import type { Book } from '../contract/books.ts';
import { bookPermissions, ledgerPermissions as may } from '../contract/permissions.ts';
import type { Chart } from './chart.ts';
import type { AccountRef } from './commands.ts';
import { own } from './database.ts';

type Has = Pick<Context, 'has'>;

/** @throws Refusal SCM90010 for who may not see the book */
export function requireBook({ has }: Has, book: Book): void {
  if (!has(bookPermissions[book])) throw refuse(platformErrors.NO_PERMISSION, { permission: bookPermissions[book].label });
}

/** An account as acts know it. */
export interface NamedAccount {
  id: string;
  accountNo: string;
  book: Book;
  accountType: string;
  ownerType: string;
  ownerId: string;
  sub: string;
  ownerName: string;
}

export const refOfAccount = ({ book, accountType, ownerType, ownerId, sub }: NamedAccount): AccountRef => ({
  book,
  type: accountType,
  owner: { type: ownerType, id: ownerId },
  sub,
});

/** @throws Refusal SCM90040 for one that does not exist, SCM90010 for one of another's book */
export async function requireAccount(db: Db | Tx, viewer: Has, accountNo: string): Promise<NamedAccount> {
  const account = await own(db)
    .selectFrom('ledgerAccount')
    .select(['id', 'accountNo', 'book', 'accountType', 'ownerType', 'ownerId', 'sub', 'ownerName'])
    .where('accountNo', '=', accountNo.trim().toUpperCase())
    .executeTakeFirst();
  if (!account) throw refuse(platformErrors.NOT_FOUND, { message: '账户不存在或已删除' });
  requireBook(viewer, account.book);
  return account;
}

/** Names of accounts as a viewer sees them: those of persons are masked. */
export const namesFor =
  (chart: Chart, { has }: Has) =>
  ({
    book,
    accountType,
    ownerName,
  }: Pick<NamedAccount, 'book' | 'accountType' | 'ownerName'>): { ownerName: string; ownerMasked: boolean } => {
    const ownerMasked = chart.accountType(book, accountType)?.personal === true && !has(may['owner.reveal']);
    return { ownerName: ownerMasked ? mask('name', ownerName) : ownerName, ownerMasked };
  };

/** 科目 as pages call it; what is no longer declared is called by its code. */
export const typeLabel = (chart: Chart, book: Book, accountType: string): string =>
  chart.accountType(book, accountType)?.label ?? accountType;

export interface ScopeFilter {
  book: Book;
  accountNos?: readonly string[] | undefined;
  ownerType?: string | undefined;
  ownerId?: string | undefined;
}
const isPart = ({ accountNos, ownerType, ownerId }: ScopeFilter) => Boolean(accountNos?.length || ownerType || ownerId);

/** Accounts of a scope, as a condition on the column that names an account; all of the book where nothing narrows it. */
export function accountIn(column: string, filter: ScopeFilter) {
  const { book, accountNos, ownerType, ownerId } = filter;
  if (!isPart(filter)) return sql<SqlBool>`exists (select from ledger_account s where s.id = ${sql.ref(column)} and s.book = ${book})`;
  return sql<SqlBool>`${sql.ref(column)} in (select s.id from ledger_account s where s.book = ${book}
    ${accountNos?.length ? sql`and s.account_no = any(${[...accountNos]}::text[])` : sql``}
    ${ownerType ? sql`and s.owner_type = ${ownerType}` : sql``} ${ownerId ? sql`and s.owner_id = ${ownerId}` : sql``})`;
}

/** Says once what stands under a document's number. */
export function documentOf(chart: Chart, book: Book, ref: { refType: string; refId: string; refNo: string | null }) {
  const declared = chart.document(book, ref.refType);
  return {
    refLabel: declared?.label ?? ref.refType,
    refNo: ref.refNo ?? ref.refId,
    link: declared?.link?.({ id: ref.refId, no: ref.refNo }) ?? null,
  };
}
