import { Button } from 'antd';
import { lazy, useState } from 'react';
import { ask, confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { TableEmpty, TableFailure } from '#kernel/web/kit/TableState.tsx';
import { modifyMenuInfo, queryMenuInfoList, removeMenuInfo, sortMenuInfo } from '../../contract/calls/menus.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { HeaderPreview } from './HeaderPreview.tsx';
import { MenuTable } from './MenuTable.tsx';
import { sortAfterDrop } from './menuTree.ts';
import type { MenuRow } from './menuTree.ts';
import './menus.css';
import { RefreshButton } from '#kernel/web/kit/RefreshButton.tsx';

const MenuForm = lazy(async () => ({ default: (await import('./MenuForm.tsx')).MenuForm }));

/** Tab 菜单: the tree of the navigation. */
export function Menus() {
  const { data, error, fetching, refetch } = useData(queryMenuInfoList, {}, { quiet: true });
  const layers = useLayers();
  const [preview, setPreview] = useState(false);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const refreshes = [queryMenuInfoList];
  const modify = useCommand(modifyMenuInfo, { success: '修改成功!', refreshes, blockMs: 0 });
  const remove = useCommand(removeMenuInfo, { success: '删除成功!', refreshes });
  const sort = useCommand(sortMenuInfo, { success: SERVER_MESSAGE, refreshes, blockMs: 0 });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  const menus = data?.menus ?? [];
  const directories = menus.filter((menu) => menu.kind === 'DIR').map(({ id }) => id);
  const edit = (menu: MenuRow | null, parentId: string | null) =>
    data && layers.open((close) => <MenuForm tree={data} menu={menu} parentId={parentId} onClose={close} />);
  const toggleVisible = async (menu: MenuRow) => {
    const question = `“${menu.titleName}”隐藏后，${menu.roleCount}个角色的用户将不能从菜单进入，是否继续?`;
    if (
      menu.visible &&
      menu.roleCount > 0 &&
      !(await ask({ title: '隐藏菜单', content: question, facts: [{ label: '使用角色', value: `${menu.roleCount}个` }] }))
    )
      return;
    await modify.run({ id: menu.id, version: menu.version, visible: !menu.visible });
  };
  return (
    <>
      <div className="kq-toolbar">
        <div className="kq-toolbar-main">
          <Can permission={may['menu.edit']}>
            <Button type="primary" onClick={() => edit(null, null)}>
              新增菜单
            </Button>
          </Can>
          <Button onClick={() => setFolded(folded.size ? new Set() : new Set(directories))}>{folded.size ? '全部展开' : '全部收起'}</Button>
          <Button onClick={() => setPreview(!preview)}>{preview ? '收起预览' : '预览顶部菜单'}</Button>
        </div>
        <div className="kq-toolbar-end">
          <Can permission={may['menu.edit']}>
            <span className="kq-muted">拖动行可调整顺序和层级，最多三级</span>
          </Can>
          <RefreshButton busy={fetching} onRefresh={() => void refetch()} />
        </div>
      </div>
      {preview && <HeaderPreview menus={menus} />}
      <div className="id-scroll">
        {menus.length === 0 ? (
          <TableEmpty loading={data === undefined}>暂无菜单，点击“新增菜单”创建</TableEmpty>
        ) : (
          <MenuTable
            menus={menus}
            folded={folded}
            onFold={(id) => setFolded((now) => new Set(now.has(id) ? [...now].filter((other) => other !== id) : [...now, id]))}
            onDrop={(moved, target, drop) => void sort.run({ sort: sortAfterDrop(menus, moved, target, drop) })}
            onAddBelow={(menu) => edit(null, menu.id)}
            onEdit={(menu) => edit(menu, menu.parentId)}
            onTurn={toggleVisible}
            onRemove={async (menu) => {
              if (await confirmDelete(`菜单“${menu.titleName}”`, [`${menu.roleCount}个角色不再有此菜单`]))
                await remove.run({ id: menu.id, version: menu.version });
            }}
          />
        )}
      </div>
      {layers.shown}
    </>
  );
}
