import { sql } from 'kysely';
import { platformErrors, refuse } from '../../contract/errors.ts';
import type { Kernel } from '../kernel.ts';
import type { Writing } from '../context.ts';
import { holdingConnection } from '../database/heldConnection.ts';
import { isBusy, isDeadlock, isLockTimeout } from '../database/failures.ts';
import { WITH_COMMIT } from '../database/roundTrips.ts';
import type { LogNotes } from '../http/context.ts';
import { openWriting, type OpenWriting, type WritingMechanisms } from './writing.ts';
import type { Transactions } from './transactions.ts';

/** Deadlocks and serialisation failures: the same work may be done again, so often in all. */
const TRIES = 3;
/** Whoever has waited for a lock in vain waits once more, where he is a command. */
const TRIES_OF_LOCK = 2;

/** What jobs, consumers and sockets wait for a lock; a command's operator waits less (the pool's own limit). */
const PATIENCE = sql`set local lock_timeout = '15s'${sql.raw(WITH_COMMIT)}`;

interface Facts {
  traceId: string;
  /** Names the transaction to whoever breaks its rules. */
  by: string;
  /** A call's; absent: jobs, consumers, sockets. */
  command?: { record: string | null };
  notes?: LogNotes;
  now?: string;
}

/**
 * Runs `work` in one READ COMMITTED transaction, when it has its turn. Nothing that failed has written anything, so deadlocks are tried
 * again with fresh notes.
 * @throws Refusal SCM90061 of a command that had no turn, or waited for locks in vain.
 */
export async function inTransaction<T>(
  kernel: Kernel,
  mechanisms: WritingMechanisms,
  facts: Facts,
  work: (writing: Writing, notes: LogNotes) => Promise<T>,
): Promise<T> {
  const { lanes } = mechanisms;
  const run = () => tryAgain(kernel, mechanisms, facts, work);
  const { result, opened } = await (facts.command ? lanes.command(facts.command.record, run) : lanes.background(run));
  await opened?.committed();
  return result;
}

async function tryAgain<T>(
  kernel: Kernel,
  mechanisms: WritingMechanisms,
  facts: Facts,
  work: (writing: Writing, notes: LogNotes) => Promise<T>,
): Promise<{ result: T; opened: OpenWriting | null }> {
  for (let attempt = 1; ; attempt += 1) {
    const notes: LogNotes = { targets: [], differences: [] };
    let opened: OpenWriting | null = null;
    try {
      const result = await kernel.db.transaction().execute(async (tx) => {
        const { writing } = (opened = openWriting(kernel, mechanisms, tx, {
          now: facts.now ?? kernel.clock.now(),
          traceId: facts.traceId,
          notes,
        }));
        if (!facts.command) await PATIENCE.execute(tx);
        return holdingConnection(facts.by, () => work(writing, notes));
      });
      if (facts.notes) {
        facts.notes.targets.push(...notes.targets);
        facts.notes.differences.push(...notes.differences);
      }
      return { result, opened };
    } catch (error) {
      if (attempt < triesOf(error, facts)) continue;
      facts.notes?.targets.push(...notes.targets);
      throw facts.command && isBusy(error) ? refuse(platformErrors.BUSY) : error;
    }
  }
}

function triesOf(error: unknown, { command }: Facts): number {
  if (isDeadlock(error)) return TRIES;
  return command && isLockTimeout(error) ? TRIES_OF_LOCK : 1;
}

/** A snapshot locks nothing: its rows wait for whoever takes the file, longer than a writer may stand still. */
const SNAPSHOT_IDLE = '120s';

/** Transactions outside calls: jobs, consumers, demo data. */
export const makeTransactions = (kernel: () => Kernel, mechanisms: WritingMechanisms): Transactions => ({
  run: (traceId, work) => inTransaction(kernel(), mechanisms, { traceId, by: `transaction ${traceId}` }, (writing) => work(writing)),
  snapshot: (work) =>
    kernel()
      .readDb.transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        await sql`select set_config('idle_in_transaction_session_timeout', ${SNAPSHOT_IDLE}, true)`.execute(tx);
        return holdingConnection('a snapshot', () => work(tx));
      }),
});
