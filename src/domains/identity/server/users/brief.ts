import { containsPattern } from '#kernel/server/database/search.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';

export interface UserBrief {
  userId: string;
  displayName: string;
  opNo: string;
  state: string;
}

/** Who the users are, for lists of other domains; unknown ids are left out. */
export async function userBrief(db: Db | Tx, ids: readonly string[]): Promise<UserBrief[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const rows = await own(db)
    .selectFrom('identityStaffUser')
    .select(['id', 'displayName', 'opNo', 'state'])
    .where('id', 'in', wanted)
    .execute();
  return rows.map(({ id, ...rest }) => ({ userId: id, ...rest }));
}

/** Enabled users with one of these mobiles (blind indexes of `mobileHash`), for matching with other systems' staff lists. */
export async function usersByMobile(
  db: Db | Tx,
  hashes: readonly string[],
): Promise<{ userId: string; displayName: string; mobileHash: string }[]> {
  if (hashes.length === 0) return [];
  const rows = await own(db)
    .selectFrom('identityStaffUser')
    .select(['id', 'displayName', 'mobileHash'])
    .where('mobileHash', 'in', [...hashes])
    .where('state', '=', 'ENABLED')
    .execute();
  return rows.map(({ id, displayName, mobileHash }) => ({ userId: id, displayName, mobileHash: mobileHash! }));
}

/** Enabled users found by name or staff number, for pickers of other domains. */
export async function userOptions(db: Db | Tx, keyword: string, limit: number): Promise<UserBrief[]> {
  const text = containsPattern(keyword);
  let query = own(db).selectFrom('identityStaffUser').select(['id', 'displayName', 'opNo', 'state']).where('state', '=', 'ENABLED');
  if (keyword !== '') query = query.where((eb) => eb.or([eb('displayName', 'like', text), eb('opNo', 'ilike', text)]));
  const rows = await query.orderBy('opNo').limit(limit).execute();
  return rows.map(({ id, ...rest }) => ({ userId: id, ...rest }));
}
