import { sql } from 'kysely';
import type { Tx } from '#kernel/server/context.ts';
import type { Book, Side } from '../../contract/books.ts';
import { type AccountRef, refKey } from '../commands.ts';
import type { Chart } from '../chart.ts';

/** How this process keeps its books. */
export interface LedgerFacts {
  chart: Chart;
  /** Throws where one transaction locks against the order; in tests and development. */
  strict: boolean;
  accounts: KnownAccounts;
}

/** What never changes of an account. */
export interface KnownAccount {
  id: string;
  accountNo: string;
  book: Book;
  accountType: string;
  ownerType: string;
  ownerId: string;
  sub: string;
  normalSide: Side;
  lotted: boolean;
  stripes: number;
}

export const refOf = ({ book, accountType, ownerType, ownerId, sub }: KnownAccount): string =>
  refKey({ book, type: accountType, owner: { type: ownerType, id: ownerId }, sub });

/** Accounts kept in memory at most; the oldest look goes first. */
const MOST = 20_000;

/** Accounts by what they are, read once per process: a posting then locks its balances without a search. */
export interface KnownAccounts {
  /** Each once; those that do not exist are left out. */
  find(tx: Tx, refs: readonly AccountRef[], ids: readonly string[]): Promise<KnownAccount[]>;
  /** Those that turned out not to be there: opened by a transaction that was rolled back. */
  forget(ids: readonly string[]): void;
}

export function makeKnownAccounts(): KnownAccounts {
  const byRef = new Map<string, KnownAccount>();
  const byId = new Map<string, KnownAccount>();
  const keep = (account: KnownAccount) => {
    byRef.set(refOf(account), account);
    byId.set(account.id, account);
    for (const [key, oldest] of byRef) {
      if (byRef.size <= MOST) break;
      byRef.delete(key);
      byId.delete(oldest.id);
    }
  };
  return {
    forget(ids) {
      for (const account of ids.flatMap((id) => byId.get(id) ?? [])) {
        byRef.delete(refOf(account));
        byId.delete(account.id);
      }
    },
    async find(tx, refs, ids) {
      const found = new Map<string, KnownAccount>();
      const unknown = new Map<string, AccountRef>();
      for (const ref of refs) {
        const account = byRef.get(refKey(ref));
        if (account) found.set(account.id, account);
        else unknown.set(refKey(ref), ref);
      }
      const strange = ids.filter((id) => !byId.has(id));
      for (const id of ids) if (byId.has(id)) found.set(id, byId.get(id)!);
      if (unknown.size > 0 || strange.length > 0) {
        const asked = [...unknown.values()];
        const { rows } = await sql<KnownAccount>`
          select a.id, a.account_no, a.book, a.account_type, a.owner_type, a.owner_id, a.sub, a.normal_side, a.lotted, a.stripes
            from ledger_account a
            where a.id = any(
              array(
                select x.id
                  from unnest(
                    ${asked.map(({ book }) => book)}::text[], ${asked.map(({ type }) => type)}::text[],
                    ${asked.map(({ owner }) => owner.type)}::text[], ${asked.map(({ owner }) => owner.id)}::text[],
                    ${asked.map(({ sub }) => sub ?? '')}::text[]
                  ) as u (book, account_type, owner_type, owner_id, sub)
                  join ledger_account x on x.book = u.book
                    and x.account_type = u.account_type
                    and x.owner_type = u.owner_type
                    and x.owner_id = u.owner_id
                    and x.sub = u.sub
              ) || ${strange}::bigint[]
            )`.execute(tx);
        for (const account of rows) {
          found.set(account.id, account);
          keep(account);
        }
      }
      return [...found.values()];
    },
  };
}
