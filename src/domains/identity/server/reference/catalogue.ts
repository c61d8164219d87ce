import { sql, type Insertable } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import { routeKeyOf, trailOf, type RouteDeclaration } from '#kernel/contract/route.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { ReferenceData } from '#kernel/server/module.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { json, own } from '../database.ts';
import { dutyPairs, type DutyPair } from '#kernel/contract/duties.ts';
import { builtinConflicts, builtinRoles } from './builtinRoles.ts';
import { seedMenus } from './menuSeed.ts';
import type { IdentityPermissionCatalogue } from '../tables.ts';

/** Roles name pages by their names and whole directories by their titles. */
const inMenus = (route: Pick<RouteDeclaration, 'path' | 'trail' | 'menu'>, wanted: readonly string[]) =>
  wanted.includes('*') || [route.menu ?? '', ...route.trail, routeKeyOf(route.path)].some((one) => wanted.includes(one));

/**
 * Rights, pages, menu and roles of all registered modules. A permission, menu or role is given its defaults when it
 * first appears; what staff changed since stays.
 */
export function catalogueReference(kernel: Kernel): ReferenceData {
  const facts = () => ({
    // What machines may be given is chosen at their client, not at roles.
    permissions: kernel.registry.permissions.filter(({ machine }) => !machine),
    routes: kernel.registry.routes,
    duties: dutyPairs(kernel.registry.permissions),
    calls: kernel.registry.calls.map((call) => ({ path: call.path, label: call.label, codes: permissionCodesOf(call) })),
  });
  return {
    name: 'identity.catalogue',
    get content() {
      return { ...facts(), builtinRoles, builtinConflicts };
    },
    async write(tx, now) {
      const { permissions, duties, routes, calls } = facts();
      const newCodes = await writePermissions(
        tx,
        permissions.map((permission) => ({
          code: permission.code,
          label: permission.label,
          domain: permission.domain,
          routeKeys: json(permission.routes),
          risk: permission.risk,
          defaultRoles: json(permission.defaultRoles),
          calls: json(calls.filter(({ codes }) => codes.includes(permission.code)).map(({ path, label }) => ({ path, label }))),
        })),
        now,
      );
      await writeDuties(tx, duties);
      await writeRoutes(tx, routes);
      const newMenus = await seedMenus(tx, routes, now);
      const newRoles = await writeRoles(tx, now);
      await grantDefaults(tx, kernel, newCodes, newRoles, newMenus, routes);
    },
  };
}

async function writePermissions(tx: Tx, rows: Insertable<IdentityPermissionCatalogue>[], now: Instant): Promise<ReadonlySet<string>> {
  const known = new Set((await own(tx).selectFrom('identityPermissionCatalogue').select('code').execute()).map(({ code }) => code));
  if (rows.length > 0) {
    await own(tx)
      .insertInto('identityPermissionCatalogue')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('code').doUpdateSet((eb) => ({
          label: eb.ref('excluded.label'),
          domain: eb.ref('excluded.domain'),
          routeKeys: eb.ref('excluded.routeKeys'),
          risk: eb.ref('excluded.risk'),
          defaultRoles: eb.ref('excluded.defaultRoles'),
          calls: eb.ref('excluded.calls'),
          retiredAt: null,
        })),
      )
      .execute();
  }
  await own(tx)
    .updateTable('identityPermissionCatalogue')
    .set({ retiredAt: now })
    .where('source', '=', 'CODE')
    .where('retiredAt', 'is', null)
    .$if(rows.length > 0, (update) =>
      update.where(
        'code',
        'not in',
        rows.map(({ code }) => code),
      ),
    )
    .execute();
  return new Set(rows.map(({ code }) => code).filter((code) => !known.has(code)));
}

async function writeDuties(tx: Tx, pairs: readonly DutyPair[]): Promise<void> {
  await own(tx).deleteFrom('identityDutyPair').execute();
  if (pairs.length === 0) return;
  await own(tx)
    .insertInto('identityDutyPair')
    .values([...pairs])
    .execute();
}

