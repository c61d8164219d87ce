import { sql } from 'kysely';
import { containsPattern } from '#kernel/server/database/search.ts';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { refuse } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { offsetOf } from '#kernel/server/http/paging.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import {
  addMenuInfo,
  modifyMenuInfo,
  queryMenuInfoList,
  queryPermissionList,
  removeMenuInfo,
  sortMenuInfo,
} from '../../contract/calls/menus.ts';
import { identityErrors } from '../../contract/errors.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { checkPlaces, checkRoute, menuOf, writePlaces } from './change.ts';
import { loadTree, lockTree } from './tree.ts';

type PermissionRow = AnswerOf<typeof queryPermissionList>['rows'][number];

const LABELS = {
  parentId: '上级菜单',
  titleName: '标题',
  routeKey: '路由',
  kind: '类型',
  icon: '图标',
  sort: '排序',
  leftMenu: '左侧菜单',
  navShow: '导航显示',
  weChatPage: '微信页面',
  visible: '显示',
};

/** The navigation and the catalogue of rights; open pages reload their menu after a change. */
export function menuHandlers({ kernel }: IdentityCore): Handler[] {
  const publishMenuChanged = (ctx: CommandContext) => ctx.afterCommit(() => kernel.realtime.toAll('menuChanged', {}));
  const writerOf = (ctx: CommandContext) => ({ now: ctx.now, userId: ctx.staff.userId });

  return [
    query(queryMenuInfoList, (_input, { db }) => loadTree(db)),

    command(addMenuInfo, async (input, ctx) => {
      await lockTree(ctx.tx);
      const tree = await loadTree(ctx.tx);
      const parentId = input.parentId ?? null;
      const path = checkRoute(tree, input.kind, input.routeKey ?? null, null);
      const siblings = tree.menus.filter((menu) => menu.parentId === parentId);
      const sort = input.sort ?? Math.max(0, ...siblings.map((menu) => menu.sort)) + 10;
      // Judged as if it stood there already: the parent is a directory and not on the last level.
      const levels = checkPlaces(
        [
          ...tree.menus,
          { ...input, id: '0', parentId: null, level: 1, routeKey: null, path, icon: null, sort, builtin: false, version: 1, roleCount: 0 },
        ],
        new Map([['0', parentId]]),
      );
      const { id } = await own(ctx.tx)
        .insertInto('identityMenu')
        .values({
          parentId,
          level: levels.get('0') ?? 1,
          titleName: input.titleName,
          routeKey: input.routeKey ?? null,
          path,
          kind: input.kind,
          icon: input.icon ?? null,
          sort,
          leftMenu: input.leftMenu,
          navShow: input.navShow,
          weChatPage: input.weChatPage,
          visible: input.visible,
          ...createdColumns(ctx),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      ctx.target({ type: 'menu', id, no: input.titleName });
      publishMenuChanged(ctx);
      return loadTree(ctx.tx);
    }),

    command(modifyMenuInfo, async ({ id, version, parentId, sort, ...input }, ctx) => {
      await lockTree(ctx.tx);
      const tree = await loadTree(ctx.tx);
      const before = menuOf(tree, id);
      const editor = await sql<{ name: string | null }>`
        select u.display_name as name
          from identity_menu m
          left join identity_staff_user u on u.id = m.updated_by
          where m.id = ${id}`.execute(ctx.tx);
      await requireVersion(ctx, 'menu', { ...before, updatedByName: editor.rows[0]?.name ?? null }, version, () => before);
      const after = { ...before, ...input, routeKey: input.routeKey === undefined ? before.routeKey : input.routeKey };
      if (after.kind === 'PAGE' && before.kind === 'DIR' && tree.menus.some((menu) => menu.parentId === id))
        throw refuse(identityErrors.MENU_HAS_CHILDREN);
      const path = checkRoute(tree, after.kind, after.routeKey, id);
      await own(ctx.tx)
        .updateTable('identityMenu')
        .set({
          titleName: after.titleName,
          routeKey: after.routeKey,
          path,
          kind: after.kind,
          icon: after.icon ?? null,
          leftMenu: after.leftMenu,
          navShow: after.navShow,
          weChatPage: after.weChatPage,
          visible: after.visible,
          version: version + 1,
          ...updatedColumns(ctx),
        })
        .where('id', '=', id)
        .execute();
      const place = { id, parentId: parentId === undefined ? before.parentId : parentId, sort: sort ?? before.sort };
      if (place.parentId !== before.parentId || place.sort !== before.sort) {
        const levels = checkPlaces(tree.menus, new Map([[id, place.parentId]]));
        const moved = tree.menus.map((menu) => ({ ...menu, ...(menu.id === id ? place : {}), level: levels.get(menu.id) ?? menu.level }));
        await writePlaces(ctx.tx, moved, writerOf(ctx));
      }
      ctx.target({ type: 'menu', id, no: after.titleName });
      ctx.changed(differencesOf(before, { ...after, ...place }, LABELS));
      publishMenuChanged(ctx);
      return loadTree(ctx.tx);
    }),

    command(removeMenuInfo, async ({ id, version }, ctx) => {
      await lockTree(ctx.tx);
      const tree = await loadTree(ctx.tx);
      const menu = menuOf(tree, id);
      await requireVersion(ctx, 'menu', menu, version, () => menu);
      if (tree.menus.some((one) => one.parentId === id)) throw refuse(identityErrors.MENU_HAS_CHILDREN);
      if (menu.builtin) throw refuse(identityErrors.MENU_BUILTIN);
      await own(ctx.tx).deleteFrom('identityRoleMenu').where('menuId', '=', id).execute();
      await own(ctx.tx).deleteFrom('identityMenu').where('id', '=', id).execute();
      ctx.target({ type: 'menu', id, no: menu.titleName });
      publishMenuChanged(ctx);
      return loadTree(ctx.tx);
    }),

    command(sortMenuInfo, async ({ sort }, ctx) => {
      await lockTree(ctx.tx);
      const tree = await loadTree(ctx.tx);
      for (const { id } of sort) menuOf(tree, id);
      const wanted = new Map(sort.map((place) => [place.id, place]));
      const levels = checkPlaces(tree.menus, new Map(sort.map(({ id, parentId }) => [id, parentId])));
      const places = tree.menus.map((menu) => ({ ...menu, ...wanted.get(menu.id), level: levels.get(menu.id) ?? menu.level }));
      await writePlaces(ctx.tx, places, writerOf(ctx));
      for (const { id } of sort.slice(0, 200)) ctx.target({ type: 'menu', id, no: menuOf(tree, id).titleName });
      publishMenuChanged(ctx);
      return loadTree(ctx.tx);
    }),

    // No `listOf`: the catalogue of the program itself, some hundred rows counted in the same statement.
    query(queryPermissionList, async (input, { db }) => {
      const keyword = containsPattern(input.keyword ?? '');
      const { rows } = await sql<Omit<PermissionRow, 'decides'> & { total: number }>`
        select p.code, p.label, p.domain, p.risk, p.route_keys, p.calls, p.retired_at,
            coalesce((
              select jsonb_agg(jsonb_build_object('roleId', r.id::text, 'name', r.name) order by r.id)
                from identity_role_permission rp
                join identity_role r on r.id = rp.role_id and r.deleted_at is null
                where rp.code = p.code
            ), '[]'::jsonb) as roles,
            count(*) over ()::int as total
          from identity_permission_catalogue p
          where (${input.domain ?? ''} = '' or p.domain = ${input.domain ?? ''})
            and (${input.risk ?? null}::text is null or p.risk = ${input.risk ?? null})
            and (p.code like ${keyword} or p.label like ${keyword})
          order by p.domain, p.code limit ${input.pageSize} offset ${offsetOf(input)}`.execute(db);
      const decisions = new Map(
        kernel.registry.permissions.map(({ code, decides }) => [code, decides && { ...decides, of: [...decides.of] }]),
      );
      const named = rows.map(({ total: _, ...row }) => ({ ...row, decides: decisions.get(row.code) ?? null }));
      return { rows: named, total: rows[0]?.total ?? 0 };
    }),
  ];
}
