import { HolderOutlined } from '@ant-design/icons';
import { useMemo, useState } from 'react';
import type { DragEvent } from 'react';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { RowActions } from '#kernel/web/kit/RowActions.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import MenuIcon from '#kernel/web/layout/MenuIcon.tsx';
import { leftMenus, menuKinds } from '../../contract/dictionaries.ts';
import { identityPermissions } from '../../contract/permissions.ts';
import { childrenOf, dropFault, flat, levelOf, MOST_LEVELS } from './menuTree.ts';
import type { Drop, MenuRow } from './menuTree.ts';

interface MenuTableProps {
  menus: readonly MenuRow[];
  folded: ReadonlySet<string>;
  onFold(id: string): void;
  onDrop(moved: MenuRow, target: MenuRow, drop: Drop): void;
  onAddBelow(menu: MenuRow): void;
  onEdit(menu: MenuRow): void;
  onTurn(menu: MenuRow): void;
  onRemove(menu: MenuRow): void;
}

/** Upper and lower quarter of a row mean before and after, the middle of a directory means inside. */
function dropOf(event: DragEvent<HTMLTableRowElement>, target: MenuRow): Drop {
  const box = event.currentTarget.getBoundingClientRect();
  const part = (event.clientY - box.top) / box.height;
  if (target.kind !== 'DIR') return part < 0.5 ? 'before' : 'after';
  return part < 0.25 ? 'before' : part > 0.75 ? 'after' : 'inside';
}

const yes = (value: boolean) => (value ? '是' : '否');

/** The tree as a table whose rows can be dragged; what is not possible shows while dragging. */
export function MenuTable({ menus, folded, onFold, onDrop, onAddBelow, onEdit, onTurn, onRemove }: MenuTableProps) {
  const may = useMay();
  const editable = may(identityPermissions['menu.edit']);
  const [moved, setMoved] = useState<MenuRow | null>(null);
  const [over, setOver] = useState<{ id: string; drop: Drop; fault: string | null } | null>(null);
  const rows = useMemo(() => flat(menus, folded), [menus, folded]);
  const permission = identityPermissions['menu.edit'];
  const actions: readonly RowAction<MenuRow>[] = [
    { label: '新增下级', permission, when: (menu) => menu.kind === 'DIR' && levelOf(menus, menu.id) < MOST_LEVELS, act: onAddBelow },
    { label: '编辑', permission, act: onEdit },
    { label: '隐藏', permission, when: (menu) => menu.visible, act: onTurn },
    { label: '显示', permission, when: (menu) => !menu.visible, act: onTurn },
    { label: '删除', permission, when: (menu) => !menu.builtin, danger: true, act: onRemove },
  ];
  const end = () => {
    setMoved(null);
    setOver(null);
  };
  const classOf = (menu: MenuRow) =>
    [
      !menu.visible && 'id-hidden',
      moved?.id === menu.id && 'id-dragged',
      over?.id === menu.id && (over.fault ? 'id-drop-refused' : `id-drop-${over.drop}`),
    ]
      .filter(Boolean)
      .join(' ');
  return (
    <table className="id-menu-table">
      <thead>
        <tr>
          <th>标题</th>
          <th>路由</th>
          <th>类型</th>
          <th>左侧菜单</th>
          <th>导航显示</th>
          <th>显示</th>
          <th>排序</th>
          <th>使用角色数</th>
          {editable && <th>操作</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((menu) => {
          const hasChildren = childrenOf(menus, menu.id).length > 0;
          return (
            <tr
              key={menu.id}
              className={classOf(menu)}
              draggable={editable}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move';
                event.dataTransfer.setData('text/plain', menu.id);
                setMoved(menu);
              }}
              onDragEnd={end}
              onDragOver={(event) => {
                if (!moved || moved.id === menu.id) return;
                const drop = dropOf(event, menu);
                const fault = dropFault(menus, moved, menu, drop);
                event.preventDefault();
                event.dataTransfer.dropEffect = fault ? 'none' : 'move';
                if (over?.id !== menu.id || over.drop !== drop) setOver({ id: menu.id, drop, fault });
              }}
              onDrop={(event) => {
                event.preventDefault();
                if (!moved) return;
                const drop = dropOf(event, menu);
                const possible = dropFault(menus, moved, menu, drop) === null;
                end();
                if (possible) onDrop(moved, menu, drop);
              }}
            >
              <td>
                <span className="id-menu-title" style={{ paddingLeft: (levelOf(menus, menu.id) - 1) * 22 }}>
                  {editable && <HolderOutlined className="id-grip" />}
                  {hasChildren ? (
                    <button
                      type="button"
                      className="id-fold"
                      aria-label={`${folded.has(menu.id) ? '展开' : '收起'}${menu.titleName}`}
                      onClick={() => onFold(menu.id)}
                    >
                      {folded.has(menu.id) ? '▸' : '▾'}
                    </button>
                  ) : (
                    <span className="id-fold" />
                  )}
                  <MenuIcon name={menu.icon} />
                  {menu.titleName}
                  {over?.id === menu.id && over.fault && <span className="kq-danger">{over.fault}</span>}
                </span>
              </td>
              <td>{menu.path ?? NOTHING}</td>
              <td>{menuKinds.label(menu.kind)}</td>
              <td>{leftMenus.label(menu.leftMenu)}</td>
              <td>{yes(menu.navShow)}</td>
              <td>{yes(menu.visible)}</td>
              <td className="kq-number">{menu.sort}</td>
              <td className="kq-number">{menu.roleCount}</td>
              {editable && (
                <td>
                  <RowActions row={menu} actions={actions} />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
