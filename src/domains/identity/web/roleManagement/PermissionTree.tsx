import { Button, Checkbox, Input } from 'antd';
import { useMemo, useState } from 'react';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { goingWith, tickMenu, togglePermission, untickMenu } from './selection.ts';
import type { Chosen, Permission, RoleNode } from './selection.ts';
import { Mark } from '../shared/Mark.tsx';

interface PermissionTreeProps {
  nodes: readonly RoleNode[];
  loose: readonly Permission[];
  chosen: Chosen;
  /** Marks what is new and what goes; null for a new role. */
  saved: Chosen | null;
  onChange(chosen: Chosen): void;
  onCompare: (() => void) | undefined;
}

interface Shown {
  keyword: string;
  onlyChosen: boolean;
  onlyHigh: boolean;
}

const fits = (permission: Permission, chosen: Chosen, { keyword, onlyChosen, onlyHigh }: Shown): boolean =>
  (!keyword || `${permission.label} ${permission.code}`.toLowerCase().includes(keyword)) &&
  (!onlyChosen || chosen.permissions.has(permission.code)) &&
  (!onlyHigh || permission.risk === 'HIGH');

/** The menu tree with the permissions of every page, and the tools above it. */
export function PermissionTree({ nodes, loose, chosen, saved, onChange, onCompare }: PermissionTreeProps) {
  const [typed, setTyped] = useState('');
  const [onlyChosen, setOnlyChosen] = useState(false);
  const [onlyHigh, setOnlyHigh] = useState(false);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo((): Shown => ({ keyword: typed.trim().toLowerCase(), onlyChosen, onlyHigh }), [typed, onlyChosen, onlyHigh]);
  const filtering = shown.keyword !== '' || onlyChosen || onlyHigh;

  /** A node stays when it, one of its permissions or something below it fits. */
  const visible = useMemo(() => {
    const keep = new Set<string>();
    const walk = (node: RoleNode): boolean => {
      const below = node.children.map(walk).some(Boolean);
      const titled =
        shown.keyword !== '' &&
        node.menu.titleName.toLowerCase().includes(shown.keyword) &&
        (!onlyChosen || chosen.menus.has(node.menu.id)) &&
        !onlyHigh;
      const listed =
        (onlyChosen && !shown.keyword && !onlyHigh && chosen.menus.has(node.menu.id)) ||
        node.permissions.some((permission) => fits(permission, chosen, shown));
      const stays = !filtering || below || titled || listed;
      if (stays) keep.add(node.menu.id);
      return stays;
    };
    nodes.forEach(walk);
    return keep;
  }, [nodes, chosen, shown, onlyChosen, onlyHigh, filtering]);

  const toggleMenu = async (node: RoleNode, on: boolean) => {
    if (on) return onChange(tickMenu(nodes, chosen, node));
    const going = goingWith(nodes, chosen, node).filter(({ code }) => code !== node.viewPermission);
    if (going.length > 0) {
      const yes = await ask({
        content: (
          <>
            <p>
              取消“{node.menu.titleName}”将同时移除以下{going.length}项权限，是否继续?
            </p>
            <p className="kq-muted">{going.map(({ label }) => label).join('、')}</p>
          </>
        ),
      });
      if (!yes) return;
    }
    onChange(untickMenu(nodes, chosen, node));
  };
  const togglePage = (node: RoleNode) => {
    const all = node.permissions.every(({ code }) => chosen.permissions.has(code));
    // 全选本页, and back to the page's view permission alone.
    let next = chosen;
    for (const { code } of node.permissions) next = togglePermission(nodes, next, node, code, !all || code === node.viewPermission);
    onChange(next);
  };
  const setGranted = (node: RoleNode | null, code: string, on: boolean) => {
    // Without its view permission a page cannot stay in the menu.
    if (node && !on && code === node.viewPermission) void toggleMenu(node, false);
    else onChange(togglePermission(nodes, chosen, node, code, on));
  };
  const fold = (id: string) => setFolded((now) => new Set(now.has(id) ? [...now].filter((other) => other !== id) : [...now, id]));

  const boxes = (node: RoleNode | null, permissions: readonly Permission[]) => (
    <div className="id-permissions">
      {permissions.map((permission) => (
        <label key={permission.code} title={permission.code} className={markOf(permission.code, chosen, saved)}>
          <input
            type="checkbox"
            className="kq-check"
            checked={chosen.permissions.has(permission.code)}
            onChange={(event) => setGranted(node, permission.code, event.target.checked)}
          />
          <span>
            {permission.label} {permission.risk === 'HIGH' && <Mark tone="error">高危</Mark>}
          </span>
        </label>
      ))}
    </div>
  );
  const render = (node: RoleNode) => {
    if (!visible.has(node.menu.id)) return null;
    const titled = shown.keyword !== '' && node.menu.titleName.toLowerCase().includes(shown.keyword);
    const permissions = node.permissions.filter((permission) => fits(permission, chosen, titled ? { ...shown, keyword: '' } : shown));
    const hasBelow = node.children.length > 0 || permissions.length > 0;
    const open = filtering || !folded.has(node.menu.id);
    const ticked = chosen.menus.has(node.menu.id);
    return (
      <div key={node.menu.id} className={`id-node id-level-${node.menu.level}`}>
        <div className="id-node-head">
          {hasBelow ? (
            <button
              type="button"
              className="id-fold"
              aria-label={`${open ? '收起' : '展开'}${node.menu.titleName}`}
              aria-expanded={open}
              onClick={() => fold(node.menu.id)}
            >
              {open ? '▾' : '▸'}
            </button>
          ) : (
            <span className="id-fold" />
          )}
          <label>
            <Mixed
              checked={ticked}
              mixed={ticked && node.children.some((child) => !chosen.menus.has(child.menu.id))}
              onChange={(on) => void toggleMenu(node, on)}
            />
            {node.menu.titleName}
            {!node.menu.visible && <span className="kq-muted">（不显示）</span>}
          </label>
          {node.permissions.length > 1 && (
            <Button type="link" size="small" onClick={() => togglePage(node)}>
              {node.permissions.every(({ code }) => chosen.permissions.has(code)) ? '取消全选' : '全选本页'}
            </Button>
          )}
        </div>
        {open && permissions.length > 0 && boxes(node, permissions)}
        {open && <div className="id-node-children">{node.children.map(render)}</div>}
      </div>
    );
  };
  const looseShown = loose.filter((permission) => fits(permission, chosen, shown));
  return (
    <>
      <div className="id-tools">
        <Input allowClear value={typed} placeholder="搜索权限" aria-label="搜索权限" onChange={(event) => setTyped(event.target.value)} />
        <Checkbox checked={onlyChosen} onChange={(event) => setOnlyChosen(event.target.checked)}>
          仅看已选
        </Checkbox>
        <Checkbox checked={onlyHigh} onChange={(event) => setOnlyHigh(event.target.checked)}>
          仅看高危
        </Checkbox>
        {onCompare && (
          <Button size="small" onClick={onCompare}>
            与已保存版本对比
          </Button>
        )}
        <Button size="small" type="link" onClick={() => setFolded(folded.size ? new Set() : new Set(nodes.map(({ menu }) => menu.id)))}>
          {folded.size ? '全部展开' : '全部收起'}
        </Button>
      </div>
      <div className="id-tree">
        {nodes.map(render)}
        {looseShown.length > 0 && (
          <div className="id-node id-level-1">
            <div className="id-node-head">
              <span className="id-fold" />
              <b>其他权限</b>
            </div>
            {boxes(null, looseShown)}
          </div>
        )}
        {visible.size === 0 && looseShown.length === 0 && <div className="kq-empty">没有符合条件的权限</div>}
      </div>
    </>
  );
}

const markOf = (code: string, chosen: Chosen, saved: Chosen | null) => {
  if (!saved || chosen.permissions.has(code) === saved.permissions.has(code)) return undefined;
  return chosen.permissions.has(code) ? 'id-added' : 'id-dropped';
};

/** A tick box that also knows "some of it". */
function Mixed({ checked, mixed, onChange }: { checked: boolean; mixed: boolean; onChange(on: boolean): void }) {
  return (
    <input
      type="checkbox"
      className="kq-check"
      checked={checked}
      ref={(box) => {
        if (box) box.indeterminate = mixed;
      }}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
