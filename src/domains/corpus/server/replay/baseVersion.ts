import { hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { own } from '../database.ts';

/** The version in force, which a change is set against; undefined before the first. */
export const baseOf = (db: Db, scenePackageId: string) =>
  own(db)
    .selectFrom('corpusPackageVersion')
    .select(['id', 'seq'])
    .where('scenePackageId', '=', scenePackageId)
    .where('state', '=', 'PUBLISHED')
    .executeTakeFirst();

/** A draft may change every hour, and so may the patients: what is handed in was run against the days up to yesterday or the day before. */
const VALID = hours(24);

/**
 * The replay of a content against the version in force, finished; nothing is published without it.
 * @param since null: however old it is, as long as both contents are what they were
 */
export async function replayOf(db: Db, scenePackageId: string, contentHash: string, now: Instant | null): Promise<string | null> {
  const base = await baseOf(db, scenePackageId);
  let asked = own(db)
    .selectFrom('corpusScenePreview')
    .select('id')
    .where('scenePackageId', '=', scenePackageId)
    .where('kind', '=', 'REPLAY')
    .where('contentHash', '=', contentHash)
    .where('state', '=', 'DONE')
    .where('baseVersionId', base ? '=' : 'is', base?.id ?? null);
  if (now !== null) asked = asked.where('finishedAt', '>', plusMs(now, -VALID));
  const row = await asked.orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? null;
}
