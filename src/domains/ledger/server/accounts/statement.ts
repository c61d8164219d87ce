import { sql } from 'kysely';
import type { Day, Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Book } from '../../contract/books.ts';
import type { Fen } from '../commands.ts';
import type { LedgerFacts } from './knownAccounts.ts';

/** What one transfer did to one kind of an owner's accounts. @property amount positive: it came */
export interface Movement {
  id: string;
  transferNo: string;
  label: string;
  accountLabel: string;
  amount: Fen;
  refNo: string | null;
  memo: string;
  at: Instant;
}

/**
 * Everything that came to an owner's accounts and went from them, oldest first; what moved from one of his lots to another is nothing.
 * @returns null where it is more than `most`
 */
export async function movementsOf(
  db: Db | Tx,
  { chart }: LedgerFacts,
  book: Book,
  owner: { type: string; id: string },
  span: { from?: Day | undefined; to?: Day | undefined; most: number },
): Promise<{ opening: Fen; movements: Movement[] } | null> {
  interface Row {
    id: string;
    transferNo: string;
    transferType: string;
    back: boolean;
    accountType: string;
    amount: string;
    refNo: string | null;
    memo: string;
    at: Instant;
  }
  const from = span.from ?? '0001-01-01';
  const to = span.to ?? '9999-12-31';
  const of = sql`from ledger_entry e join ledger_transfer t on t.id = e.transfer_id join ledger_account a on a.id = e.account_id
    where a.book = ${book} and a.owner_type = ${owner.type} and a.owner_id = ${owner.id}`;
  const signed = sql`case when e.side = a.normal_side then e.amount_fen else -e.amount_fen end`;
  const before = await sql<{ fen: string }>`select coalesce(sum(${signed}), 0) as fen ${of} and t.posting_date < ${from}`.execute(db);
  const { rows } = await sql<Row>`
    select min(e.id) as id, t.transfer_no, t.transfer_type, t.original_transfer_id is not null as back, a.account_type,
        sum(${signed}) as amount, t.ref_no, t.memo, t.created_at as at ${of} and t.posting_date between ${from} and ${to}
      group by t.id, a.account_type
      having sum(${signed}) <> 0
      order by min(e.id) limit ${span.most + 1}`.execute(db);
  if (rows.length > span.most) return null;
  return {
    opening: BigInt(before.rows[0]!.fen),
    movements: rows.map(({ transferType, accountType, back, amount, ...row }) => ({
      ...row,
      label: `${chart.transferType(book, transferType)?.label ?? transferType}${back ? '（退回）' : ''}`,
      accountLabel: chart.accountType(book, accountType)?.label ?? accountType,
      amount: BigInt(amount),
    })),
  };
}

/** What of lots was swept because their time was over. */
export async function expiredOf(db: Db | Tx, lotIds: readonly string[]): Promise<Map<string, Fen>> {
  const { rows } = await sql<{ lotId: string; fen: string }>`
    select lot_id, -sum(delta_remaining_fen) as fen from ledger_lot_move
     where lot_id = any(${[...lotIds]}::bigint[]) and kind = 'EXPIRE' group by lot_id`.execute(db);
  return new Map(rows.map(({ lotId, fen }) => [lotId, BigInt(fen)]));
}
