import type { Db } from '#kernel/server/context.ts';
import { own } from '../database.ts';

/** A role's permissions, kept by its version: a change of the role is seen by the next request. */
export interface PermissionSets {
  of(db: Db, roleId: string, version: number): Promise<ReadonlySet<string>>;
}

export function permissionSets(): PermissionSets {
  const known = new Map<string, { version: number; codes: ReadonlySet<string> }>();
  return {
    async of(db, roleId, version) {
      const cached = known.get(roleId);
      if (cached?.version === version) return cached.codes;
      const rows = await own(db).selectFrom('identityRolePermission').select('code').where('roleId', '=', roleId).execute();
      const codes = new Set(rows.map(({ code }) => code));
      // An older version read late must not replace a newer one.
      if (!cached || cached.version < version) known.set(roleId, { version, codes });
      return codes;
    },
  };
}
