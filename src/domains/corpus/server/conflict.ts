import { assertFresh } from '../../../kernel/server/command/lock.ts';
import type { Tx } from '../../../kernel/server/context.ts';
import { userBrief } from '../../identity/server/index.ts';

/**
 * Refuses a write made on an older version, naming who changed the record since.
 * @param current what the page's conflict dialog shows beside the caller's own values
 */
export async function demandFresh(
  tx: Tx,
  lock: { seen: number | null; version: number; changedById: string | null; current: object },
): Promise<void> {
  if (lock.seen === null || lock.seen === lock.version) return;
  const users = lock.changedById === null ? [] : await userBrief(tx, [lock.changedById]);
  assertFresh({
    seen: lock.seen,
    version: lock.version,
    changedBy: users[0]?.displayName ?? null,
    current: { ...lock.current, version: lock.version },
  });
}
