import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

interface Held {
  /** Whose transaction it is. */
  by: string;
  open: boolean;
}

/** Frames of a stack beyond the usual ones. */
const DEEPER = 30;

const held = new AsyncLocalStorage<Held | null>();

/**
 * Work inside of an open transaction asked the pool: were all connections lent to those who wait for its locks, all would wait for ever.
 */
export class SecondConnection extends Error {
  override readonly name = 'SecondConnection';

  constructor(by: string) {
    // Between the statement and whoever made it stand Kysely's own frames.
    Error.stackTraceLimit += DEEPER;
    super(`${by} holds a connection and asks the pool for another one: what it needs comes from its transaction`);
    Error.stackTraceLimit -= DEEPER;
  }
}

/**
 * Work of an open transaction: it has its connection and asks the pool for no other.
 * @param by names the transaction to whoever broke the rule
 */
export async function holdingConnection<T>(by: string, work: () => Promise<T>): Promise<T> {
  const transaction: Held = { by, open: true };
  try {
    return await held.run(transaction, work);
  } finally {
    // What it left running goes on by itself.
    transaction.open = false;
  }
}

/** What asks for a connection beside the transaction's on purpose. It must not wait for what the transaction has locked. */
export type Beside =
  /** Others see how far a job is before its transaction ends. */
  | 'progress'
  /** Stays whatever becomes of the transaction, and is read once per process. */
  | 'madeOnce'
  /** In tests: what others do while a transaction is held open. */
  | 'othersMeanwhile';

export const besideTransaction = <T>(_reason: Beside, work: () => Promise<T>): Promise<T> => held.run(null, work);

/**
 * The pool, which tells of work that holds a connection and asks for a second one.
 * @param onSecond throws where that is refused
 */
export function oneConnection(pool: Pick<pg.Pool, 'connect' | 'end' | 'options'>, onSecond: (error: SecondConnection) => void) {
  return {
    async connect() {
      const transaction = held.getStore();
      if (transaction?.open) onSecond(new SecondConnection(transaction.by));
      return pool.connect();
    },
    end: () => pool.end(),
    options: pool.options,
  };
}
