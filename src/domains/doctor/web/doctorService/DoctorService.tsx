import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { TableEmpty, TableFailure, TableOld } from '#kernel/web/kit/TableState.tsx';
import type { Filter } from '#kernel/web/list/filters.ts';
import { SearchForm } from '#kernel/web/list/SearchForm.tsx';
import { useListPage } from '#kernel/web/list/useListPage.ts';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { careKinds, itemTypes } from '../../contract/dictionaries.ts';
import {
  changeServiceItemState,
  delServiceItem,
  exportServiceItemList,
  queryServiceItemDetail,
  queryServiceItemList,
  sortServiceItem,
  type ItemRow,
} from '../../contract/calls/items.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { itemMachine } from '../../contract/states.ts';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { ItemTable } from './ItemTable.tsx';
import '../services/services.css';

const ItemForm = lazy(async () => ({ default: (await import('./ItemForm.tsx')).ItemForm }));
const ItemDrawer = lazy(async () => ({ default: (await import('./ItemDrawer.tsx')).ItemDrawer }));

const refreshes = [queryServiceItemList, queryServiceItemDetail];
const filters: readonly Filter<InputOf<typeof queryServiceItemList>>[] = [
  { kind: 'text', name: 'keyword', label: '编码/名称', maxLength: 40 },
  { kind: 'dict', name: 'itemType', label: '类型', dictionary: itemTypes, several: true },
  { kind: 'dict', name: 'careKind', label: '性质', dictionary: careKinds },
  { kind: 'dict', name: 'state', label: '状态', dictionary: itemMachine.dictionary, several: true },
];
/** There are a few dozen items at most; they are shown and ordered as one. */
const ALL = { pageSize: 999 } as const;
const address = { itemId: param.optional() };

/** /doctorService 服务项目. */
export default function DoctorService() {
  const [{ itemId }, setAddress] = useAddress(address);
  const [form, setForm] = useState<{ id: string | null; copy: boolean } | null>(null);
  const list = useListPage({ call: queryServiceItemList, filters, routeKey: 'doctorService', fixed: ALL });
  const editable = useMay()(may['item.edit']);
  const change = useCommand(changeServiceItemState, { success: '操作成功!', refreshes });
  const remove = useCommand(delServiceItem, { success: '删除成功!', refreshes });
  const sort = useCommand(sortServiceItem, { success: '排序已保存', refreshes, blockMs: 300 });
  const filtered = Object.keys(list.values).length > 0;

  const move = (action: 'on' | 'off') => async (row: ItemRow) => {
    const opinion = await askTransition(
      itemMachine,
      action,
      `“${row.name}”`,
      factsIn(queryServiceItemList.output, row, ['itemCode', 'itemType', 'categoryName', 'openDoctors', 'orders30']),
    );
    if (opinion !== null) await change.run({ id: row.id, version: row.version, action, ...(opinion && { opinion }) });
  };
  const actions: readonly RowAction<ItemRow>[] = [
    { label: '详情', act: (row) => setAddress({ itemId: row.id }) },
    { label: '编辑', permission: may['item.edit'], act: (row) => setForm({ id: row.id, copy: false }) },
    { label: '上架', permission: may['item.edit'], when: (row) => itemMachine.canStart('on', row.state), act: move('on') },
    { label: '下架', permission: may['item.edit'], when: (row) => itemMachine.canStart('off', row.state), danger: true, act: move('off') },
    { label: '复制', permission: may['item.edit'], act: (row) => setForm({ id: row.id, copy: true }) },
    {
      label: '删除',
      permission: may['item.edit'],
      when: (row) => row.state === 'DRAFT',
      danger: true,
      act: async (row) => {
        if (await confirmDelete(`服务项目“${row.name}”（${row.itemCode}）`)) await remove.run({ id: row.id, version: row.version });
      },
    },
  ];
  return (
    <div className="kq-list">
      <SearchForm filters={filters} values={list.values} onSearch={list.searchWith} onReset={list.reset} views={list.views} />
      <div className="kq-toolbar">
        <div className="kq-toolbar-main">
          <Can permission={may['item.edit']}>
            <Button type="primary" onClick={() => setForm({ id: null, copy: false })}>
              新增服务项目
            </Button>
          </Can>
          <ExportButton
            call={exportServiceItemList}
            view={{ filters: list.filterInput, filterText: list.filterText, total: list.total }}
            permission={may['item.view']}
          />
        </div>
        <div className="kq-toolbar-end">
          {editable && <span className="kq-muted">{filtered ? '清空筛选后可拖动排序' : '拖动手柄排序，或聚焦手柄后按 Alt+↑ / Alt+↓'}</span>}
        </div>
      </div>
      {list.error !== null && list.rows?.length ? <TableOld error={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.error && !list.rows?.length ? (
        <div className="ds-groups">
          <TableFailure error={list.error} onRetry={() => void list.refetch()} />
        </div>
      ) : list.rows?.length ? (
        <ItemTable
          rows={list.rows}
          actions={actions}
          movable={editable && !filtered && !sort.flying}
          onMove={(row, categoryId, index) => void sort.run({ id: row.id, version: row.version, categoryId, index })}
        />
      ) : (
        <div className="ds-groups">
          <TableEmpty loading={list.rows === undefined}>
            {filtered ? '没有符合条件的服务项目，请调整筛选条件' : '暂无服务项目，点击“新增服务项目”创建'}
          </TableEmpty>
        </div>
      )}
      <Suspense fallback={null}>
        {itemId && <ItemDrawer id={itemId} onClose={() => setAddress({ itemId: undefined })} />}
        {form && <ItemForm id={form.id} copy={form.copy} onClose={() => setForm(null)} />}
      </Suspense>
    </div>
  );
}
