import type { Db } from '#kernel/server/context.ts';
import { userBrief } from '#domains/identity/server/index.ts';

/** Names of members of staff by their ids; nobody is the system. */
export async function userNames(db: Db, ids: readonly (string | null)[]): Promise<(id: string | null) => string> {
  const known = new Map(
    (
      await userBrief(
        db,
        ids.flatMap((id) => (id === null ? [] : [id])),
      )
    ).map(({ userId, displayName }) => [userId, displayName]),
  );
  return (id) => (id === null ? '系统' : (known.get(id) ?? '系统'));
}
