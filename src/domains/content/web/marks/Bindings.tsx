import { lazy, useMemo } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { exportMarkBindingList, queryMarkObjectList, unbindMark, type BindingRow } from '../../contract/marks/calls/bindings.ts';
import { MARK_BINDING_IMPORTER } from '../../contract/marks/calls/imports.ts';
import { queryTagGroupList } from '../../contract/marks/calls/groups.ts';
import { markPermissions as may } from '../../contract/marks/permissions.ts';

const ObjectTimeline = lazy(async () => ({ default: (await import('./ObjectTimeline.tsx')).ObjectTimeline }));

const bindings = resource(queryMarkObjectList, {
  routeKey: 'markContent.bindings',
  empty: '没有符合条件的打标记录',
  filters: [
    { name: 'keyword', placeholder: '对象名称或编号' },
    'objectType',
    'markName',
    'source',
    { kind: 'instants', names: ['boundFrom', 'boundTo'], label: '打标时间' },
    'boundByName',
    'live',
  ],
  columns: [
    { key: 'objectType', plain: true, width: 90 },
    'objectNo',
    { key: 'objectName', width: 180, required: true, to: (row) => row.link },
    { key: 'markName', width: 120, required: true },
    { key: 'groupName', width: 130 },
    { key: 'source', plain: true, width: 80 },
    'boundAt',
    { key: 'boundByName', width: 110 },
    'expireAt',
    'endedAt',
    'endReason',
    { key: 'note', width: 150, hidden: true },
  ],
});

/** Tab 打标记录: what carries a mark or has carried it; a mark chosen in the tab 标签 stands in the address. */
export function Bindings() {
  const { search } = usePage();
  const markId = typeof search['markId'] === 'string' ? search['markId'] : undefined;
  const fixed = useMemo(() => (markId ? { markId } : {}), [markId]);
  const layers = useLayers();
  const remove = useCommand(unbindMark, { success: '操作成功!', refreshes: [queryMarkObjectList, queryTagGroupList] });
  const actions: readonly RowAction<BindingRow>[] = [
    {
      label: '时间线',
      when: (row) => row.objectName !== null,
      act: (row) => layers.open((close) => <ObjectTimeline of={row} onClose={close} />),
    },
    {
      label: '移除',
      permission: may['mark.bind'],
      danger: true,
      when: (row) => row.endedAt === null && row.objectName !== null,
      act: async (row) => {
        if (
          await ask({
            title: '移除标签',
            content: `将从“${row.objectName}”移除标签“${row.markName}”，是否继续?`,
            facts: factsIn(queryMarkObjectList.output, row, ['objectType', 'objectNo', 'groupName', 'boundAt']),
            danger: true,
          })
        )
          await remove.run({ markIds: [row.markId], objectType: row.objectType, objectIds: [row.objectId] });
      },
    },
  ];
  return (
    <>
      <ResourceList
        of={bindings}
        fixed={fixed}
        actions={actions}
        toolbar={(view) => (
          <>
            <ImportButton importerCode={MARK_BINDING_IMPORTER} permission={may['mark.bind']} onChanged={view.refetch} />
            <ExportButton call={exportMarkBindingList} view={view} permission={may['content.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
