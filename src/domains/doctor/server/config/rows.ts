import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { ServiceConfigRow } from '../../contract/calls/config.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { own } from '../database.ts';

type Stored = Omit<ServiceConfigRow, 'publishedByName' | 'createdByName'> & { publishedBy: string | null; createdBy: string | null };

const readable = (db: Db | Tx, now: Instant) =>
  own(db)
    .selectFrom('doctorServiceConfigVersion as v')
    .select([
      'v.id',
      'v.versionNo',
      'v.content',
      'v.effectiveFrom',
      'v.publishedAt',
      'v.publishedBy',
      'v.note',
      'v.version',
      'v.createdBy',
      'v.createdAt',
      'v.updatedAt',
    ])
    // What is due counts as in force before the job has turned it.
    .select(sql<boolean>`v.published_at is not null and v.effective_from > ${now}`.as('waiting'))
    .select(
      sql<string>`
        case
          when v.published_at is null or v.effective_from > ${now} then 'DRAFT'
          when v.id = (
            select a.id
              from doctor_service_config_version a
              where a.published_at is not null and a.effective_from <= ${now}
              order by a.effective_from desc, a.version_no desc limit 1
          ) then 'ACTIVE'
          else 'HISTORY'
        end`.as('state'),
    )
    .$castTo<Stored>();

async function named(db: Db | Tx, rows: readonly Stored[]): Promise<ServiceConfigRow[]> {
  const ids = [...new Set(rows.flatMap(({ publishedBy, createdBy }) => [publishedBy, createdBy]).filter((id) => id !== null))];
  const names = new Map((await userBrief(db, ids)).map((user) => [user.userId, user.displayName]));
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return rows.map(({ publishedBy, createdBy, ...row }) => ({
    ...row,
    publishedByName: nameOf(publishedBy),
    createdByName: nameOf(createdBy),
  }));
}

const SHOWN = 100;

/** All versions, newest first. */
export const configRows = async (db: Db, now: Instant): Promise<ServiceConfigRow[]> =>
  named(db, await readable(db, now).orderBy('v.versionNo', 'desc').limit(SHOWN).execute());

export const configRow = async (db: Db | Tx, id: string, now: Instant): Promise<ServiceConfigRow> =>
  (await named(db, [await readable(db, now).where('v.id', '=', id).executeTakeFirstOrThrow()]))[0]!;
