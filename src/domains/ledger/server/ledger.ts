import { sql } from 'kysely';
import { Refusal } from '#kernel/contract/errors.ts';
import type { Day, Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Book, ProofKind } from '../contract/books.ts';
import { close, freeze, openAccount, openAccounts, renameOwner, unfreeze, type Reasoned } from './accounts/accounts.ts';
import {
  balances,
  balancesIfAny,
  lotsOf,
  overdrawnLots,
  ownerTotals,
  ownerTurnover,
  postedAt,
  turnoverOf,
  unbalanced,
} from './accounts/balances.ts';
import { makeChart, type BookDeclaration } from './chart.ts';
import type { AccountRef, Actor, Fen, HoldCommand, PostCommand, Posting } from './commands.ts';
import { expireLots, overdueLots, type SweepTarget } from './lots/expire.ts';
import { type LedgerFacts, makeKnownAccounts } from './accounts/knownAccounts.ts';
import { capture, hold, lockHolds, overdueHolds, release, timeOutHolds, type CaptureCommand } from './holds/holds.ts';
import { abortClose, finishClose, openPeriods, reopen, startClose } from './periods/periods.ts';
import { postMany } from './transfers/post.ts';
import { openFindings } from './proofs/openFindings.ts';
import { beginProof, prove, runProof } from './proofs/prove.ts';
import { rebuildBalance } from './proofs/rebuild.ts';
import { refund, reverse, type RefundCommand } from './transfers/refunds.ts';
import { lockAccounts } from './accounts/lockAccounts.ts';
import { expiredOf, movementsOf } from './accounts/statement.ts';
import { replaceAccount } from './accounts/replaceAccount.ts';
import { readTransfers } from './transfers/transfers.ts';

/**
 * The ledger of the books that domains declare. Every operation takes the open transaction of the caller's business, is its last
 * statement, and opens none itself; a refusal must roll that back, unless it ran within `tryLedger`.
 */
export function makeLedger(declarations: readonly BookDeclaration[], { strict }: { strict: boolean }) {
  const facts: LedgerFacts = { chart: makeChart(declarations), strict, accounts: makeKnownAccounts() };
  return {
    chart: facts.chart,
    /** Takes the locks of all accounts that several calls of one transaction are going to need, in the order of the locks. */
    lock: async ({ tx }: Pick<Posting, 'tx'>, refs: readonly AccountRef[]): Promise<void> => {
      await lockAccounts(tx, facts, refs, []);
    },
    /** The same for captures and releases of several holds; `credited` is what the captures post to. */
    lockHolds: (posting: Pick<Posting, 'tx'>, holdIds: readonly string[], credited: readonly AccountRef[] = []) =>
      lockHolds(posting, facts, holdIds, credited),
    openAccount: (posting: Pick<Posting, 'tx' | 'now'>, ref: AccountRef, options: { ownerName: string; floor?: Fen }) =>
      openAccount(posting, facts, ref, options),
    openAccounts: (posting: Pick<Posting, 'tx' | 'now'>, wanted: readonly { ref: AccountRef; ownerName: string }[]) =>
      openAccounts(posting, facts, wanted),
    renameOwner,
    post: async (posting: Posting, command: PostCommand) => (await postMany(posting, facts, [command]))[0]!,
    postMany: (posting: Posting, commands: readonly PostCommand[]) => postMany(posting, facts, commands),
    hold: (posting: Posting, command: HoldCommand) => hold(posting, facts, command),
    capture: (posting: Posting, command: CaptureCommand) => capture(posting, facts, command),
    release: (posting: Posting, command: { holdId: string; businessKey: string; reason: string; actor: Actor }) =>
      release(posting, facts, command),
    overdueHolds,
    timeOutHolds: (posting: Posting, limit: number, holdIds?: readonly string[]) => timeOutHolds(posting, facts, limit, holdIds),
    reverse: (posting: Posting, command: Omit<RefundCommand, 'legs' | 'grace'>) => reverse(posting, facts, command),
    refund: (posting: Posting, command: RefundCommand) => refund(posting, facts, command),
    overdueLots,
    expireLots: (posting: Posting, command: { book: Book; asOf: Instant; limit: number; lotIds?: readonly string[]; sweep: SweepTarget }) =>
      expireLots(posting, facts, command),
    replaceAccount: (
      posting: Posting,
      command: { from: AccountRef; to: AccountRef; businessKey: string; type: string; reason: string; actor: Actor },
    ) => replaceAccount(posting, facts, command),
    freeze: (posting: Posting, ref: AccountRef, act: Reasoned & { byHand?: boolean }) => freeze(posting, ref, act),
    unfreeze: (posting: Posting, ref: AccountRef, act: Reasoned) => unfreeze(posting, ref, act),
    close: (posting: Pick<Posting, 'tx' | 'now'>, ref: AccountRef) => close(posting, ref),
    balance: async (db: Db | Tx, ref: AccountRef, now: Instant) => (await balances(db, [ref], now))[0]!,
    balances,
    postedAt,
    balancesIfAny,
    lotsOf,
    movementsOf: (db: Db | Tx, book: Book, owner: { type: string; id: string }, span: Parameters<typeof movementsOf>[4]) =>
      movementsOf(db, facts, book, owner, span),
    expiredOf,
    ownerTotals,
    ownerTurnover,
    turnoverOf,
    openFindings,
    unbalanced,
    overdrawnLots,
    /** Of a business document, oldest first. */
    async transfersOf(tx: Db | Tx, ref: { type: string; id: string }) {
      const { rows } = await sql<{
        id: string;
      }>`select id from ledger_transfer where ref_type = ${ref.type} and ref_id = ${ref.id} order by id`.execute(tx);
      const ids = rows.map(({ id }) => id);
      const read = await readTransfers(tx, ids);
      return ids.map((id) => read.get(id)!);
    },
    openPeriods: (posting: Pick<Posting, 'tx' | 'now'>, day: Day) => openPeriods(posting, facts, day),
    startClose,
    finishClose,
    abortClose,
    reopen,
    prove: (posting: Pick<Posting, 'tx' | 'now'>, book: Book, kind: ProofKind) => prove(posting, book, kind),
    beginProof,
    runProof,
    rebuildBalance,
  };
}
export type Ledger = ReturnType<typeof makeLedger>;

/** Runs a ledger call so that its refusal leaves the caller's transaction as it was: a row of a batch, an adjustment under review. */
export async function tryLedger<T>(tx: Tx, run: () => Promise<T>): Promise<{ done: T } | { refused: Refusal }> {
  await sql`savepoint ledger_try`.execute(tx);
  try {
    const done = await run();
    await sql`release savepoint ledger_try`.execute(tx);
    return { done };
  } catch (error) {
    await sql`rollback to savepoint ledger_try`.execute(tx);
    await sql`release savepoint ledger_try`.execute(tx);
    if (error instanceof Refusal) return { refused: error };
    throw error;
  }
}
