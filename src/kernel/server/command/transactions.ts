import type { Db, Writing } from '../context.ts';

export interface Transactions {
  /**
   * Opens a transaction outside a call (jobs, consumers, demo data, sweeps) with outbox and jobs in it.
   * @param traceId goes to the log rows that the work leaves.
   */
  run<T>(traceId: string, work: (writing: Writing) => Promise<T>): Promise<T>;
  /** One REPEATABLE READ read-only transaction: all rows of one moment. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
}
