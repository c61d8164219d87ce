import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import type { DragEvent, KeyboardEvent } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableEmpty, TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import {
  delInquiryServiceCategory,
  modifyInquiryServiceCategory,
  queryInquiryServiceCategoryList,
  sortInquiryServiceCategory,
  type CategoryNode,
} from '../../contract/calls/categories.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { placeOf, stepOf, treeOrder, type Drop } from './categoryMoves.ts';

const CategoryForm = lazy(async () => ({ default: (await import('./CategoryForm.tsx')).CategoryForm }));
const refreshes = [queryInquiryServiceCategoryList];

/** Where on a row the pointer is: its edges put a group beside it, its middle below it. */
function dropOf(event: DragEvent<HTMLElement>, target: CategoryNode, dragged: CategoryNode): Drop {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  const share = (event.clientY - top) / height;
  if (target.depth === 1 && dragged.id !== target.id && share > 0.3 && share < 0.7) return 'into';
  return share < 0.5 ? 'before' : 'after';
}

/** Tree of groups, moved with the mouse or the keyboard. */
export function Categories() {
  const { data: nodes, error, refetch } = useData(queryInquiryServiceCategoryList, {}, { quiet: true });
  const editable = useMay()(may['config.edit']);
  const [form, setForm] = useState<{ node: CategoryNode | null; parentId: string | null } | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [dragged, setDragged] = useState<CategoryNode | null>(null);
  const [over, setOver] = useState<{ id: string; drop: Drop } | null>(null);
  const sort = useCommand(sortInquiryServiceCategory, { success: SERVER_MESSAGE, refreshes, blockMs: 300 });
  const remove = useCommand(delInquiryServiceCategory, { success: '删除成功!', refreshes });
  const change = useCommand(modifyInquiryServiceCategory, { success: '修改成功!', refreshes });
  const rows = treeOrder(nodes ?? []);
  const node = rows.find(({ id }) => id === chosen) ?? null;

  const moveTo = (row: CategoryNode, place: { parentId: string | null; index: number } | null) => {
    if (place) void sort.run({ id: row.id, version: row.version, ...place });
  };
  const toggle = (row: CategoryNode) =>
    void change.run({
      id: row.id,
      version: row.version,
      name: row.name,
      icon: row.icon,
      visibleTo: row.visibleTo,
      state: row.state === 'ENABLED' ? 'DISABLED' : 'ENABLED',
    });
  const removeNode = async (row: CategoryNode) => {
    if (await confirmDelete(`服务分类“${row.name}”`)) await remove.run({ id: row.id, version: row.version });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, row: CategoryNode, index: number) => {
    const { key, altKey } = event;
    if (altKey && editable && key.startsWith('Arrow')) {
      event.preventDefault();
      moveTo(row, stepOf(rows, row, key));
      return;
    }
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      const list = event.currentTarget.parentElement?.children;
      (list?.[index + (key === 'ArrowDown' ? 1 : -1)] as HTMLElement | undefined)?.focus();
    } else if (editable && (key === 'Enter' || key === 'F2')) setForm({ node: row, parentId: row.parentId });
    else if (editable && key === 'Delete') void removeNode(row);
  };

  return (
    <section>
      <h3>问诊服务分类</h3>
      {editable && (
        <div className="kq-row">
          <Button type="primary" size="small" onClick={() => setForm({ node: null, parentId: null })}>
            新增一级分类
          </Button>
          <Button
            size="small"
            disabled={node?.depth !== 1}
            title={node?.depth === 1 ? undefined : '请先选择一个一级分类'}
            onClick={() => node && setForm({ node: null, parentId: node.id })}
          >
            新增下级
          </Button>
        </div>
      )}
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : rows.length === 0 ? (
        <TableEmpty loading={nodes === undefined}>暂无分类，点击“新增一级分类”创建</TableEmpty>
      ) : (
        <ul className="ds-tree" role="tree" aria-label="问诊服务分类">
          {rows.map((row, index) => (
            <li
              key={row.id}
              role="treeitem"
              tabIndex={row.id === chosen || (chosen === null && index === 0) ? 0 : -1}
              aria-level={row.depth}
              aria-selected={row.id === chosen}
              data-depth={row.depth}
              data-drop={over?.id === row.id && dragged?.id !== row.id ? over.drop : undefined}
              draggable={editable}
              onClick={() => setChosen(row.id)}
              onFocus={() => setChosen(row.id)}
              onKeyDown={(event) => onKeyDown(event, row, index)}
              onDragStart={() => setDragged(row)}
              onDragEnd={() => {
                setDragged(null);
                setOver(null);
              }}
              onDragOver={(event) => {
                if (dragged) {
                  event.preventDefault();
                  setOver({ id: row.id, drop: dropOf(event, row, dragged) });
                }
              }}
              onDrop={(event) => {
                if (dragged) moveTo(dragged, placeOf(rows, dragged, row, dropOf(event, row, dragged)));
                setDragged(null);
                setOver(null);
              }}
            >
              <span className="ds-name" title={row.name}>
                {row.name} <span className="kq-muted">{row.itemCount}</span>
              </span>
              {row.visibleTo === 'VIP' && <span className="kq-dict kq-dict-warning">VIP</span>}
              {row.state === 'DISABLED' && <span className="kq-dict kq-dict-default">停用</span>}
            </li>
          ))}
        </ul>
      )}
      {editable && node && (
        <div className="kq-row">
          <Button size="small" onClick={() => setForm({ node, parentId: node.parentId })}>
            编辑
          </Button>
          <Button size="small" disabled={change.busy} onClick={() => toggle(node)}>
            {node.state === 'ENABLED' ? '停用' : '启用'}
          </Button>
          <Button size="small" danger disabled={remove.busy} onClick={() => void removeNode(node)}>
            删除
          </Button>
        </div>
      )}
      {editable && rows.length > 0 && (
        <p className="kq-muted">
          拖动调整顺序与层级；键盘：↑↓ 选择，Alt+↑↓ 移动，Alt+→ 归入上一分类，Alt+← 移到一级，Enter 编辑，Delete 删除
        </p>
      )}
      <Suspense fallback={null}>
        {form && <CategoryForm node={form.node} parentId={form.parentId} onClose={() => setForm(null)} />}
      </Suspense>
    </section>
  );
}
