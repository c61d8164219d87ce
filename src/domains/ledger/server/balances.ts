import { sql } from 'kysely';
import { refuse } from '../../../kernel/contract/errors.ts';
import type { Instant } from '../../../kernel/contract/time.ts';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import { ledgerErrors } from '../contract/errors.ts';
import { refKey, type AccountRef, type Fen } from './commands.ts';

export interface Balance {
  accountNo: string;
  /** 账面余额, in fen. */
  posted: Fen;
  /** 预占金额. */
  held: Fen;
  /** 可用余额: posted less held. */
  available: Fen;
  /** 可消费余额: available less lots that are over and not yet swept. */
  spendable: Fen;
  /** Of the lot that ends next. */
  nextExpiry: Instant | null;
}

/**
 * Balances as they are now, in the order of the refs.
 * @throws Refusal SCM18004
 */
export async function balances(db: Db | Tx, refs: readonly AccountRef[], now: Instant): Promise<Balance[]> {
  interface Row {
    book: AccountRef['book'];
    type: string;
    ownerType: string;
    ownerId: string;
    sub: string;
    accountNo: string;
    posted: string;
    held: string;
    over: string;
    nextExpiry: Instant | null;
  }
  const { rows } = await sql<Row>`
    select a.book, a.account_type as type, a.owner_type, a.owner_id, a.sub, a.account_no,
           (select sum(b.sign * (b.debit_total_fen - b.credit_total_fen)) from ledger_balance b where b.account_id = a.id) as posted,
           (select sum(b.held_fen) from ledger_balance b where b.account_id = a.id) as held,
           (select coalesce(sum(l.remaining_fen - l.held_fen), 0) from ledger_lot l
             where l.account_id = a.id and l.remaining_fen > 0 and l.expires_at <= ${now}::timestamptz) as over,
           (select min(l.expires_at) from ledger_lot l
             where l.account_id = a.id and l.remaining_fen > 0 and l.expires_at > ${now}::timestamptz) as next_expiry
      from ledger_account a
     where (a.book, a.account_type, a.owner_type, a.owner_id, a.sub) in (
             select * from unnest(${refs.map(({ book }) => book)}::text[], ${refs.map(({ type }) => type)}::text[], ${refs.map(({ owner }) => owner.type)}::text[],
               ${refs.map(({ owner }) => owner.id)}::text[], ${refs.map(({ sub }) => sub ?? '')}::text[]))`.execute(db);
  const byRef = new Map(
    rows.map((row) => {
      const [posted, held, over] = [BigInt(row.posted), BigInt(row.held), BigInt(row.over)];
      const key = refKey({ book: row.book, type: row.type, owner: { type: row.ownerType, id: row.ownerId }, sub: row.sub });
      const available = posted - held;
      return [key, { accountNo: row.accountNo, posted, held, available, spendable: available - over, nextExpiry: row.nextExpiry }];
    }),
  );
  return refs.map((ref) => {
    const found = byRef.get(refKey(ref));
    if (!found) throw refuse(ledgerErrors.NO_ACCOUNT);
    return found;
  });
}

/** What was posted up to a moment, from the entries: balances of the past are never stored. @throws Refusal SCM18004 */
export async function postedAt(db: Db | Tx, ref: AccountRef, at: Instant): Promise<Fen> {
  const { rows } = await sql<{ posted: string }>`
    select coalesce(sum(case when e.side = a.normal_side then e.amount_fen else -e.amount_fen end) filter (where t.created_at <= ${at}::timestamptz), 0) as posted
      from ledger_account a left join ledger_entry e on e.account_id = a.id left join ledger_transfer t on t.id = e.transfer_id
     where a.book = ${ref.book} and a.account_type = ${ref.type} and a.owner_type = ${ref.owner.type} and a.owner_id = ${ref.owner.id} and a.sub = ${ref.sub ?? ''}
     group by a.id`.execute(db);
  if (!rows[0]) throw refuse(ledgerErrors.NO_ACCOUNT);
  return BigInt(rows[0].posted);
}
