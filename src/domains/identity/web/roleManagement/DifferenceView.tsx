import { Alert } from 'antd';
import { flatten, isSame } from './selection.ts';
import type { Difference, FactChange, Permission, RoleNode } from './selection.ts';
import { Mark } from '../shared/Mark.tsx';

interface DifferenceViewProps {
  difference: Difference;
  facts: readonly FactChange[];
  nodes: readonly RoleNode[];
  catalogue: readonly Permission[];
  /** Users who hold the role. */
  users: number;
}

/** What a save adds and takes away, and whom it concerns. */
export function DifferenceView({ difference, facts, nodes, catalogue, users }: DifferenceViewProps) {
  const titles = new Map(flatten(nodes).map(({ menu }) => [menu.id, menu.titleName]));
  const known = new Map(catalogue.map((permission) => [permission.code, permission]));
  const high = difference.addedPermissions.filter((code) => known.get(code)?.risk === 'HIGH');
  const list = (title: string, menus: readonly string[], codes: readonly string[]) =>
    menus.length + codes.length > 0 && (
      <>
        <h4>
          {title}（菜单{menus.length}，权限{codes.length}）
        </h4>
        <ul>
          {menus.length > 0 && <li>菜单：{menus.map((id) => titles.get(id) ?? id).join('、')}</li>}
          {codes.map((code) => (
            <li key={code} title={code}>
              {known.get(code)?.label ?? code} {known.get(code)?.risk === 'HIGH' && <Mark tone="error">高危</Mark>}
            </li>
          ))}
        </ul>
      </>
    );
  return (
    <div className="id-difference">
      {high.length > 0 && <Alert type="warning" showIcon title={`新增了${high.length}项高危权限，请确认确需授予`} />}
      <p>影响用户：{users}名</p>
      {facts.length > 0 && (
        <ul>
          {facts.map(({ label, before, after }) => (
            <li key={label}>
              {label}：{before || '（空）'} → <b>{after || '（空）'}</b>
            </li>
          ))}
        </ul>
      )}
      {isSame(difference) && <p className="kq-muted">菜单和权限没有变化</p>}
      {list('新增', difference.addedMenus, difference.addedPermissions)}
      {list('移除', difference.removedMenus, difference.removedPermissions)}
    </div>
  );
}
