import type { Kysely, Transaction } from 'kysely';
import type { Db, Tx } from '../context.ts';

/** A generated interface as a plain object type, as Kysely wants it. */
type Plain<Tables> = { [Table in keyof Tables]: Tables[Table] };

/** `own` reads, in the transaction where it is given one; `ownTx` says in its type that it writes in one. */
export interface Handles<Tables> {
  own: (db: Db) => Kysely<Plain<Tables>>;
  ownTx: (tx: Tx) => Transaction<Plain<Tables>>;
}

/**
 * The handles of a domain: `export const { own, ownTx }: Handles<CardTables> = handlesOf<CardTables>()`. The declared type is what
 * narrows them: without it they know the tables of the kernel too.
 */
export const handlesOf = <Tables extends { [Table in keyof Tables]: object }>() => ({
  own: (db: Db) => db.withTables<Plain<Tables>>(),
  ownTx: (tx: Tx) => tx.withTables<Plain<Tables>>(),
});
