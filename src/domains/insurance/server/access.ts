import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { scopedResource, scopeFilter } from '../../../kernel/server/auth/scope.ts';
import type { Viewer } from '../../../kernel/server/auth/viewer.ts';
import type { Tx } from '../../../kernel/server/context.ts';

/** An insurer's people see what is its own; lists of regions do not limit what is sold, they limit who is treated. */
export const insurerScope = (column: string) => scopedResource({ region: 'free', insurer: { column }, channel: 'free', own: 'free' });

/** The same for what may belong to no insurer and serves all then (drug lists). */
export const insurerScopeOrCommon =
  (column: string) =>
  (viewer: Viewer): RawBuilder<SqlBool> =>
    sql<SqlBool>`(${sql.ref(column)} is null or ${scopeFilter(insurerScope(column), viewer)})`;

/** Writers of one series (versions of a product, links) go one after another. */
export async function lockSeries(tx: Tx, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`insurance:${key}`}, 0))`.execute(tx);
}
