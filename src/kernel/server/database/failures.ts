/** What PostgreSQL says of a statement that failed; null of anything else. */
const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

const DEADLOCKS = new Set(['40001', '40P01']);

/** Serialisation failure or deadlock: the same transaction may be tried again. */
export const isDeadlock = (error: unknown): boolean => DEADLOCKS.has(codeOf(error) ?? '');

/** Somebody else held what was to be locked for longer than anybody waits. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/** Others are at it; later it may go well. */
export const isBusy = (error: unknown): boolean => isDeadlock(error) || isLockTimeout(error);

/** Two rows of one key; null where it is something else. @returns the name of the constraint */
export function duplicateOf(error: unknown): string | null {
  if (codeOf(error) !== '23505') return null;
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
}
