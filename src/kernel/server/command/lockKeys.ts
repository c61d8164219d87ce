import { sql } from 'kysely';
import type { Tx } from '../context.ts';

type Locking = Pick<Tx, 'executeQuery' | 'getExecutor'>;

/** The one scheme of keys: `institution.hospital:12`. Also SQL that locks by itself makes them so. */
const keyOf = (namespace: string, key: string) => sql`hashtextextended(${`${namespace}:${key}`}, 0)`;

/**
 * Makes writers of equal keys wait for each other until the transaction ends, so that a check before a write holds; always in one
 * order, so that two writers never wait for each other.
 * @param namespace separates the keys of different things: `institution.hospital`
 * @param keys absent: all writers of the thing wait for each other
 */
export async function lockKeys(tx: Locking, namespace: string, keys: readonly (string | null)[] = ['']): Promise<void> {
  const wanted = [...new Set(keys.filter((key) => key !== null))].toSorted();
  for (const key of wanted) await sql`select pg_advisory_xact_lock(${keyOf(namespace, key)})`.execute(tx);
}

/** The same without waiting. @returns whether nobody else has it */
export async function tryLockKey(tx: Locking, namespace: string, key = ''): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${keyOf(namespace, key)}) as mine`.execute(tx);
  return rows[0]?.mine === true;
}