async function writeRoutes(tx: Tx, routes: readonly RouteDeclaration[]): Promise<void> {
  const rows = routes
    .filter(({ kind }) => !['layout', 'public', 'wechat'].includes(kind))
    .map((route, sort) => ({
      routeKey: routeKeyOf(route.path),
      path: route.path,
      title: route.title,
      trail: json(trailOf(route, routes)),
      leftMenu: route.left,
      kind: route.kind,
      source: 'CODE' as const,
      viewPermission: route.permission ?? null,
      sort,
    }));
  await own(tx)
    .deleteFrom('identityRouteCatalogue')
    .where('source', '=', 'CODE')
    .$if(rows.length > 0, (remove) =>
      remove.where(
        'routeKey',
        'not in',
        rows.map(({ routeKey }) => routeKey),
      ),
    )
    .execute();
  if (rows.length === 0) return;
  await own(tx)
    .insertInto('identityRouteCatalogue')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('routeKey').doUpdateSet((eb) => ({
        path: eb.ref('excluded.path'),
        title: eb.ref('excluded.title'),
        trail: eb.ref('excluded.trail'),
        leftMenu: eb.ref('excluded.leftMenu'),
        kind: eb.ref('excluded.kind'),
        source: eb.ref('excluded.source'),
        viewPermission: eb.ref('excluded.viewPermission'),
        sort: eb.ref('excluded.sort'),
      })),
    )
    .execute();
}

async function writeRoles(tx: Tx, now: Instant): Promise<ReadonlySet<string>> {
  const added = await own(tx)
    .insertInto('identityRole')
    .values(
      builtinRoles.map(({ code, name, description }) => ({
        roleCode: code,
        name,
        description,
        builtin: true,
        state: 'ENABLED',
        createdAt: now,
        updatedAt: now,
      })),
    )
    .onConflict((conflict) => conflict.column('roleCode').doNothing())
    .returning('roleCode')
    .execute();
  const fresh = new Set(added.map(({ roleCode }) => roleCode));
  const conflicts = builtinConflicts.filter(({ a, b }) => fresh.has(a) || fresh.has(b));
  if (conflicts.length > 0) {
    await sql`
      insert into identity_role_conflict (first_role_id, second_role_id, reason, created_at, updated_at)
      select least(a.id, b.id), greatest(a.id, b.id), c.reason, ${now}, ${now}
      from jsonb_to_recordset(${json(conflicts)}::jsonb) as c(a text, b text, reason text)
      join identity_role a on a.role_code = c.a join identity_role b on b.role_code = c.b
      on conflict do nothing`.execute(tx);
  }
  return fresh;
}

/** Pairs of role and right (or menu) of which one is new; roles that gain something get a new version. */
async function grantDefaults(
  tx: Tx,
  kernel: Kernel,
  newCodes: ReadonlySet<string>,
  newRoles: ReadonlySet<string>,
  newMenus: ReadonlyMap<string, string>,
  routes: readonly RouteDeclaration[],
): Promise<void> {
  const { permissions } = kernel.registry;
  const rights = permissions.flatMap(({ code, defaultRoles }) =>
    defaultRoles.filter((role) => newCodes.has(code) || newRoles.has(role)).map((role) => ({ role, code })),
  );
  const holders = new Map(permissions.map(({ code, defaultRoles }) => [code, defaultRoles]));
  const menus = await own(tx).selectFrom('identityMenu').select(['id', 'routeKey']).where('routeKey', 'is not', null).execute();
  const byRoute = new Map(routes.map((route) => [routeKeyOf(route.path), route]));
  const entries = menus.flatMap(({ id, routeKey }) => {
    const route = byRoute.get(routeKey ?? '');
    if (!route) return [];
    return builtinRoles
      .filter((role) => newRoles.has(role.code) || newMenus.has(routeKey ?? ''))
      .filter((role) =>
        route.permission === undefined || route.permission === 'session'
          ? true
          : inMenus(route, role.menus) && (holders.get(route.permission)?.includes(role.code) ?? false),
      )
      .map((role) => ({ role: role.code, menu: id }));
  });
  await sql`
    with rights as (
      insert into identity_role_permission (role_id, code)
      select r.id, g.code from jsonb_to_recordset(${json(rights)}::jsonb) as g(role text, code text)
      join identity_role r on r.role_code = g.role and r.deleted_at is null
      on conflict do nothing returning role_id),
    entries as (
      insert into identity_role_menu (role_id, menu_id)
      select r.id, g.menu from jsonb_to_recordset(${json(entries)}::jsonb) as g(role text, menu bigint)
      join identity_role r on r.role_code = g.role and r.deleted_at is null
      on conflict do nothing returning role_id)
    update identity_role set version = version + 1
    where id in (select role_id from rights union select role_id from entries)`.execute(tx);
}
