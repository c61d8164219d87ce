import type { Kernel } from '../kernel.ts';
import type { Writing } from '../context.ts';
import type { LogNotes } from '../http/context.ts';
import { isRetryable, openWriting, type OpenWriting, type WritingMechanisms } from './writing.ts';
import type { Transactions } from './transactions.ts';

const TRIES = 3;

/**
 * Runs `work` in one READ COMMITTED transaction; deadlocks are tried again with fresh notes, three times in all.
 * @param keep decides whether an error still commits what was written (refusals that keep their counters).
 */
export async function inTransaction<T>(
  kernel: Kernel,
  mechanisms: WritingMechanisms,
  facts: { traceId: string; notes?: LogNotes; now?: string },
  work: (writing: Writing, notes: LogNotes) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const notes: LogNotes = { targets: [], differences: [] };
    let opened: OpenWriting | null = null;
    try {
      const result = await kernel.db.transaction().execute(async (tx) => {
        opened = openWriting(kernel, mechanisms, tx, {
          now: facts.now ?? kernel.clock.now(),
          traceId: facts.traceId,
          notes,
        });
        return work(opened.writing, notes);
      });
      if (facts.notes) {
        facts.notes.targets.push(...notes.targets);
        facts.notes.differences.push(...notes.differences);
      }
      await (opened as OpenWriting | null)?.committed();
      return result;
    } catch (error) {
      if (attempt >= TRIES || !isRetryable(error)) {
        facts.notes?.targets.push(...notes.targets);
        throw error;
      }
    }
  }
}

/** Transactions outside calls: jobs, consumers, demo data. */
export const makeTransactions = (kernel: () => Kernel, mechanisms: WritingMechanisms): Transactions => ({
  run: (traceId, work) => inTransaction(kernel(), mechanisms, { traceId }, (writing) => work(writing)),
  snapshot: (work) => kernel().readDb.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
});
