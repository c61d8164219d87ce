import type { Db } from '../../../../kernel/server/context.ts';

export interface Blocker {
  /** Unsettled things of these records (canonical group). */
  count: number;
  /** Page that shows them. */
  link: string;
}
/** Reads with the transaction of the act, so that what it sees holds. */
export type BlockerCheck = (db: Db, patientIds: readonly string[]) => Promise<Blocker>;

const checks = new Map<string, BlockerCheck>();

/** Domains register what must be settled before a person is cancelled or loses the proof of identity (R6). */
export function registerBlocker(name: string, check: BlockerCheck): void {
  checks.set(name, check);
}

/** Everything unsettled, by the name under which it was registered. */
export async function unsettled(db: Db, patientIds: readonly string[]): Promise<(Blocker & { name: string })[]> {
  const found = [];
  for (const [name, check] of checks) found.push({ name, ...(await check(db, patientIds)) });
  return found.filter(({ count }) => count > 0);
}
