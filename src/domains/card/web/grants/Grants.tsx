import { Button } from 'antd';
import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportGrantList, queryGrantList, type GrantRow } from '../../contract/calls/grants.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { CardTypePicker } from './CardTypePicker.tsx';
import { useGrantActions } from './useGrantActions.ts';

const GrantDrawer = lazy(async () => ({ default: (await import('./GrantDrawer.tsx')).GrantDrawer }));
const NewGrant = lazy(async () => ({ default: (await import('./NewGrant.tsx')).NewGrant }));
const ImportGrant = lazy(async () => ({ default: (await import('./NewGrant.tsx')).ImportGrant }));

const grants = resource(queryGrantList, {
  routeKey: 'valueCardGrant',
  empty: '没有符合条件的发放单，请调整筛选条件或点击“新增”',
  filters: [
    'grantNo',
    { kind: 'picker', name: 'cardTypeId', picker: CardTypePicker },
    'source',
    'status',
    'holderName',
    'policyNo',
    'outerSerialNo',
    { kind: 'days', names: ['dateFrom', 'dateTo'], label: '创建时间' },
  ],
  columns: [
    { key: 'grantNo', required: true },
    'typeName',
    { key: 'kind', plain: true, hidden: true },
    { key: 'source', plain: true },
    'totalCount',
    'totalAmount',
    'totalBonus',
    'okCount',
    'failCount',
    'status',
    'waitingSince',
    'submittedBy',
    'approvedBy',
    'createdAt',
    { key: 'createdBy', hidden: true },
  ],
});

/** Tab 发放单: what is put on people's cards, from the request over its approval to its result. */
export function Grants() {
  const layers = useLayers();
  const show = (row: GrantRow) => layers.open((close) => <GrantDrawer id={row.id} onClose={close} />);
  const actions: readonly RowAction<GrantRow>[] = [{ label: '查看', act: show }, ...useGrantActions()];
  return (
    <>
      <ResourceList
        of={grants}
        actions={actions}
        onRowClick={show}
        toolbar={(view) => (
          <>
            <Can permission={may['grant.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <NewGrant onClose={close} />)}>
                新增
              </Button>
              <Button onClick={() => layers.open((close) => <ImportGrant onClose={close} />)}>导入名单</Button>
            </Can>
            <ExportButton call={exportGrantList} view={view} permission={may['card.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
