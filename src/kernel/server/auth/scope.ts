import { refuseField } from '../../contract/errors.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Scope } from '../context.ts';

/** How a dimension of the data scope meets a resource: a column, not limited, or nothing at all when restricted. */
type ScopeColumn = { column: string } | 'free' | 'deny';

export interface ScopedResource {
  region: ScopeColumn;
  insurer: ScopeColumn;
  channel: ScopeColumn;
  /** Columns of which one must be the user himself (creator, assignee, lease holder). */
  own: { columns: readonly string[] } | 'free' | 'deny';
}

/** Declares how the data scope limits a resource (identity.md R2). */
export const scopedResource = (resource: ScopedResource): ScopedResource => resource;

/** What is the same for everybody: catalogues, settings, and what is judged otherwise. */
export const unscoped = scopedResource({ region: 'free', insurer: 'free', channel: 'free', own: 'free' });

/** `310000` → `31`, `320500` → `3205`, `320506` → `320506`: the prefix without trailing zero pairs. */
export const regionPrefix = (adcode: string): string => adcode.replace(/(00)+$/, '');

/** Whether a place lies within the regions of somebody's data scope. */
export const seesRegion = ({ region }: Pick<Scope, 'region'>, adcode: string): boolean =>
  region === null || region.some((one) => adcode.startsWith(regionPrefix(one)));

/** @throws Refusal SCM90020 for a place that a caller names and does not see. */
export function requireRegion(viewer: { scope: Scope }, adcode: string | undefined, path: string): void {
  if (!seesRegion(viewer.scope, adcode ?? '')) throw refuseField(path, '该地区不在调用方的数据范围内');
}

const never = sql<SqlBool>`false`;
const always = sql<SqlBool>`true`;

const dimension = (
  rule: ScopeColumn,
  values: readonly string[] | null,
  match: (column: RawBuilder<unknown>, values: readonly string[]) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> => {
  if (values === null || rule === 'free') return always;
  if (rule === 'deny' || values.length === 0) return never;
  return match(sql.ref(rule.column), values);
};

const oneOf = (column: RawBuilder<unknown>, values: readonly string[]) => sql<SqlBool>`${column}::text = any(${[...values]}::text[])`;

const within = (column: RawBuilder<unknown>, adcodes: readonly string[]) =>
  sql<SqlBool>`(${sql.join(
    adcodes.map((adcode) => sql`${column} like ${`${regionPrefix(adcode)}%`}`),
    sql` or `,
  )})`;

/**
 * The predicate that limits a query to what the user may see: AND over the restricted dimensions, OR within one.
 * A null column value lies outside every restricted scope; a restricted dimension that meets `deny` gives no row.
 */
export function scopeFilter(resource: ScopedResource, staff: { userId: string; scope: Scope }): RawBuilder<SqlBool> {
  const { scope, userId } = staff;
  const own =
    !scope.own || resource.own === 'free'
      ? always
      : resource.own === 'deny'
        ? never
        : sql<SqlBool>`(${sql.join(
            resource.own.columns.map((column) => sql`${sql.ref(column)} = ${userId}`),
            sql` or `,
          )})`;
  return sql<SqlBool>`(${sql.join(
    [
      dimension(resource.region, scope.region, within),
      dimension(resource.insurer, scope.insurer, oneOf),
      dimension(resource.channel, scope.channel, oneOf),
      own,
    ],
    sql` and `,
  )})`;
}
