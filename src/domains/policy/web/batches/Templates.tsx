import { Button } from 'antd';
import { lazy } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { download } from '#kernel/web/http/download.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { listTargets } from '../../contract/batchDictionaries.ts';
import { downloadTemplate, queryTemplateList, removeTemplate } from '../../contract/calls/templates.ts';

const TemplateForm = lazy(async () => ({ default: (await import('./TemplateForm.tsx')).TemplateForm }));

const templates = resource(queryTemplateList, {
  routeKey: 'inventoryListManagement:templates',
  empty: '还没有模板，点击“新增模板”',
  filters: ['insurerName', 'templateName'],
  columns: [
    'insurerName',
    { key: 'templateName', required: true },
    'sheet',
    'headerRow',
    'columnCount',
    {
      key: 'fields',
      title: '字段',
      width: 320,
      render: ({ columns }) => columns.map(({ target, required }) => `${listTargets.label(target)}${required ? '*' : ''}`).join('、'),
    },
    { key: 'leaveMeans', plain: true },
    { key: 'dedupeKey', plain: true },
    'updatedAt',
  ],
});

/** Tab 模板: what each sender calls his columns. */
export function Templates() {
  const layers = useLayers();
  const remove = useCommand(removeTemplate, { success: '删除成功!', refreshes: [queryTemplateList] });
  return (
    <>
      <ResourceList
        of={templates}
        actions={[
          { label: '编辑', act: (row) => layers.open((close) => <TemplateForm row={row} onClose={close} />) },
          { label: '下载', act: ({ id }) => download(downloadTemplate, { templateId: id }) },
          {
            label: '删除',
            danger: true,
            act: async ({ id, version, templateName, columnCount }) => {
              if (await confirmDelete(`模板“${templateName}”`, [`${columnCount}列的对应关系一并删除`])) await remove.run({ id, version });
            },
          },
        ]}
        toolbar={
          <Button type="primary" onClick={() => layers.open((close) => <TemplateForm row={null} onClose={close} />)}>
            新增模板
          </Button>
        }
      />
      {layers.shown}
    </>
  );
}
