import type { Instant } from '#kernel/contract/time.ts';

/** An assistant who might take a group. */
export interface Candidate {
  assistantId: string;
  on: boolean;
  /** Groups served at this moment; snoozed ones do not count. */
  serving: number;
  maxConcurrent: number;
  lastAssignedAt: Instant | null;
}

export const hasPlace = ({ on, serving, maxConcurrent }: Candidate): boolean => on && serving < maxConcurrent;

const compareIds = (a: string, b: string) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

/** Least load first, compared by cross-multiplication; then who was assigned longest ago; then the lower id. */
export function byLoad(a: Candidate, b: Candidate): number {
  const load = a.serving * b.maxConcurrent - b.serving * a.maxConcurrent;
  if (load !== 0) return load;
  const since = (candidate: Candidate) => (candidate.lastAssignedAt === null ? 0 : Date.parse(candidate.lastAssignedAt));
  return since(a) - since(b) || compareIds(a.assistantId, b.assistantId);
}

/**
 * Who gets a group: the first named one with a place, else the least loaded of the pool.
 * @param named in order: the owner; the one chosen at payment or the doctor's primary; the last one of seven days.
 * @returns null = it waits in the queue.
 */
export function chooseOwner(named: readonly (string | null)[], pool: readonly Candidate[]): string | null {
  const known = new Map(pool.map((candidate) => [candidate.assistantId, candidate]));
  for (const id of named) {
    const candidate = id === null ? undefined : known.get(id);
    if (candidate && hasPlace(candidate)) return candidate.assistantId;
  }
  return pool.filter(hasPlace).toSorted(byLoad)[0]?.assistantId ?? null;
}
