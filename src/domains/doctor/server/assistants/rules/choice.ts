/** Somebody who could take a paid order. */
export interface Candidate {
  id: string;
  state: string;
  /** The instant lies within his duty week. */
  inDuty: boolean;
  activeCount: number;
  capacity: number;
  lastAssignedAt: string | null;
}

export interface Choosable {
  primary: Candidate | null;
  backups: readonly Candidate[];
  /** Other assistants who share a disease with the doctor. */
  sharers: readonly Candidate[];
}

export type Choice =
  | { assistantId: string; how: 'PRIMARY' | 'BACKUP' | 'SHARED' }
  /** Nobody has room: the primary gets it all the same. */
  | { assistantId: string; how: 'OVERLOAD' }
  | { assistantId: null; how: 'NONE' };

const idOrder = (a: string, b: string) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

/** Compares a.load ÷ a.capacity with b's without dividing: negative when a carries less. */
export const compareLoad = (a: { load: number; capacity: number }, b: { load: number; capacity: number }): number =>
  Math.sign(a.load * b.capacity - b.load * a.capacity);

/** On duty, within his hours, below his capacity. */
export const hasRoom = (one: Candidate): boolean => one.state === 'ON_DUTY' && one.inDuty && one.activeCount < one.capacity;

/** Lowest load first; then who was given work longest ago (never counts as longest); then the smaller id. */
export function byLoad(a: Candidate, b: Candidate): number {
  const load = compareLoad({ load: a.activeCount, capacity: a.capacity }, { load: b.activeCount, capacity: b.capacity });
  if (load !== 0) return load;
  const [left, right] = [a.lastAssignedAt ?? '', b.lastAssignedAt ?? ''];
  return left < right ? -1 : left > right ? 1 : idOrder(a.id, b.id);
}

const freest = (some: readonly Candidate[]) => some.filter(hasRoom).sort(byLoad)[0];

/** Who serves a paid order (R6). A doctor without any bind gets nobody. */
export function chooseFrom({ primary, backups, sharers }: Choosable): Choice {
  if (!primary && backups.length === 0) return { assistantId: null, how: 'NONE' };
  if (primary && hasRoom(primary)) return { assistantId: primary.id, how: 'PRIMARY' };
  const backup = freest(backups);
  if (backup) return { assistantId: backup.id, how: 'BACKUP' };
  const sharer = freest(sharers);
  if (sharer) return { assistantId: sharer.id, how: 'SHARED' };
  return primary ? { assistantId: primary.id, how: 'OVERLOAD' } : { assistantId: null, how: 'NONE' };
}
