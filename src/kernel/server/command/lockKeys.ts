import { sql } from 'kysely';
import type { Tx } from '../context.ts';

/**
 * Makes writers of equal keys wait for each other until the transaction ends, so that a check before a write holds; always in one
 * order, so that two writers never wait for each other.
 * @param namespace separates the keys of different things: `institution.hospital`
 */
export async function lockKeys(
  tx: Pick<Tx, 'executeQuery' | 'getExecutor'>,
  namespace: string,
  keys: readonly (string | null)[],
): Promise<void> {
  const wanted = [...new Set(keys.filter((key) => key !== null))].toSorted();
  for (const key of wanted) await sql`select pg_advisory_xact_lock(hashtextextended(${`${namespace}:${key}`}, 0))`.execute(tx);
}
