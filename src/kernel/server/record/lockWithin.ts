import type { SelectQueryBuilder } from 'kysely';
import { platformErrors, refuse, type Refusal } from '../../contract/errors.ts';

/**
 * Locks a record that hangs on another one: that one first, then the record, in the order that all its writers keep. Whoever locked
 * them the other way round would wait for somebody who waits for him.
 * @param rows the one row, without its lock
 * @param within.key what the record hangs on; where it moved while its place was locked, all is looked at again
 * @param within.lock locks that, and refuses who may not see it
 * @throws Refusal SCM90040, or what `missing` says
 */
export async function lockWithin<DB, TB extends keyof DB, Row, Key extends string | null, Place>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  within: { key(row: NoInfer<Row>): Key; lock(key: NoInfer<Key>): Promise<Place> },
  missing: () => Refusal = () => refuse(platformErrors.NOT_FOUND),
): Promise<{ row: Row; place: Place }> {
  const [known] = await rows.execute();
  if (known === undefined) throw missing();
  const place = await within.lock(within.key(known));
  const [row] = await rows.forUpdate().execute();
  if (row === undefined) throw missing();
  return within.key(row) === within.key(known) ? { row, place } : lockWithin(rows, within, missing);
}
