import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Book } from '../../contract/books.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import { refKey, type AccountRef, type Fen } from '../commands.ts';

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
  return (await balancesIfAny(db, refs, now)).map((found) => {
    if (!found) throw refuse(ledgerErrors.NO_ACCOUNT);
    return found;
  });
}

/** The same where an account may not be opened yet: undefined. */
export async function balancesIfAny(db: Db | Tx, refs: readonly AccountRef[], now: Instant): Promise<(Balance | undefined)[]> {
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
        (
          select coalesce(sum(l.remaining_fen - l.held_fen), 0)
            from ledger_lot l
            where l.account_id = a.id and l.remaining_fen > 0 and l.expires_at <= ${now}::timestamptz
        ) as over,
        (
          select min(l.expires_at)
            from ledger_lot l
            where l.account_id = a.id and l.remaining_fen > 0 and l.expires_at > ${now}::timestamptz
        ) as next_expiry
      from ledger_account a
      where (a.book, a.account_type, a.owner_type, a.owner_id, a.sub) in (
        select *
          from unnest(
            ${refs.map(({ book }) => book)}::text[], ${refs.map(({ type }) => type)}::text[],
            ${refs.map(({ owner }) => owner.type)}::text[], ${refs.map(({ owner }) => owner.id)}::text[],
            ${refs.map(({ sub }) => sub ?? '')}::text[]
          )
      )`.execute(db);
  const byRef = new Map(
    rows.map((row) => {
      const [posted, held, over] = [BigInt(row.posted), BigInt(row.held), BigInt(row.over)];
      const key = refKey({ book: row.book, type: row.type, owner: { type: row.ownerType, id: row.ownerId }, sub: row.sub });
      const available = posted - held;
      return [key, { accountNo: row.accountNo, posted, held, available, spendable: available - over, nextExpiry: row.nextExpiry }];
    }),
  );
  return refs.map((ref) => byRef.get(refKey(ref)));
}

/** What was posted up to a moment, from the entries: balances of the past are never stored. @throws Refusal SCM18004 */
export async function postedAt(db: Db | Tx, ref: AccountRef, at: Instant): Promise<Fen> {
  const { rows } = await sql<{ posted: string }>`
    select coalesce(
      sum(case when e.side = a.normal_side then e.amount_fen else -e.amount_fen end) filter (where t.created_at <= ${at}::timestamptz), 0
    ) as posted
      from ledger_account a left join ledger_entry e on e.account_id = a.id left join ledger_transfer t on t.id = e.transfer_id
     where a.book = ${ref.book}
       and a.account_type = ${ref.type}
       and a.owner_type = ${ref.owner.type}
       and a.owner_id = ${ref.owner.id}
       and a.sub = ${ref.sub ?? ''}
     group by a.id`.execute(db);
  if (!rows[0]) throw refuse(ledgerErrors.NO_ACCOUNT);
  return BigInt(rows[0].posted);
}

/** A lot with what is left of it; amounts in fen. */
export interface LotLeft {
  id: string;
  lotNo: string;
  accountType: string;
  refType: string;
  refId: string;
  original: Fen;
  remaining: Fen;
  held: Fen;
  expiresAt: Instant | null;
}

/** All lots of an owner's accounts, the oldest first; the caller orders them by use. */
export async function lotsOf(db: Db | Tx, book: Book, owner: { type: string; id: string }): Promise<LotLeft[]> {
  type Row = Omit<LotLeft, 'original' | 'remaining' | 'held'> & { original: string; remaining: string; held: string };
  const { rows } = await sql<Row>`
    select l.id, l.lot_no, a.account_type, l.ref_type, l.ref_id, l.original_fen as original, l.remaining_fen as remaining,
      l.held_fen as held, l.expires_at
      from ledger_lot l join ledger_account a on a.id = l.account_id
     where a.book = ${book} and a.owner_type = ${owner.type} and a.owner_id = ${owner.id} order by l.id`.execute(db);
  return rows.map((row) => ({ ...row, original: BigInt(row.original), remaining: BigInt(row.remaining), held: BigInt(row.held) }));
}

/** What all accounts of a kind of owner hold together, for whoever compares his own rows with the books. */
export async function ownerTotals(
  db: Db | Tx,
  book: Book,
  ownerType: string,
): Promise<{ ownerId: string; accountType: string; posted: Fen; held: Fen }[]> {
  const { rows } = await sql<{ ownerId: string; accountType: string; posted: string; held: string }>`
    select a.owner_id, a.account_type, sum(b.sign * (b.debit_total_fen - b.credit_total_fen)) as posted, sum(b.held_fen) as held
      from ledger_account a join ledger_balance b on b.account_id = a.id
     where a.book = ${book} and a.owner_type = ${ownerType} group by a.owner_id, a.account_type`.execute(db);
  return rows.map((row) => ({ ...row, posted: BigInt(row.posted), held: BigInt(row.held) }));
}

/** What came to the accounts of a kind of owner and what left them, by the kind of posting; of some owners, or of all of them. */
export async function ownerTurnover(
  db: Db | Tx,
  book: Book,
  ownerType: string,
  ownerIds?: readonly string[],
): Promise<{ ownerId: string; transferType: string; debit: Fen; credit: Fen }[]> {
  const some = ownerIds === undefined ? sql`` : sql`and a.owner_id = any(${ownerIds}::text[])`;
  const { rows } = await sql<{ ownerId: string; transferType: string; debit: string; credit: string }>`
    select a.owner_id, t.transfer_type, coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) as debit,
           coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0) as credit
      from ledger_account a join ledger_entry e on e.account_id = a.id join ledger_transfer t on t.id = e.transfer_id
     where a.book = ${book} and a.owner_type = ${ownerType} ${some} group by a.owner_id, t.transfer_type`.execute(db);
  return rows.map((row) => ({ ...row, debit: BigInt(row.debit), credit: BigInt(row.credit) }));
}

/** What a month moved on the accounts of a type and an owner; `sub` tells accounts of one owner apart. */
interface Turnover {
  accountType: string;
  ownerType: string;
  ownerId: string;
  ownerName: string;
  sub: string;
  debit: Fen;
  credit: Fen;
}

/** Turnover of a book in a month by account type and owner, as the month's vouchers are made of it; what did not move is not in it. */
export async function turnoverOf(db: Db | Tx, book: Book, period: string): Promise<Turnover[]> {
  const { rows } = await sql<Omit<Turnover, 'debit' | 'credit'> & { debit: string; credit: string }>`
    select a.account_type, a.owner_type, a.owner_id, a.owner_name, a.sub, s.debit, s.credit
      from (
        select e.account_id, coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) as debit,
            coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0) as credit
          from ledger_transfer t
          join ledger_entry e on e.transfer_id = t.id
          where t.book = ${book}
            and t.posting_date >= to_date(${period}, 'YYYY-MM')
            and t.posting_date < to_date(${period}, 'YYYY-MM') + interval '1 month'
          group by e.account_id
      ) s
      join ledger_account a on a.id = s.account_id
      order by a.account_type, a.owner_type, a.owner_id, a.sub`.execute(db);
  return rows.map((row) => ({ ...row, debit: BigInt(row.debit), credit: BigInt(row.credit) }));
}

/** Transfers whose two sides differ: none, as long as the database holds. */
export async function unbalanced(db: Db | Tx, book: Book): Promise<{ id: string; transferNo: string; debit: Fen; credit: Fen }[]> {
  const { rows } = await sql<{ id: string; transferNo: string; debit: string; credit: string }>`
    select t.id, t.transfer_no, coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) as debit,
        coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0) as credit
      from ledger_transfer t
      left join ledger_entry e on e.transfer_id = t.id
      where t.book = ${book}
      group by t.id
      having coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) <> coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0)
      limit 100`.execute(db);
  return rows.map((row) => ({ ...row, debit: BigInt(row.debit), credit: BigInt(row.credit) }));
}

/** Lots of which more is held than is left. */
export async function overdrawnLots(db: Db | Tx, book: Book): Promise<{ id: string; lotNo: string; remaining: Fen; held: Fen }[]> {
  const { rows } = await sql<{ id: string; lotNo: string; remaining: string; held: string }>`
    select l.id, l.lot_no, l.remaining_fen as remaining, l.held_fen as held from ledger_lot l join ledger_account a on a.id = l.account_id
     where a.book = ${book} and (l.held_fen > l.remaining_fen or l.held_fen < 0) limit 100`.execute(db);
  return rows.map((row) => ({ ...row, remaining: BigInt(row.remaining), held: BigInt(row.held) }));
}
