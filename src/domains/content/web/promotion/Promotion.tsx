import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { picked } from '#kernel/contract/field.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { queryTagGroupList } from '../../contract/marks/calls/groups.ts';
import { markPermissions as may } from '../../contract/marks/permissions.ts';
import {
  delPromotionTag,
  exportPromotionTagList,
  modifyPromotionTag,
  queryPromotionTagList,
  type PromotionRow,
} from '../../contract/promotion/calls.ts';
import { TagFace } from './Card.tsx';

const PromotionForm = lazy(async () => ({ default: (await import('./PromotionForm.tsx')).PromotionForm }));
const PreviewDialog = lazy(async () => ({ default: (await import('./PreviewDialog.tsx')).PreviewDialog }));
const OrderList = lazy(async () => ({ default: (await import('./OrderList.tsx')).OrderList }));
const refreshes = [queryPromotionTagList, queryTagGroupList];
const facts = ['color', 'startAt', 'endAt', 'priority', 'description'] as const;

const tags = resource(queryPromotionTagList, {
  routeKey: 'markContent.promotion',
  empty: '没有符合条件的促销标签',
  filters: [{ name: 'keyword', placeholder: '名称、文字或编码' }, 'style', 'period', 'state'],
  columns: [
    'markCode',
    { key: 'markName', required: true },
    { key: 'face', title: '卡片预览', kind: 'custom', width: 110, render: (row) => <TagFace {...row} /> },
    { key: 'style', plain: true },
    'groupName',
    'pages',
    'startAt',
    'endAt',
    'priority',
    'objectCount',
    { key: 'description', hidden: true },
    'period',
    'state',
  ],
});

/** Tab 促销标签: what customers see on the cards of medicines. */
export function Promotion() {
  const { path } = usePage();
  const layers = useLayers();
  const write = (tag: PromotionRow | null) => layers.open((close) => <PromotionForm tag={tag} onClose={close} />);
  const [ordering, setOrdering] = useState(false);
  const change = useCommand(modifyPromotionTag, { success: '修改成功!', refreshes });
  const remove = useCommand(delPromotionTag, { success: '删除成功!', refreshes });
  const toggleState = async (row: PromotionRow) => {
    const off = row.state === 'ENABLED';
    if (
      off &&
      !(await ask({
        title: '停用促销标签',
        content: `停用后，“${row.markName}”立即从药品卡片上消失，是否继续?`,
        facts: factsIn(queryPromotionTagList.output, row, ['markCode', 'displayText', 'pages', 'objectCount']),
        danger: true,
      }))
    )
      return;
    const { id, version, markName, displayText, style, pages } = row;
    await change.run({ ...picked(row, facts), id, version, markName, displayText, style, pages, state: off ? 'DISABLED' : 'ENABLED' });
  };
  const actions: readonly RowAction<PromotionRow>[] = [
    { label: '编辑', permission: may['mark.edit'], act: write },
    { label: '药品', act: (row) => goTo(path, { tab: 'bindings', markId: row.id, live: 'true' }) },
    { label: '停用', permission: may['mark.edit'], danger: true, when: ({ state }) => state === 'ENABLED', act: toggleState },
    { label: '启用', permission: may['mark.edit'], when: ({ state }) => state === 'DISABLED', act: toggleState },
    {
      label: '删除',
      permission: may['mark.edit'],
      danger: true,
      when: ({ objectCount }) => objectCount === 0,
      act: async ({ id, version, markName }) => {
        if (await confirmDelete(`促销标签“${markName}”`)) await remove.run({ id, version });
      },
    },
  ];
  return (
    <>
      <ResourceList
        of={tags}
        actions={actions}
        toolbar={(view) => (
          <>
            <Can permission={may['mark.edit']}>
              <Button type="primary" onClick={() => write(null)}>
                新增促销标签
              </Button>
              <Button onClick={() => setOrdering(!ordering)}>{ordering ? '返回列表' : '拖动排序'}</Button>
            </Can>
            <Button onClick={() => layers.open((close) => <PreviewDialog onClose={close} />)}>卡片预览</Button>
            <ExportButton call={exportPromotionTagList} view={view} permission={may['content.export']} />
          </>
        )}
        instead={
          ordering
            ? () => (
                <Suspense fallback={<div className="kq-loading" />}>
                  <OrderList onDone={() => setOrdering(false)} />
                </Suspense>
              )
            : undefined
        }
      />
      {layers.shown}
    </>
  );
}
