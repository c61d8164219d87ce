import { Button } from 'antd';
import { lazy } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { disableCardType, enableCardType, exportCardTypeList, queryCardTypeList, type CardTypeRow } from '../../contract/calls/types.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';

const NewType = lazy(async () => ({ default: (await import('./TypeForms.tsx')).NewType }));
const EditType = lazy(async () => ({ default: (await import('./TypeForms.tsx')).EditType }));
const CopyType = lazy(async () => ({ default: (await import('./TypeForms.tsx')).CopyType }));
const Versions = lazy(async () => ({ default: (await import('./Versions.tsx')).Versions }));
const NewBatch = lazy(async () => ({ default: (await import('../batches/BatchForms.tsx')).NewBatch }));

const types = resource(queryCardTypeList, {
  routeKey: 'cardManagement',
  empty: '没有符合条件的卡种，请调整筛选条件或点击“新增”',
  filters: ['keyword', 'kind', 'bizLine', 'productCode', 'funder', 'funderName', 'fundingMode', 'status'],
  columns: [
    { key: 'typeCode', required: true },
    { key: 'typeName', required: true },
    { key: 'kind', plain: true },
    { key: 'bizLine', plain: true },
    { key: 'productCode', hidden: true },
    { key: 'productState', hidden: true },
    'funderName',
    { key: 'fundingMode', plain: true },
    'validity',
    'issuedCount',
    'activeCount',
    'available',
    'spent',
    'status',
    'ruleVersion',
  ],
});

/** /cardManagement 卡列表: the kinds of cards, their rules and what became of their cards. */
export default function CardManagement() {
  const layers = useLayers();
  const options = { success: '操作成功!', refreshes: [queryCardTypeList] } as const;
  const enable = useCommand(enableCardType, options);
  const disable = useCommand(disableCardType, options);
  const sure = (row: CardTypeRow, label: string) =>
    ask({
      title: label,
      content: `确定要${label}“${row.typeName}”吗?`,
      facts: factsIn(queryCardTypeList.output, row, ['typeCode', 'kind', 'issuedCount', 'activeCount', 'available']),
    });
  const actions: readonly RowAction<CardTypeRow>[] = [
    { label: '卡信息', act: (row) => goTo('/cardInformation', { cardTypeId: row.id }) },
    {
      label: '编辑',
      permission: may['type.edit'],
      act: (row) => layers.open((close) => <EditType row={row} onClose={close} />),
    },
    {
      label: '启用',
      when: ({ allowedActions }) => allowedActions.includes('enable'),
      act: async (row) => {
        if (await sure(row, '启用')) await enable.run({ id: row.id, version: row.version });
      },
    },
    {
      label: '停用',
      danger: true,
      when: ({ allowedActions }) => allowedActions.includes('disable'),
      act: async (row) => {
        if (await sure(row, '停用')) await disable.run({ id: row.id, version: row.version });
      },
    },
    {
      label: '新建批次',
      permission: may['batch.edit'],
      when: ({ status }) => status === 'ENABLED',
      act: (row) => layers.open((close) => <NewBatch type={row} onClose={close} />),
    },
    { label: '复制', permission: may['type.edit'], act: (row) => layers.open((close) => <CopyType row={row} onClose={close} />) },
    { label: '版本记录', act: (row) => layers.open((close) => <Versions row={row} onClose={close} />) },
  ];
  return (
    <>
      <ResourceList
        of={types}
        actions={actions}
        toolbar={(view) => (
          <>
            <Can permission={may['type.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <NewType onClose={close} />)}>
                新增
              </Button>
            </Can>
            <ExportButton call={exportCardTypeList} view={view} permission={may['card.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
