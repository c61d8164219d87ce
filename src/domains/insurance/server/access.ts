import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { scopedResource, scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Tx } from '#kernel/server/context.ts';

/** An insurer's people see what is its own; lists of regions do not limit what is sold, they limit who is treated. */
export const insurerScope = (column: string) => scopedResource({ region: 'free', insurer: { column }, channel: 'free', own: 'free' });

/** The same for what may belong to no insurer and serves all then (drug lists). */
export const insurerScopeOrCommon =
  (column: string) =>
  (viewer: Viewer): RawBuilder<SqlBool> =>
    sql<SqlBool>`(${sql.ref(column)} is null or ${scopeFilter(insurerScope(column), viewer)})`;

/** Writers of the versions of one document (table of the versions, id of what they are versions of) go one after another. */
export const lockVersions = (tx: Tx, table: string, parentId: string) => lockKeys(tx, 'insurance.versions', [`${table}:${parentId}`]);
