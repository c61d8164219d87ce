import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Book, FindingCode, ProofKind } from '../../contract/books.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import type { Fen, Posting } from '../commands.ts';
import { checks, type Difference } from './checks.ts';

export interface Proof {
  proofId: string;
  book: Book;
  status: 'PASSED' | 'FAILED';
  accountsChecked: number;
  entriesChecked: bigint;
  debitTotal: Fen;
  creditTotal: Fen;
  digest: string;
  findings: number;
}

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
 * Says that a proof of the book begins: one at a time.
 * @throws Refusal SCM18060 while another one runs
 */
export async function beginProof({ tx, now }: Pick<Posting, 'tx' | 'now'>, book: Book, kind: ProofKind): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into ledger_proof (book, as_of, kind, status, started_at)
      values (${book}, ${now}::timestamptz, ${kind}, 'RUNNING', ${now}::timestamptz)
      on conflict (book)
      where status = 'RUNNING' do nothing
      returning id`.execute(tx);
  if (!rows[0]) throw refuse(ledgerErrors.PROOF_RUNNING);
  return rows[0].id;
}

/** A proof that was begun and never ended, because its process did not live: it says so, and the next one may begin. */
export async function abandonProofs({ tx, now }: Pick<Posting, 'tx' | 'now'>, before: string): Promise<void> {
  await sql`
    update ledger_proof
      set status = 'FAILED', finished_at = ${now}::timestamptz
      where status = 'RUNNING' and started_at < ${before}::timestamptz`.execute(tx);
}

type Found = Difference & { code: FindingCode };
const NOWHERE = { accountId: null, transferId: null, lotId: null, holdId: null, expectedFen: null, actualFen: null };

interface Last {
  id: string;
  digest: string;
  prevDigest: string | null;
  beforeThat: string | null;
}

async function lastOf(tx: Tx, book: Book): Promise<Last | undefined> {
  const { rows } = await sql<Last>`
    select p.id, p.digest, p.prev_digest,
           (
             select q.digest from ledger_proof q where q.book = p.book and q.id < p.id and q.digest is not null order by q.id desc limit 1
           ) as before_that
      from ledger_proof p where p.book = ${book} and p.digest is not null order by p.id desc limit 1`.execute(tx);
  return rows[0];
}

/** Whether the books' own checks still find this. */
export async function isStillFound(tx: Tx, book: Book, code: FindingCode, objectKey: string): Promise<boolean> {
  if (code === 'P9') return true;
  const { rows } = await sql`select from (${checks[code](book)}) d where object_key = ${objectKey}`.execute(tx);
  return rows.length > 0;
}

async function keepFindings({ tx, now }: Pick<Posting, 'tx' | 'now'>, proofId: string, book: Book, found: readonly Found[]): Promise<void> {
  await sql`
    insert into ledger_finding (
      proof_id, book, finding_code, object_key, account_id, transfer_id, lot_id, hold_id, expected_fen, actual_fen, created_at
    )
      select ${proofId}, ${book}, u.*, ${now}::timestamptz
        from unnest(
          ${found.map(({ code }) => code)}::text[], ${found.map(({ objectKey }) => objectKey)}::text[],
          ${found.map((one) => one.accountId)}::bigint[], ${found.map((one) => one.transferId)}::bigint[],
          ${found.map((one) => one.lotId)}::bigint[], ${found.map((one) => one.holdId)}::bigint[],
          ${found.map((one) => one.expectedFen)}::bigint[], ${found.map((one) => one.actualFen)}::bigint[]
        ) as u
        on conflict do nothing`.execute(tx);
  // What an earlier proof found and this one does not is mended.
  await sql`
    update ledger_finding f set status = 'RESOLVED', resolution = '复查通过', closed_at = ${now}::timestamptz, version = f.version + 1
     where f.book = ${book} and f.status in ('OPEN', 'ASSIGNED') and f.proof_id < ${proofId}
       and (f.finding_code, f.object_key) not in (
             select * from unnest(${found.map(({ code }) => code)}::text[], ${found.map(({ objectKey }) => objectKey)}::text[]))`.execute(
    tx,
  );
}

/**
 * Replays a book from its entries, compares it with its projections and ends the proof that was begun. Set-based; where it is alone in
 * its transaction, that should be REPEATABLE READ, so that all checks see one moment.
 */
export async function runProof(posting: Pick<Posting, 'tx' | 'now'>, proofId: string): Promise<Proof> {
  const { tx, now } = posting;
  const { rows: begun } = await sql<{ book: Book }>`select book from ledger_proof where id = ${proofId} and status = 'RUNNING'`.execute(tx);
  if (!begun[0]) throw new Error(`The proof ${proofId} is not running`);
  const { book } = begun[0];
  const found: Found[] = [];
  for (const [code, check] of Object.entries(checks) as [Exclude<FindingCode, 'P9'>, (typeof checks)['P1']][]) {
    const { rows } = await sql<Difference>`select * from (${check(book)}) d order by object_key limit 1000`.execute(tx);
    found.push(...rows.map((row) => ({ ...row, code })));
  }
  const last = await lastOf(tx, book);
  if (last && last.prevDigest !== last.beforeThat) found.push({ ...NOWHERE, code: 'P9', objectKey: `proof:${last.id}` });
  const digest = chained(await digestOf(tx, book), last?.digest ?? null);
  const status = found.length === 0 ? 'PASSED' : 'FAILED';
  interface Made {
    accountsChecked: number;
    entriesChecked: string;
    debitTotalFen: string;
    creditTotalFen: string;
  }
  const { rows: made } = await sql<Made>`
    update ledger_proof p
      set status = ${status}, accounts_checked = (select count(*) from ledger_account where book = ${book}), entries_checked = s.n,
        debit_total_fen = s.debit, credit_total_fen = s.credit, digest = ${digest}, prev_digest = ${last?.digest ?? null},
        finished_at = ${now}::timestamptz
      from (
        select count(*) as n, coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) as debit,
            coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0) as credit
          from ledger_entry e
          join ledger_account a on a.id = e.account_id
          where a.book = ${book}
      ) s
      where p.id = ${proofId}
      returning p.accounts_checked, p.entries_checked, p.debit_total_fen, p.credit_total_fen`.execute(tx);
  const proof = made[0]!;
  await keepFindings(posting, proofId, book, found);
  return {
    proofId,
    book,
    status,
    accountsChecked: proof.accountsChecked,
    entriesChecked: BigInt(proof.entriesChecked),
    debitTotal: BigInt(proof.debitTotalFen),
    creditTotal: BigInt(proof.creditTotalFen),
    digest,
    findings: found.length,
  };
}

/** Begins a proof and ends it in one transaction. @throws Refusal SCM18060 */
export const prove = async (posting: Pick<Posting, 'tx' | 'now'>, book: Book, kind: ProofKind): Promise<Proof> =>
  runProof(posting, await beginProof(posting, book, kind));
