import { assertFresh } from '../../../../kernel/server/command/lock.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import { userBrief } from './brief.ts';

/**
 * Refuses a write made on an older version, naming who changed the record since.
 * @param seen version the caller saw; null (callers that send no `If-Match`) = no stale check.
 * @param current what the page's conflict dialog shows beside the caller's own values.
 * @throws Refusal SCM90030 with `data: {current}`.
 */
export async function demandFresh(
  tx: Tx,
  seen: number | null,
  row: { version: number; updatedBy?: string | null },
  current: object,
): Promise<void> {
  if (seen === null || seen === row.version) return;
  const [user] = row.updatedBy ? await userBrief(tx, [row.updatedBy]) : [];
  assertFresh({ seen, version: row.version, changedBy: user?.displayName ?? null, current: { ...current, version: row.version } });
}
