import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { refuse } from '../../../kernel/contract/errors.ts';
import type { Tx } from '../../../kernel/server/context.ts';
import type { Book, FindingCode, ProofKind } from '../contract/books.ts';
import { ledgerErrors } from '../contract/errors.ts';
import type { Fen, Posting } from './commands.ts';

export interface Proof {
  proofId: string;
  status: 'PASSED' | 'FAILED';
  accountsChecked: number;
  entriesChecked: bigint;
  debitTotal: Fen;
  creditTotal: Fen;
  digest: string;
  findings: number;
}

/** A difference between what is and what should be; `objectKey` tells two of one kind apart. */
interface Difference {
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
  sql`${key} as object_key, ${account ?? NONE} as account_id, ${transfer ?? NONE} as transfer_id, ${lot ?? NONE} as lot_id, ${hold ?? NONE} as hold_id,
      (${expected ?? NONE})::bigint as expected_fen, (${actual ?? NONE})::bigint as actual_fen`;

/** Every check as one statement over a book that answers its differences; few rows of a great fault are enough. */
const checks: Readonly<Record<Exclude<FindingCode, 'P9'>, (book: Book) => RawBuilder<Difference>>> = {
  P1: (book) => sql`
    select ${columns(sql`'transfer:' || t.id`, { transfer: sql`t.id`, expected: sql`t.total_fen`, actual: sql`coalesce(s.debit, 0)` })}
      from ledger_transfer t left join (
        select transfer_id, sum(amount_fen) filter (where side = 'D') as debit, sum(amount_fen) filter (where side = 'C') as credit
          from ledger_entry group by transfer_id) s on s.transfer_id = t.id
     where t.book = ${book} and (s.debit is distinct from s.credit or s.debit is distinct from t.total_fen)`,
  P2: (book) => sql`
    select ${columns(sql`'book'`, { expected: sql`s.debit`, actual: sql`s.credit` })}
      from (select coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) as debit, coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0) as credit
              from ledger_entry e join ledger_account a on a.id = e.account_id where a.book = ${book}) s
     where s.debit <> s.credit`,
  P3: (book) => sql`
    select ${columns(sql`'account:' || s.account_id`, { account: sql`s.account_id`, expected: sql`max(s.running)`, actual: sql`max(s.balance_after_fen)` })}
      from (select e.account_id, e.account_seq, e.balance_after_fen,
                   row_number() over w as at, sum(case when e.side = a.normal_side then e.amount_fen else -e.amount_fen end) over w as running
              from ledger_entry e join ledger_account a on a.id = e.account_id
             where a.book = ${book} and a.floor_fen is not null
            window w as (partition by e.account_id order by e.account_seq)) s
     where s.account_seq <> s.at or s.balance_after_fen <> s.running group by s.account_id`,
  P4: (book) => sql`
    select ${columns(sql`'account:' || a.id`, { account: sql`a.id`, expected: sql`b.floor_fen`, actual: sql`b.sign * (b.debit_total_fen - b.credit_total_fen) - b.held_fen` })}
      from ledger_balance b join ledger_account a on a.id = b.account_id
     where a.book = ${book} and b.sign * (b.debit_total_fen - b.credit_total_fen) - b.held_fen < b.floor_fen`,
  P5: (book) => sql`
    select ${columns(sql`'account:' || a.id`, {
      account: sql`a.id`,
      expected: sql`case a.normal_side when 'D' then 1 else -1 end * (coalesce(e.debit, 0) - coalesce(e.credit, 0))`,
      actual: sql`case a.normal_side when 'D' then 1 else -1 end * (b.debit - b.credit)`,
    })}
      from ledger_account a
      join (select account_id, sum(debit_total_fen) as debit, sum(credit_total_fen) as credit from ledger_balance group by account_id) b on b.account_id = a.id
      left join (select account_id, sum(amount_fen) filter (where side = 'D') as debit, sum(amount_fen) filter (where side = 'C') as credit
                   from ledger_entry group by account_id) e on e.account_id = a.id
     where a.book = ${book} and (b.debit <> coalesce(e.debit, 0) or b.credit <> coalesce(e.credit, 0))`,
  P6: (book) => sql`
    select ${columns(sql`'account:' || a.id`, { account: sql`a.id`, expected: sql`b.posted`, actual: sql`coalesce(l.remaining, 0)` })}
      from ledger_account a
      join (select account_id, sum(credit_total_fen - debit_total_fen) as posted, sum(held_fen) as held from ledger_balance group by account_id) b on b.account_id = a.id
      left join (select account_id, sum(remaining_fen) as remaining, sum(held_fen) as held from ledger_lot group by account_id) l on l.account_id = a.id
     where a.book = ${book} and a.lotted and (b.posted <> coalesce(l.remaining, 0) or b.held <> coalesce(l.held, 0))
    union all
    select ${columns(sql`'lot:' || l.id`, { account: sql`l.account_id`, lot: sql`l.id`, expected: sql`coalesce(m.remaining, 0)`, actual: sql`l.remaining_fen` })}
      from ledger_lot l join ledger_account a on a.id = l.account_id
      left join (select lot_id, sum(delta_remaining_fen) as remaining, sum(delta_held_fen) as held from ledger_lot_move group by lot_id) m on m.lot_id = l.id
     where a.book = ${book} and (l.remaining_fen <> coalesce(m.remaining, 0) or l.held_fen <> coalesce(m.held, 0))`,
  P7: (book) => sql`
    select ${columns(sql`'account:' || a.id`, { account: sql`a.id`, expected: sql`coalesce(h.held, 0)`, actual: sql`b.held` })}
      from ledger_account a
      join (select account_id, sum(held_fen) as held from ledger_balance group by account_id) b on b.account_id = a.id
      left join (select g.account_id, sum(g.amount_fen - g.captured_fen - g.released_fen) as held from ledger_hold_leg g join ledger_hold h on h.id = g.hold_id
                  where h.status = 'PENDING' group by g.account_id) h on h.account_id = a.id
     where a.book = ${book} and b.held <> coalesce(h.held, 0)`,
  P8: (book) => sql`
    select ${columns(sql`'entry:' || o.id`, { account: sql`o.account_id`, transfer: sql`o.transfer_id`, expected: sql`o.amount_fen`, actual: sql`r.back` })}
      from (select original_entry_id, sum(amount_fen) as back from ledger_entry where original_entry_id is not null group by original_entry_id) r
      join ledger_entry o on o.id = r.original_entry_id join ledger_account a on a.id = o.account_id
     where a.book = ${book} and r.back > o.amount_fen`,
  P10: (book) => sql`
    select ${columns(sql`'period:' || p.period || ':' || p.account_id`, { account: sql`p.account_id`, expected: sql`p.debit_fen - p.credit_fen`, actual: sql`coalesce(s.debit, 0) - coalesce(s.credit, 0)` })}
      from (select distinct on (period, account_id) * from ledger_period_balance where book = ${book} order by period, account_id, closing_no desc) p
      join ledger_period c on c.book = p.book and c.period = p.period and c.status = 'CLOSED'
      left join (select t.period, e.account_id, sum(e.amount_fen) filter (where e.side = 'D') as debit, sum(e.amount_fen) filter (where e.side = 'C') as credit
                   from ledger_entry e join ledger_transfer t on t.id = e.transfer_id where t.book = ${book} group by t.period, e.account_id) s
        on s.period = p.period and s.account_id = p.account_id
     where p.debit_fen <> coalesce(s.debit, 0) or p.credit_fen <> coalesce(s.credit, 0)`,
};

async function digestOf(tx: Tx, book: Book): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select a.id || ':' || sum(b.sign * (b.debit_total_fen - b.credit_total_fen)) || ':' || sum(b.held_fen) as line
      from ledger_account a join ledger_balance b on b.account_id = a.id where a.book = ${book} group by a.id order by a.id`.execute(tx);
  const hash = createHash('sha256');
  for (const { line } of rows) hash.update(`${line}\n`);
  return hash.digest('hex');
}

/** The digest that the chain should end with: of the last finished proof, over its own and the one before. */
const chained = (digest: string, before: string | null): string =>
  createHash('sha256')
    .update(`${before ?? ''}\n${digest}`)
    .digest('hex');

/**
 * Replays a book from its entries and compares it with its projections. Set-based; in a transaction of its own it should be REPEATABLE READ.
 * @throws Refusal SCM18060 while another proof of the book runs
 */
export async function prove({ tx, now }: Pick<Posting, 'tx' | 'now'>, book: Book, kind: ProofKind): Promise<Proof> {
  const { rows: mine } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`ledger.proof.${book}`}, 0)) as free`.execute(tx);
  if (!mine[0]?.free) throw refuse(ledgerErrors.PROOF_RUNNING);
  const found: (Difference & { code: FindingCode })[] = [];
  for (const [code, check] of Object.entries(checks) as [Exclude<FindingCode, 'P9'>, (typeof checks)['P1']][]) {
    const { rows } = await sql<Difference>`select * from (${check(book)}) d order by object_key limit 1000`.execute(tx);
    found.push(...rows.map((row) => ({ ...row, code })));
  }
  const { rows: before } = await sql<{ id: string; digest: string; prevDigest: string | null; beforeThat: string | null }>`
    select p.id, p.digest, p.prev_digest, (select q.digest from ledger_proof q where q.book = p.book and q.id < p.id and q.digest is not null order by q.id desc limit 1) as before_that
      from ledger_proof p where p.book = ${book} and p.digest is not null order by p.id desc limit 1`.execute(tx);
  const last = before[0];
  if (last && last.prevDigest !== last.beforeThat)
    found.push({
      code: 'P9',
      objectKey: `proof:${last.id}`,
      accountId: null,
      transferId: null,
      lotId: null,
      holdId: null,
      expectedFen: null,
      actualFen: null,
    });
  const digest = chained(await digestOf(tx, book), last?.digest ?? null);
  const status = found.length === 0 ? 'PASSED' : 'FAILED';
  interface Made {
    id: string;
    accountsChecked: number;
    entriesChecked: string;
    debitTotalFen: string;
    creditTotalFen: string;
  }
  const { rows: made } = await sql<Made>`
    insert into ledger_proof (book, as_of, kind, status, accounts_checked, entries_checked, debit_total_fen, credit_total_fen, digest, prev_digest, started_at, finished_at)
    select ${book}, ${now}::timestamptz, ${kind}, ${status}, (select count(*) from ledger_account where book = ${book}), s.n, s.debit, s.credit, ${digest},
           ${last?.digest ?? null}, ${now}::timestamptz, ${now}::timestamptz
      from (select count(*) as n, coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) as debit, coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0) as credit
              from ledger_entry e join ledger_account a on a.id = e.account_id where a.book = ${book}) s
    returning id, accounts_checked, entries_checked, debit_total_fen, credit_total_fen`.execute(tx);
  const proof = made[0]!;
  await sql`
    insert into ledger_finding (proof_id, book, finding_code, object_key, account_id, transfer_id, lot_id, hold_id, expected_fen, actual_fen, created_at)
    select ${proof.id}, ${book}, u.*, ${now}::timestamptz
      from unnest(${found.map(({ code }) => code)}::text[], ${found.map(({ objectKey }) => objectKey)}::text[], ${found.map((one) => one.accountId)}::bigint[],
             ${found.map((one) => one.transferId)}::bigint[], ${found.map((one) => one.lotId)}::bigint[], ${found.map((one) => one.holdId)}::bigint[],
             ${found.map((one) => one.expectedFen)}::bigint[], ${found.map((one) => one.actualFen)}::bigint[]) as u
    on conflict do nothing`.execute(tx);
  // What an earlier proof found and this one does not is mended.
  await sql`
    update ledger_finding f set status = 'RESOLVED', resolution = '复查通过', closed_at = ${now}::timestamptz
     where f.book = ${book} and f.status in ('OPEN', 'ASSIGNED') and f.proof_id < ${proof.id}
       and (f.finding_code, f.object_key) not in (
             select * from unnest(${found.map(({ code }) => code)}::text[], ${found.map(({ objectKey }) => objectKey)}::text[]))`.execute(
    tx,
  );
  return {
    proofId: proof.id,
    status,
    accountsChecked: proof.accountsChecked,
    entriesChecked: BigInt(proof.entriesChecked),
    debitTotal: BigInt(proof.debitTotalFen),
    creditTotal: BigInt(proof.creditTotalFen),
    digest,
    findings: found.length,
  };
}

/** 重建余额投影: the balances of an account from its entries and holds; the way back from a P5 finding. */
export async function rebuildBalance(tx: Tx, accountId: string): Promise<void> {
  await sql`select from ledger_balance where account_id = ${accountId} order by stripe for update`.execute(tx);
  // The first row takes all, the others begin again: the sums of an open account are what counts.
  await sql`
    update ledger_balance b set
           debit_total_fen = case b.stripe when 0 then s.debit else 0 end, credit_total_fen = case b.stripe when 0 then s.credit else 0 end,
           held_fen = case b.stripe when 0 then s.held else 0 end, last_entry_seq = coalesce(s.seq, 0)
      from (select coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) as debit, coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0) as credit,
                   max(e.account_seq) as seq,
                   (select coalesce(sum(g.amount_fen - g.captured_fen - g.released_fen), 0) from ledger_hold_leg g join ledger_hold h on h.id = g.hold_id
                     where g.account_id = ${accountId} and h.status = 'PENDING') as held
              from ledger_entry e where e.account_id = ${accountId}) s
     where b.account_id = ${accountId}`.execute(tx);
}
