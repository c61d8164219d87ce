import type { Db } from '#kernel/server/context.ts';
import { own } from '../database.ts';

/** Rights of a role by its code; null where there is no such role. */
export async function permissionsOfRole(db: Db, roleCode: string): Promise<ReadonlySet<string> | null> {
  const role = await own(db)
    .selectFrom('identityRole')
    .select('id')
    .where('roleCode', '=', roleCode)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (!role) return null;
  const rows = await own(db).selectFrom('identityRolePermission').select('code').where('roleId', '=', role.id).execute();
  return new Set(rows.map(({ code }) => code));
}
