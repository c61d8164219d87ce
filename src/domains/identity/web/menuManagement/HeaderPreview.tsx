import { Select } from 'antd';
import { useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { useMay } from '#kernel/web/session/store.ts';
import MenuIcon from '#kernel/web/layout/MenuIcon.tsx';
import { queryRoleInfoDetail } from '../../contract/calls/roles.ts';
import { identityPermissions } from '../../contract/permissions.ts';
import { useRoleOptions } from '../shared/roles.ts';
import { childrenOf } from './menuTree.ts';
import type { MenuRow } from './menuTree.ts';

/** The header's menu as a chosen role sees it. `mine` is the entry that is being edited. */
export function HeaderPreview({ menus, mine }: { menus: readonly MenuRow[]; mine?: string }) {
  const may = useMay();
  const options = useRoleOptions();
  const [roleId, setRoleId] = useState<string | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  const { data } = useData(queryRoleInfoDetail, { id: roleId ?? '' }, { quiet: true, enabled: roleId !== null, fresh: 30_000 });
  const held = roleId && data ? new Set([...data.menuIds, ...(mine ? [mine] : [])]) : null;
  const isShown = (menu: MenuRow): boolean =>
    menu.visible && (menu.id === mine || (menu.kind === 'DIR' ? childrenOf(menus, menu.id).some(isShown) : !held || held.has(menu.id)));
  const shown = (parentId: string | null) => childrenOf(menus, parentId).filter(isShown);
  const top = shown(null);
  const current = top.find((menu) => menu.id === open) ?? top[0];
  const label = (menu: MenuRow) => (
    <span className={menu.id === mine ? 'id-preview-mine' : undefined}>
      <MenuIcon name={menu.icon} /> {menu.titleName}
    </span>
  );
  return (
    <div style={{ marginBottom: 12 }}>
      {may(identityPermissions['role.view']) && (
        <Select
          size="small"
          allowClear
          style={{ width: 220 }}
          value={roleId}
          placeholder="预览角色：全部菜单"
          aria-label="预览角色"
          options={options.map(({ value, label: text }) => ({ value, label: text }))}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(next?: string | null) => setRoleId(next ?? null)}
        />
      )}
      <div className="id-preview">
        <div className="id-preview-bar">
          {top.map((menu) => (
            <button key={menu.id} type="button" aria-expanded={menu.id === current?.id} onClick={() => setOpen(menu.id)}>
              {label(menu)}
            </button>
          ))}
          {top.length === 0 && <button type="button">该角色没有可见的菜单</button>}
        </div>
        {current && (
          <div className="id-preview-below">
            {shown(current.id).map((menu) => (
              <div key={menu.id}>
                {menu.kind === 'DIR' ? (
                  <>
                    <h5>{label(menu)}</h5>
                    {shown(menu.id).map((entry) => (
                      <div key={entry.id}>{label(entry)}</div>
                    ))}
                  </>
                ) : (
                  label(menu)
                )}
              </div>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}
