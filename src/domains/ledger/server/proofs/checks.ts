import { sql, type RawBuilder } from 'kysely';
import type { Book, FindingCode } from '../../contract/books.ts';

/** A difference between what is and what should be; `objectKey` tells two of one kind apart. */
export interface Difference {
  objectKey: string;
  accountId: string | null;
  transferId: string | null;
  lotId: string | null;
  holdId: string | null;
  expectedFen: string | null;
  actualFen: string | null;
}

const NONE = sql`null::bigint`;
type Columns = Partial<Record<'account' | 'transfer' | 'lot' | 'hold' | 'expected' | 'actual', RawBuilder<unknown>>>;
const columns = (key: RawBuilder<unknown>, { account, transfer, lot, hold, expected, actual }: Columns) =>
  sql`
    ${key} as object_key, ${account ?? NONE} as account_id, ${transfer ?? NONE} as transfer_id, ${lot ?? NONE} as lot_id,
    ${hold ?? NONE} as hold_id, (${expected ?? NONE})::bigint as expected_fen, (${actual ?? NONE})::bigint as actual_fen`;

/** Every check as one statement over a book that answers its differences; few rows of a great fault are enough. */
export const checks: Readonly<Record<Exclude<FindingCode, 'P9'>, (book: Book) => RawBuilder<Difference>>> = {
  P1: (book) => sql`
    select ${columns(sql`'transfer:' || t.id`, { transfer: sql`t.id`, expected: sql`t.total_fen`, actual: sql`coalesce(s.debit, 0)` })}
      from ledger_transfer t left join (
        select transfer_id, sum(amount_fen) filter (where side = 'D') as debit, sum(amount_fen) filter (where side = 'C') as credit
          from ledger_entry group by transfer_id) s on s.transfer_id = t.id
     where t.book = ${book} and (s.debit is distinct from s.credit or s.debit is distinct from t.total_fen)`,
  P2: (book) => sql`
    select ${columns(sql`'book'`, { expected: sql`s.debit`, actual: sql`s.credit` })}
      from (
        select coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) as debit,
            coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0) as credit
          from ledger_entry e
          join ledger_account a on a.id = e.account_id
          where a.book = ${book}
      ) s
      where s.debit <> s.credit`,
  P3: (book) => sql`
    select ${columns(sql`'account:' || s.account_id`, {
      account: sql`s.account_id`,
      expected: sql`max(s.running)`,
      actual: sql`max(s.balance_after_fen)`,
    })}
      from (select e.account_id, e.account_seq, e.balance_after_fen,
                   row_number() over w as at,
                   sum(case when e.side = a.normal_side then e.amount_fen else -e.amount_fen end) over w as running
              from ledger_entry e join ledger_account a on a.id = e.account_id
             where a.book = ${book} and a.floor_fen is not null
            window w as (partition by e.account_id order by e.account_seq)) s
     where s.account_seq <> s.at or s.balance_after_fen <> s.running group by s.account_id`,
  P4: (book) => sql`
    select ${columns(sql`'account:' || a.id`, {
      account: sql`a.id`,
      expected: sql`b.floor_fen`,
      actual: sql`b.sign * (b.debit_total_fen - b.credit_total_fen) - b.held_fen`,
    })}
      from ledger_balance b join ledger_account a on a.id = b.account_id
     where a.book = ${book} and b.sign * (b.debit_total_fen - b.credit_total_fen) - b.held_fen < b.floor_fen`,
  P5: (book) => sql`
    select ${columns(sql`'account:' || a.id`, {
      account: sql`a.id`,
      expected: sql`case a.normal_side when 'D' then 1 else -1 end * (coalesce(e.debit, 0) - coalesce(e.credit, 0))`,
      actual: sql`case a.normal_side when 'D' then 1 else -1 end * (b.debit - b.credit)`,
    })}
      from ledger_account a
      join (
        select account_id, sum(debit_total_fen) as debit, sum(credit_total_fen) as credit from ledger_balance group by account_id
      ) b on b.account_id = a.id
      left join (select account_id, sum(amount_fen) filter (where side = 'D') as debit, sum(amount_fen) filter (where side = 'C') as credit
                   from ledger_entry group by account_id) e on e.account_id = a.id
     where a.book = ${book} and (b.debit <> coalesce(e.debit, 0) or b.credit <> coalesce(e.credit, 0))`,
  P6: (book) => sql`
    select ${columns(sql`'account:' || a.id`, { account: sql`a.id`, expected: sql`b.posted`, actual: sql`coalesce(l.remaining, 0)` })}
      from ledger_account a
      join (
        select account_id, sum(credit_total_fen - debit_total_fen) as posted, sum(held_fen) as held from ledger_balance group by account_id
      ) b on b.account_id = a.id
      left join (
        select account_id, sum(remaining_fen) as remaining, sum(held_fen) as held from ledger_lot group by account_id
      ) l on l.account_id = a.id
     where a.book = ${book} and a.lotted and (b.posted <> coalesce(l.remaining, 0) or b.held <> coalesce(l.held, 0))
    union all
    select ${columns(sql`'lot:' || l.id`, {
      account: sql`l.account_id`,
      lot: sql`l.id`,
      expected: sql`coalesce(m.remaining, 0)`,
      actual: sql`l.remaining_fen`,
    })}
      from ledger_lot l join ledger_account a on a.id = l.account_id
      left join (
        select lot_id, sum(delta_remaining_fen) as remaining, sum(delta_held_fen) as held from ledger_lot_move group by lot_id
      ) m on m.lot_id = l.id
     where a.book = ${book} and (l.remaining_fen <> coalesce(m.remaining, 0) or l.held_fen <> coalesce(m.held, 0))`,
  P7: (book) => sql`
    select ${columns(sql`'account:' || a.id`, { account: sql`a.id`, expected: sql`coalesce(h.held, 0)`, actual: sql`b.held` })}
      from ledger_account a
      join (select account_id, sum(held_fen) as held from ledger_balance group by account_id) b on b.account_id = a.id
      left join (
        select g.account_id, sum(g.amount_fen - g.captured_fen - g.released_fen) as held
          from ledger_hold_leg g
          join ledger_hold h on h.id = g.hold_id
          where h.status = 'PENDING'
          group by g.account_id
      ) h on h.account_id = a.id
      where a.book = ${book} and b.held <> coalesce(h.held, 0)`,
  P8: (book) => sql`
    select ${columns(sql`'entry:' || o.id`, {
      account: sql`o.account_id`,
      transfer: sql`o.transfer_id`,
      expected: sql`o.amount_fen`,
      actual: sql`r.back`,
    })}
      from (
        select original_entry_id, sum(amount_fen) as back from ledger_entry where original_entry_id is not null group by original_entry_id
      ) r
      join ledger_entry o on o.id = r.original_entry_id join ledger_account a on a.id = o.account_id
     where a.book = ${book} and r.back > o.amount_fen`,
  P10: (book) => sql`
    select ${columns(sql`'period:' || p.period || ':' || p.account_id`, {
      account: sql`p.account_id`,
      expected: sql`p.debit_fen - p.credit_fen`,
      actual: sql`coalesce(s.debit, 0) - coalesce(s.credit, 0)`,
    })}
      from (
        select distinct on (period, account_id) *
          from ledger_period_balance
          where book = ${book}
          order by period, account_id, closing_no desc
      ) p
      join ledger_period c on c.book = p.book and c.period = p.period and c.status = 'CLOSED'
      left join (
        select t.period, e.account_id, sum(e.amount_fen) filter (where e.side = 'D') as debit,
            sum(e.amount_fen) filter (where e.side = 'C') as credit
          from ledger_entry e
          join ledger_transfer t on t.id = e.transfer_id
          where t.book = ${book}
          group by t.period, e.account_id
      ) s on s.period = p.period
        and s.account_id = p.account_id
      where p.debit_fen <> coalesce(s.debit, 0) or p.credit_fen <> coalesce(s.credit, 0)`,
};
