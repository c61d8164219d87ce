import type pg from 'pg';
import { StartFailure } from '../startFailure.ts';

/** The role in which the program works: reads and writes rows, changes no table, and cannot rewrite what is append-only. */
export const APP_ROLE = 'kangqiao_app';

const DUPLICATE = new Set(['42710', '23505']);

/**
 * Creates the application's role and lets the migrating user take it on.
 * @throws StartFailure with the statements for the database's administrator where this user may not.
 */
export async function ensureAppRole(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ known: boolean; member: boolean; me: string }>(
    `select exists (select from pg_roles where rolname = $1) as known, current_user as me,
       exists (select from pg_roles r where r.rolname = $1 and pg_has_role(current_user, r.oid, 'member')) as member`,
    [APP_ROLE],
  );
  const state = rows[0];
  if (!state || state.member) return;
  const me = `"${state.me.replaceAll('"', '""')}"`;
  try {
    if (!state.known) {
      await client.query(`create role ${APP_ROLE} nologin`).catch((error: unknown) => {
        if (!DUPLICATE.has((error as { code?: string }).code ?? '')) throw error;
      });
    }
    await client.query(`grant ${APP_ROLE} to ${me}`);
  } catch (error) {
    throw new StartFailure(
      `The database user ${state.me} may not make itself the role ${APP_ROLE} (${(error as Error).message}). Let an administrator of the database run once:\n` +
        `${state.known ? '' : `  create role ${APP_ROLE} nologin;\n`}  grant ${APP_ROLE} to ${me};`,
    );
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Gives the role its rights on every table of the product and of the job queue.
 * Partitions get none: they are reached through their parent, so that append-only holds for them too.
 */
export async function grantRights(client: pg.ClientBase, appendOnly: ReadonlySet<string>): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition order by 1`,
  );
  // What the owner of the tables lets the program ask for.
  const { rows: owned } = await client.query<{ name: string }>(
    `select format('%I(%s)', proname, pg_get_function_identity_arguments(oid)) as name from pg_proc
      where pronamespace = 'public'::regnamespace and prosecdef and pg_get_userbyid(proowner) = current_user`,
  );
  const known = new Set(rows.map((row) => row.name));
  const unknown = [...appendOnly].filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`Declared append-only, but there is no such table: ${unknown.join(', ')}`);
  const statements = [`grant usage on schema public to ${APP_ROLE}`];
  const of = (rights: string, names: string[]) => {
    if (names.length > 0) statements.push(`grant ${rights} on ${names.map(quoted).join(', ')} to ${APP_ROLE}`);
  };
  const fixed = new Set([...appendOnly, 'kernel_migration']);
  of(
    'select, insert, update, delete',
    rows.map((row) => row.name).filter((name) => !fixed.has(name)),
  );
  of('select, insert', [...appendOnly]);
  of('select', ['kernel_migration']);
  if (appendOnly.size > 0) statements.push(`revoke update, delete, truncate on ${[...appendOnly].map(quoted).join(', ')} from ${APP_ROLE}`);
  statements.push(
    `grant usage, select on all sequences in schema public to ${APP_ROLE}`,
    `grant usage on schema pgboss to ${APP_ROLE}`,
    `grant select, insert, update, delete on all tables in schema pgboss to ${APP_ROLE}`,
    `grant usage, select on all sequences in schema pgboss to ${APP_ROLE}`,
    `grant execute on all functions in schema pgboss to ${APP_ROLE}`,
    ...owned.map(({ name }) => `grant execute on function public.${name} to ${APP_ROLE}`),
  );
  await client.query(statements.join(';\n'));
}
