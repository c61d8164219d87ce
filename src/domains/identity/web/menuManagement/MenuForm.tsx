import { Form, Input, Radio, Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import MenuIcon, { menuIcons } from '#kernel/web/layout/MenuIcon.tsx';
import { addMenuInfo, modifyMenuInfo, queryMenuInfoList } from '../../contract/calls/menus.ts';
import { menuKinds } from '../../contract/dictionaries.ts';
import { HeaderPreview } from './HeaderPreview.tsx';
import { childrenOf, levelOf, possibleParents } from './menuTree.ts';
import type { MenuRow, MenuTree } from './menuTree.ts';

interface Values {
  parentId?: string | null;
  titleName: string;
  kind: MenuRow['kind'];
  routeKey?: string | null;
  leftMenu: MenuRow['leftMenu'];
  navShow: boolean;
  weChatPage: boolean;
  visible: boolean;
  icon?: string | null;
  sort?: number | null;
}

interface MenuFormProps {
  tree: MenuTree;
  /** Null: a new entry. */
  menu: MenuRow | null;
  parentId: string | null;
  onClose(): void;
}

const labels = {
  titleName: '标题',
  parentId: '上级菜单',
  routeKey: '路由',
  leftMenu: '左侧菜单',
  navShow: '导航显示',
  weChatPage: '微信页面',
  visible: '显示',
  sort: '排序',
};
const DRAFT = 'draft';

const bodyOf = (values: Values): InputOf<typeof addMenuInfo> => ({
  parentId: values.parentId ?? null,
  titleName: values.titleName,
  kind: values.kind,
  routeKey: values.kind === 'PAGE' ? (values.routeKey ?? null) : null,
  leftMenu: values.leftMenu,
  navShow: values.navShow,
  weChatPage: values.weChatPage,
  visible: values.visible,
  icon: values.icon ?? null,
  ...(typeof values.sort === 'number' && { sort: values.sort }),
});

/** Drawer 新增/编辑 of a menu entry, with the header as it will look. */
export function MenuForm({ tree, menu, parentId, onClose }: MenuFormProps) {
  const [form] = Form.useForm<Values>();
  const kind = Form.useWatch('kind', form) ?? menu?.kind ?? 'PAGE';
  const draft = Form.useWatch([], form) as Partial<Values> | undefined;
  const parents = possibleParents(tree.menus, menu?.id ?? null);
  const initial: Values = menu
    ? { ...menu }
    : {
        parentId,
        titleName: '',
        kind: 'PAGE',
        leftMenu: 'none',
        navShow: true,
        weChatPage: false,
        visible: true,
        sort: (childrenOf(tree.menus, parentId).at(-1)?.sort ?? 0) + 10,
      };
  const shared = { open: true, form, labels, onClose, refreshes: [queryMenuInfoList] } as const;
  const chooseRoute = (routeKey: string | null) => {
    const route = tree.routeCatalogue.find((one) => one.routeKey === routeKey);
    if (!route) return;
    if (!(form.getFieldValue('titleName') as string | undefined)) form.setFieldValue('titleName', route.title);
    form.setFieldValue('leftMenu', route.left);
  };
  const fields = (
    <>
      <Field of={addMenuInfo} name="parentId" extra="不选为一级菜单">
        <Select<string> allowClear placeholder="一级菜单" options={parentOptions(tree.menus, new Set(parents.map(({ id }) => id)), null)} />
      </Field>
      <div className="id-two">
        <Field of={addMenuInfo} name="kind">
          <Radio.Group
            disabled={menu !== null && childrenOf(tree.menus, menu.id).length > 0}
            options={menuKinds.options.map(({ value, label }) => ({ value, label }))}
          />
        </Field>
        <Field of={addMenuInfo} name="sort" tooltip="同级中数值小的在前" />
      </div>
      {kind === 'PAGE' && (
        <Field of={addMenuInfo} name="routeKey" rules={[{ required: true, message: '请选择系统已有路由或已发布的低代码页面' }]}>
          <Select<string>
            placeholder="请选择未被使用的路由"
            showSearch={{ optionFilterProp: 'label' }}
            options={tree.routeCatalogue
              .filter((route) => route.usedBy === null || route.routeKey === menu?.routeKey)
              .map((route) => ({
                value: route.routeKey,
                label: `${route.title}（${route.path}）${route.source === 'LOWCODE' ? ' 低代码' : ''}`,
              }))}
            onChange={chooseRoute}
          />
        </Field>
      )}
      <Field of={addMenuInfo} name="titleName" label="标题">
        <Input showCount />
      </Field>
      <div className="id-two">
        <Field of={addMenuInfo} name="leftMenu" />
        <Field of={addMenuInfo} name="icon">
          <Select
            allowClear
            placeholder="无"
            options={Object.entries(menuIcons).map(([value, { label }]) => ({
              value,
              label: (
                <span>
                  <MenuIcon name={value} /> {label}
                </span>
              ),
            }))}
          />
        </Field>
        <Field of={addMenuInfo} name="navShow" tooltip="关闭后该页面不显示内容区" />
        <Field of={addMenuInfo} name="weChatPage" tooltip="开启后该页面不显示页头" />
        <Field of={addMenuInfo} name="visible" />
      </div>
      <Form.Item label="顶部菜单预览">
        <HeaderPreview menus={withDraft(tree.menus, menu, draft)} mine={menu?.id ?? DRAFT} />
      </Form.Item>
    </>
  );
  if (menu) {
    return (
      <FormDrawer<typeof modifyMenuInfo, Values>
        {...shared}
        title={`编辑菜单：${menu.titleName}`}
        call={modifyMenuInfo}
        recordKey={menu.id}
        version={menu.version}
        initial={initial}
        toInput={(values) => ({ id: menu.id, version: menu.version, ...bodyOf(values) })}
        success="修改成功!"
      >
        {fields}
      </FormDrawer>
    );
  }
  return (
    <FormDrawer<typeof addMenuInfo, Values>
      {...shared}
      title="新增菜单"
      call={addMenuInfo}
      initial={initial}
      toInput={bodyOf}
      success="新增成功!"
    >
      {fields}
    </FormDrawer>
  );
}

interface ParentOption {
  value: string;
  label: string;
  disabled: boolean;
}

/** Directories in the order of the menu, the second level set in. */
const parentOptions = (menus: readonly MenuRow[], possible: ReadonlySet<string>, parentId: string | null, depth = 0): ParentOption[] =>
  childrenOf(menus, parentId)
    .filter((menu) => menu.kind === 'DIR')
    .flatMap((menu) => [
      { value: menu.id, label: `${'　'.repeat(depth)}${menu.titleName}`, disabled: !possible.has(menu.id) },
      ...parentOptions(menus, possible, menu.id, depth + 1),
    ]);

/** The tree with what the form holds now in its place. */
function withDraft(menus: readonly MenuRow[], menu: MenuRow | null, draft: Partial<Values> | undefined): MenuRow[] {
  if (!draft?.titleName) return [...menus];
  const parentId = draft.parentId ?? null;
  const base: MenuRow = menu ?? {
    id: DRAFT,
    parentId,
    level: levelOf(menus, parentId) + 1,
    titleName: '',
    routeKey: null,
    path: null,
    kind: 'PAGE',
    icon: null,
    sort: 0,
    leftMenu: 'none',
    navShow: true,
    weChatPage: false,
    visible: true,
    builtin: false,
    version: 0,
    roleCount: 0,
  };
  const drawn: MenuRow = {
    ...base,
    parentId,
    titleName: draft.titleName,
    kind: draft.kind ?? base.kind,
    icon: draft.icon ?? null,
    sort: draft.sort ?? base.sort,
    visible: draft.visible ?? base.visible,
  };
  return [...menus.filter((one) => one.id !== base.id), drawn];
}
