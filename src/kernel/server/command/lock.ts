import { platformErrors, refuse } from '../../contract/errors.ts';

/**
 * Optimistic lock: refuses a write that was made on an older version.
 * @param seen version the caller saw; null (callers that send no `If-Match`) = no stale check.
 * @param current the record as it stands, for the page's conflict dialog.
 * @throws Refusal SCM90030 with `data: {current}`.
 */
export function assertFresh(lock: { seen: number | null; version: number; changedBy: string | null; current: unknown }): void {
  if (lock.seen === null || lock.seen === lock.version) return;
  throw refuse(platformErrors.CHANGED, { name: lock.changedBy ?? '其他人' }, { data: { current: lock.current } });
}
