import type { Instant } from '#kernel/contract/time.ts';
import type { Staff } from '#kernel/server/context.ts';
import type { RowChanges } from '#kernel/server/database/rowChanges.ts';

/** Sessions kept at most; the one kept longest goes first. */
const LIMIT = 5_000;

/** Statements that change who a session is or what it may; moving the idle limit of a live one (`touch`) changes nothing here. */
const WRITES =
  /\b(?:update\s+"?identity_session\b"?\s(?!set "last_seen_at" = \$\d+, "idle_expires_at" = \$\d+ where)|delete from\s+"?identity_session\b|(?:update|delete from)\s+"?identity_(?:staff_user|role|security_policy)\b|(?:insert into|update|delete from)\s+"?identity_user_role\b)/i;

interface Kept {
  staff: Staff;
  /** From then on the session is read again: to move its idle limit, to change its token, or because the day is over. */
  until: Instant;
}

/**
 * Sessions that were read lately and found in order, so that most requests read none. Only what lets a request through is kept: a
 * refusal is always found out in the database. Nothing is used while the changes of other processes can't be heard.
 */
export interface KeptSessions {
  find(token: Buffer, assignment: string | null, now: Instant): Staff | null;
  /** To be called before reading; what it returns keeps the result, unless something has changed since. */
  reading(): (token: Buffer, assignment: string | null, kept: Kept) => void;
}

export function keptSessions(changes: RowChanges): KeptSessions {
  const kept = new Map<string, Kept>();
  let generation = 0;
  const keyOf = (token: Buffer, assignment: string | null) => `${token.toString('base64')} ${assignment ?? ''}`;

  changes.watch('session', WRITES, (changed) => {
    generation++;
    const [what, id] = changed?.split(' ') ?? [];
    if (what !== 'id' && what !== 'user') return kept.clear();
    for (const [key, { staff }] of kept) if ((what === 'id' ? staff.sessionId : staff.userId) === id) kept.delete(key);
  });

  return {
    find(token, assignment, now) {
      if (!changes.live) return null;
      const found = kept.get(keyOf(token, assignment));
      return found && now < found.until ? found.staff : null;
    },
    reading() {
      const began = generation;
      return (token, assignment, found) => {
        if (!changes.live || began !== generation) return;
        const oldest = kept.keys().next();
        if (kept.size >= LIMIT && !oldest.done) kept.delete(oldest.value);
        kept.set(keyOf(token, assignment), found);
      };
    },
  };
}
