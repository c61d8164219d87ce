import { sql } from 'kysely';
import type { Tx } from '#kernel/server/context.ts';
import type { Book } from '../../contract/books.ts';
import type { LockedLots } from '../transfers/apply.ts';
import type { Chart } from '../chart.ts';
import type { Lot } from './lots.ts';

interface Row {
  id: string;
  accountId: string;
  book: Book;
  accountType: string;
  refType: string;
  refId: string;
  originalFen: string;
  remainingFen: string;
  heldFen: string;
  expiresAt: string | null;
}

/** Locks what accounts may spend, and lots by their ids, in one order for all transactions; after the balances of their accounts. */
export async function lockLots(tx: Tx, chart: Chart, accountIds: readonly string[], lotIds: readonly string[]): Promise<LockedLots> {
  if (accountIds.length === 0 && lotIds.length === 0) return { all: [], byId: () => undefined };
  const { rows } = await sql<Row>`
    select l.id, l.account_id, a.book, a.account_type, l.ref_type, l.ref_id, l.original_fen, l.remaining_fen, l.held_fen, l.expires_at
      from ledger_lot l
      join ledger_account a on a.id = l.account_id
      where l.id = any(
        array(
          select x.id from ledger_lot x where x.account_id = any(${[...accountIds]}::bigint[]) and x.remaining_fen > x.held_fen
        ) || ${[...lotIds]}::bigint[]
      )
      order by l.id for update of l`.execute(tx);
  const all = rows.map((row): Lot => ({
    id: row.id,
    accountId: row.accountId,
    refType: row.refType,
    refId: row.refId,
    original: BigInt(row.originalFen),
    remaining: BigInt(row.remainingFen),
    held: BigInt(row.heldFen),
    expiresAt: row.expiresAt,
    usedFirst: chart.accountType(row.book, row.accountType)?.usedFirst ?? false,
  }));
  const byId = new Map(all.map((lot) => [lot.id, lot]));
  return { all, byId: (id) => byId.get(id) };
}
