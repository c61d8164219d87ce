import * as z from 'zod/mini';
import { id, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { leftMenus, menuKinds, risks, routeSources } from '../dictionaries.ts';
import { identityPermissions as may } from '../permissions.ts';
import { atOrNull } from './shared.ts';

const service = declareService('MenuInfoService');

/** Rows of the tree, parents before children; the page builds the tree from `parentId`. */
const menuRow = z.strictObject({
  id: z.string(),
  parentId: textOrNull,
  level: z.number(),
  titleName: z.string(),
  routeKey: textOrNull,
  path: textOrNull,
  kind: menuKinds.schema,
  icon: textOrNull,
  sort: z.number(),
  leftMenu: leftMenus.schema,
  navShow: z.boolean(),
  weChatPage: z.boolean(),
  visible: z.boolean(),
  builtin: z.boolean(),
  version: z.number(),
  roleCount: z.number(),
});
const menuTree = z.strictObject({
  menus: z.array(menuRow),
  routeCatalogue: z.array(
    z.strictObject({
      routeKey: z.string(),
      path: z.string(),
      title: z.string(),
      trail: z.array(z.string()),
      left: leftMenus.schema,
      kind: z.string(),
      source: routeSources.schema,
      viewPermission: textOrNull,
      usedBy: textOrNull,
    }),
  ),
});

export const queryMenuInfoList = service.read({
  operation: 'queryMenuInfoList',
  label: '查询菜单',
  access: may['menu.view'],
  input: {},
  output: menuTree,
});

const body = {
  titleName: field(
    '菜单标题',
    z.string('请输入菜单标题').check(z.trim(), z.minLength(1, '请输入菜单标题'), z.maxLength(20, '菜单标题最多20个字符')),
  ),
  routeKey: z.optional(z.nullable(text('路由', 100))),
  kind: field('类型', menuKinds.schema),
  icon: z.optional(z.nullable(text('图标', 50))),
  leftMenu: field('左侧菜单', z._default(leftMenus.schema, 'none')),
  navShow: field('导航显示', z._default(z.boolean(), true)),
  weChatPage: field('微信页面', z._default(z.boolean(), false)),
  visible: field('显示', z._default(z.boolean(), true)),
};
const sortNumber = field('排序', z.int('排序须为整数').check(z.minimum(0, '排序不能小于0'), z.maximum(100_000, '排序最大为100000')));

export const addMenuInfo = service.act({
  operation: 'addMenuInfo',
  label: '新增菜单',
  access: may['menu.edit'],
  message: '新增成功!',
  input: { parentId: field('上级菜单', z.optional(z.nullable(id))), sort: field('排序', z.optional(sortNumber)), ...body },
  output: menuTree,
});

export const modifyMenuInfo = service.act({
  operation: 'modifyMenuInfo',
  label: '修改菜单',
  access: may['menu.edit'],
  message: '修改成功!',
  input: {
    id,
    version,
    parentId: field('上级菜单', z.optional(z.nullable(id))),
    sort: field('排序', z.optional(sortNumber)),
    titleName: field('菜单标题', z.optional(body.titleName)),
    routeKey: body.routeKey,
    kind: field('类型', z.optional(menuKinds.schema)),
    icon: body.icon,
    leftMenu: field('左侧菜单', z.optional(leftMenus.schema)),
    navShow: field('导航显示', z.optional(z.boolean())),
    weChatPage: field('微信页面', z.optional(z.boolean())),
    visible: field('显示', z.optional(z.boolean())),
  },
  output: menuTree,
});

export const removeMenuInfo = service.act({
  operation: 'removeMenuInfo',
  label: '删除菜单',
  access: may['menu.edit'],
  message: '删除成功!',
  input: { id, version },
  output: menuTree,
});

export const sortMenuInfo = service.act({
  operation: 'sortMenuInfo',
  label: '调整菜单顺序',
  access: may['menu.edit'],
  message: '修改成功!',
  input: {
    sort: field(
      '排序',
      z
        .array(z.strictObject({ id, parentId: field('上级菜单', z.nullable(id)), sort: sortNumber }))
        .check(z.minLength(1, '没有需要排序的菜单'), z.maxLength(500, '最多500个菜单')),
    ),
  },
  output: menuTree,
});

export const queryPermissionList = service.list({
  operation: 'queryPermissionList',
  label: '查询权限目录',
  access: may['menu.view'],
  filter: { domain: z.optional(text('领域', 30)), risk: field('风险', z.optional(risks.schema)), keyword: z.optional(text('关键字', 50)) },
  output: z.strictObject({
    code: field('编码', z.string()),
    label: field('权限', z.string()),
    domain: field('领域', z.string()),
    risk: field('风险', risks.schema),
    /** Whose work it decides about: rights of its domain, without its name, that should not be held with it. */
    decides: z.nullable(z.strictObject({ document: z.string(), of: z.array(z.string()), money: z.optional(z.boolean()) })),
    routeKeys: field('页面', z.array(z.string())),
    calls: field('调用', z.array(z.strictObject({ path: z.string(), label: z.string() }))),
    retiredAt: atOrNull,
    roles: field('角色', z.array(z.strictObject({ roleId: z.string(), name: z.string() }))),
  }),
});
