import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { CommandContext, Difference } from '#kernel/server/context.ts';
import { roleChanged } from '#events/identity.ts';
import { identityErrors as errors } from '../../contract/errors.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { requireMayGrant } from '../users/grant.ts';

export interface RoleBody {
  menuIds: readonly string[];
  permissions: readonly string[];
  defaultRouteKey: string | null;
  confirmHigh: boolean;
}

/** @throws SCM01030. Names of deleted roles are free. */
export async function requireFreeRoleName(ctx: CommandContext, name: string, exceptId: string | null): Promise<void> {
  const taken = await own(ctx.tx)
    .selectFrom('identityRole')
    .select('id')
    .where('name', '=', name)
    .where('deletedAt', 'is', null)
    .$if(exceptId !== null, (select) => select.where('id', '!=', exceptId!))
    .executeTakeFirst();
  if (taken) throw refuse(errors.ROLE_NAME_TAKEN);
}

/** Menus and rights that belong together, and the rules of granting; writes them and names what changed. */
export async function writeRoleBody(
  ctx: CommandContext,
  roleId: string,
  body: RoleBody,
): Promise<{ added: ReadonlySet<string>; addedHigh: string[]; removed: string[] }> {
  const { tx } = ctx;
  const wantedMenus = [...new Set(body.menuIds)];
  const wanted = new Set(body.permissions);
  if (wantedMenus.length === 0) throw refuse(errors.NO_MENU);
  const menus = await own(tx)
    .selectFrom('identityMenu as m')
    .leftJoin('identityRouteCatalogue as c', 'c.routeKey', 'm.routeKey')
    .select(['m.id', 'm.titleName', 'm.routeKey', 'm.kind', 'c.viewPermission'])
    .where('m.id', 'in', wantedMenus)
    .execute();
  if (menus.length !== wantedMenus.length) throw refuseField('menuIds', '所选菜单已变化，请刷新后重试');
  const catalogue = new Map(
    (await own(tx).selectFrom('identityPermissionCatalogue').select(['code', 'label', 'risk', 'retiredAt']).execute()).map((row) => [
      row.code,
      row,
    ]),
  );
  for (const menu of menus) {
    if (menu.viewPermission === null || menu.viewPermission === 'session' || wanted.has(menu.viewPermission)) continue;
    throw refuse(errors.VIEW_PERMISSION_MISSING, {
      menu: menu.titleName,
      permission: catalogue.get(menu.viewPermission)?.label ?? menu.viewPermission,
    });
  }
  if (!menus.some(({ kind }) => kind === 'PAGE')) throw refuse(errors.NO_MENU);
  if (body.defaultRouteKey !== null && !menus.some(({ routeKey }) => routeKey === body.defaultRouteKey)) {
    throw refuseField('defaultRouteKey', '首页须为该角色已有的菜单');
  }
  const before = new Set(
    (await own(tx).selectFrom('identityRolePermission').select('code').where('roleId', '=', roleId).execute()).map(({ code }) => code),
  );
  const added = [...wanted].filter((code) => !before.has(code));
  const removed = [...before].filter((code) => !wanted.has(code));
  const unknown = added.filter((code) => !catalogue.has(code) || catalogue.get(code)?.retiredAt !== null);
  if (unknown.length > 0) throw refuseField('permissions', `权限不存在或已退役：${unknown.slice(0, 5).join('、')}`);
  if (added.length > 0) {
    const mine = await own(tx)
      .selectFrom('identityUserRole')
      .select('id')
      .where('roleId', '=', roleId)
      .where('userId', '=', ctx.staff.userId)
      .where('state', '=', 'ENABLED')
      .executeTakeFirst();
    if (mine) throw refuse(errors.SELF);
    await requireMayGrant(tx, ctx.staff, added, ctx.today);
  }
  const named = (codes: readonly string[]) => codes.map((code) => catalogue.get(code)?.label ?? code);
  const addedHigh = added.filter((code) => catalogue.get(code)?.risk === 'HIGH');
  if (addedHigh.length > 0 && !body.confirmHigh) {
    throw refuseField('confirmHigh', `新增了高危权限：${named(addedHigh).join('、')}，请确认后保存`);
  }
  const menusBefore = await own(tx)
    .selectFrom('identityRoleMenu as rm')
    .innerJoin('identityMenu as m', 'm.id', 'rm.menuId')
    .select(['m.id', 'm.titleName'])
    .where('rm.roleId', '=', roleId)
    .execute();
  await own(tx).deleteFrom('identityRoleMenu').where('roleId', '=', roleId).execute();
  await own(tx)
    .insertInto('identityRoleMenu')
    .values(wantedMenus.map((menuId) => ({ roleId, menuId })))
    .execute();
  if (removed.length > 0)
    await own(tx).deleteFrom('identityRolePermission').where('roleId', '=', roleId).where('code', 'in', removed).execute();
  if (added.length > 0)
    await own(tx)
      .insertInto('identityRolePermission')
      .values(added.map((code) => ({ roleId, code })))
      .execute();

  const oldIds = new Set(menusBefore.map(({ id }) => id));
  const newIds = new Set(wantedMenus);
  const change = (path: string, label: string, gone: string[], come: string[]): Difference[] =>
    gone.length + come.length === 0
      ? []
      : [
          {
            path,
            label,
            before: gone.length > 0 ? `移除：${gone.join('、')}` : null,
            after: come.length > 0 ? `新增：${come.join('、')}` : null,
          },
        ];
  ctx.changed([
    ...change(
      'menus',
      '菜单',
      menusBefore.filter(({ id }) => !newIds.has(id)).map(({ titleName }) => titleName),
      menus.filter(({ id }) => !oldIds.has(id)).map(({ titleName }) => titleName),
    ),
    ...change('permissions', '权限', named(removed), named(added)),
  ]);
  return { added: new Set(added), addedHigh: named(addedHigh), removed: named(removed) };
}

/** Tells other domains and the open pages of the holders; their next request already acts under the new version. */
export async function publishRoleChanged(
  core: IdentityCore,
  ctx: CommandContext,
  role: { id: string; version: number },
  userIds?: readonly string[],
): Promise<void> {
  const holders =
    userIds ??
    (
      await own(ctx.tx)
        .selectFrom('identityUserRole')
        .select('userId')
        .distinct()
        .where('roleId', '=', role.id)
        .where('state', '=', 'ENABLED')
        .execute()
    ).map(({ userId }) => userId);
  await ctx.publish(roleChanged, role.id, { roleId: role.id, version: role.version, userIds: [...holders] });
  ctx.afterCommit(() => {
    for (const userId of holders) core.kernel.realtime.toUser(userId, 'identity.role.changed', { roleId: role.id });
  });
}
