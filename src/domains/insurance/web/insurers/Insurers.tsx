import { Button } from 'antd';
import { lazy } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmDelete, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { delInsurer, exportInsurerList, queryInsurerList, setInsurerStatus, type InsurerRow } from '../../contract/insurers/calls.ts';
import { insurerStates } from '../../contract/insurers/dictionaries.ts';
import { insurerPermissions as may } from '../../contract/permissions.ts';

const NewInsurer = lazy(async () => ({ default: (await import('./InsurerForm.tsx')).NewInsurer }));
const EditInsurer = lazy(async () => ({ default: (await import('./InsurerForm.tsx')).EditInsurer }));
const Contacts = lazy(async () => ({ default: (await import('./Contacts.tsx')).Contacts }));

const insurers = resource(queryInsurerList, {
  routeKey: 'productHome:insurer',
  empty: '没有符合条件的保司，请调整筛选条件或点击“新增保司”',
  filters: ['insurerName', 'insurerCode', 'insurerType', 'status'],
  columns: [
    { key: 'insurerCode', required: true },
    { key: 'insurerName', required: true },
    'shortName',
    { key: 'insurerType', plain: true },
    'uscc',
    { key: 'licenceNo', hidden: true },
    { key: 'auditMode', plain: true },
    'secondReviewFen',
    { key: 'fundMode', plain: true },
    { key: 'invoiceVariant', plain: true },
    'productCount',
    'status',
    { key: 'updatedAt', hidden: true },
  ],
});

/** Tab 保司. */
export function Insurers() {
  const layers = useLayers();
  const refreshes = [queryInsurerList];
  const setStatus = useCommand(setInsurerStatus, { success: '操作成功!', refreshes });
  const remove = useCommand(delInsurer, { success: '删除成功!', refreshes });
  const changeStatus = (action: 'disable' | 'enable') => async (row: InsurerRow) => {
    const { label } = insurerStates.transitions[action];
    const opinion = await confirmWithOpinion({
      title: label,
      content: `确定要${label}${row.insurerName}吗?`,
      facts: factsIn(queryInsurerList.output, row, ['insurerCode', 'insurerType', 'auditMode', 'productCount']),
      danger: action === 'disable',
      opinion: 'required',
    });
    if (opinion !== null) await setStatus.run({ id: row.id, version: row.version, action, opinion });
  };
  const actions: readonly RowAction<InsurerRow>[] = [
    { label: '联系人', act: (row) => layers.open((close) => <Contacts row={row} onClose={close} />) },
    {
      label: '编辑',
      when: ({ allowedActions }) => allowedActions.includes('modify'),
      act: (row) => layers.open((close) => <EditInsurer row={row} onClose={close} />),
    },
    { label: '停用', danger: true, when: ({ allowedActions }) => allowedActions.includes('disable'), act: changeStatus('disable') },
    { label: '启用', when: ({ allowedActions }) => allowedActions.includes('enable'), act: changeStatus('enable') },
    {
      label: '删除',
      permission: may['insurer.edit'],
      danger: true,
      when: ({ productCount }) => productCount === 0,
      act: async ({ id, version, insurerName, insurerCode }) => {
        if (await confirmDelete(`保司“${insurerName}”（${insurerCode}）`)) await remove.run({ id, version });
      },
    },
  ];
  return (
    <>
      <ResourceList
        of={insurers}
        actions={actions}
        toolbar={(view) => (
          <>
            <Can permission={may['insurer.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <NewInsurer onClose={close} />)}>
                新增保司
              </Button>
            </Can>
            <ExportButton call={exportInsurerList} view={view} permission={may['insurer.view']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
