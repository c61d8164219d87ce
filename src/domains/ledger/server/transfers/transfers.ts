import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Book, Side } from '../../contract/books.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import type { EntryResult, LotUse, TransferResult } from '../commands.ts';
import type { Plan } from './plan.ts';

export interface WrittenTransfer {
  id: string;
  transferNo: string;
}

export const keyOf = ({ book, businessKey }: { book: Book; businessKey: string }) => `${book}:${businessKey}`;
export const periodOf = ({ day }: Pick<Plan, 'day'>): string => day.slice(0, 7);

/**
 * What was posted under the keys before.
 * @throws Refusal SCM18010 where it was something else, SCM18030 where nothing was: the period of the plan is not open.
 */
export async function replays(tx: Tx, plans: readonly Plan[]): Promise<Map<Plan, TransferResult>> {
  if (plans.length === 0) return new Map();
  const { rows } = await sql<WrittenTransfer & { book: Book; businessKey: string; payloadHash: string }>`
    select t.id, t.transfer_no, t.book, t.business_key, t.payload_hash from ledger_transfer t
      join unnest(${plans.map(({ book }) => book)}::text[], ${plans.map((one) => one.businessKey)}::text[]) as u (book, key)
        on t.book = u.book and t.business_key = u.key`.execute(tx);
  const stored = new Map(rows.map((row) => [keyOf(row), row]));
  const results = await readTransfers(
    tx,
    rows.map(({ id }) => id),
  );
  return new Map(
    plans.map((plan) => {
      const row = stored.get(keyOf(plan));
      if (!row) throw refuse(ledgerErrors.PERIOD_CLOSED, { p: periodOf(plan) });
      if (row.payloadHash !== plan.hash) throw refuse(ledgerErrors.KEY_TAKEN);
      return [plan, { ...results.get(row.id)!, replayed: true }];
    }),
  );
}

/** Transfers by their ids, as the posting answered them. */
export async function readTransfers(tx: Db | Tx, ids: readonly string[]): Promise<Map<string, TransferResult>> {
  interface EntryRow {
    transferId: string;
    transferNo: string;
    entryId: string;
    accountId: string;
    accountNo: string;
    side: Side;
    amountFen: string;
    balanceAfterFen: string | null;
  }
  interface UseRow {
    transferId: string;
    accountId: string;
    lotId: string;
    amountFen: string;
    expiresAt: string | null;
  }
  if (ids.length === 0) return new Map();
  const { rows: entries } = await sql<EntryRow>`
    select t.id as transfer_id, t.transfer_no, e.id as entry_id, e.account_id, a.account_no, e.side, e.amount_fen, e.balance_after_fen
      from ledger_transfer t join ledger_entry e on e.transfer_id = t.id join ledger_account a on a.id = e.account_id
     where t.id = any(${[...ids]}::bigint[]) order by t.id, e.line_no`.execute(tx);
  const { rows: uses } = await sql<UseRow>`
    select m.transfer_id, l.account_id, m.lot_id, abs(m.delta_remaining_fen) as amount_fen, l.expires_at
      from ledger_lot_move m join ledger_lot l on l.id = m.lot_id
     where m.transfer_id = any(${[...ids]}::bigint[]) and m.delta_remaining_fen <> 0 order by m.id`.execute(tx);
  const lotsOf = Map.groupBy(uses, ({ transferId, accountId }) => `${transferId}:${accountId}`);
  return new Map(
    [...Map.groupBy(entries, ({ transferId }) => transferId)].map(([transferId, rows]) => [
      transferId,
      {
        transferId,
        transferNo: rows[0]!.transferNo,
        replayed: false,
        entries: rows.map((row): EntryResult => ({
          entryId: row.entryId,
          accountNo: row.accountNo,
          side: row.side,
          amount: BigInt(row.amountFen),
          balanceAfter: row.balanceAfterFen === null ? null : BigInt(row.balanceAfterFen),
          lots: (lotsOf.get(`${transferId}:${row.accountId}`) ?? []).map(({ lotId, amountFen, expiresAt }): LotUse => ({
            lotId,
            amount: BigInt(amountFen),
            expiresAt,
          })),
        })),
      },
    ]),
  );
}
