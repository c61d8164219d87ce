import { Button } from 'antd';
import { lazy } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { ProductPicker } from '#kernel/web/kit/pickers.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import {
  exportSpecialUserList,
  MARK_IMPORTER,
  querySpecialUserList,
  revealSpecialUser,
  type MarkRow,
  type sensitiveMarkFields,
} from '../../contract/calls/marks.ts';
import { markMachine } from '../../contract/markStates.ts';
import { applyPermissions, markPermissions as may } from '../../contract/permissions.ts';
import { editMark } from './editMark.ts';
import { markDecisions, useMarkActions } from './useMarkActions.ts';

const MarkDrawer = lazy(async () => ({ default: (await import('./MarkDrawer.tsx')).MarkDrawer }));

const masked = (field: (typeof sensitiveMarkFields)[number]) => ({
  permission: applyPermissions['apply.reveal'],
  reveal: async ({ id }: MarkRow) => (await send(revealSpecialUser, { id, field })).value ?? '—',
});

const listed = (routeKey: string, empty: string) =>
  resource(querySpecialUserList, {
    routeKey,
    empty,
    filters: ['name', 'mobile', 'idNo', 'markType', { kind: 'picker', name: 'productId', picker: ProductPicker }, 'state', 'validOn'],
    columns: [
      { key: 'name', required: true },
      { key: 'mobileMasked', width: 150, masked: masked('mobile') },
      { key: 'idNoMasked', width: 190, masked: masked('idNo') },
      { key: 'markType', vital: true },
      'productNames',
      { key: 'startDate', title: '有效期', width: 190, vital: true, value: ({ startDate, endDate }) => `${startDate}至${endDate}` },
      'reason',
      'hits',
      'makerName',
      'checkerName',
      { key: 'updatedAt', hidden: true },
      'state',
    ],
  });
const all = listed('specialUser', '还没有特殊用户标记，可新增或导入');
const waiting = listed('specialUser:toDecide', '没有待您审批的标记');
const toDecide = { toDecide: true } as const;

/** Marks with what may be done with each; of those that wait, the ones that others made. */
export function MarkList({ waits = false }: { waits?: boolean }) {
  const layers = useLayers();
  const { decide, remove } = useMarkActions();
  const show = (row: MarkRow) => layers.open((close) => <MarkDrawer id={row.id} onClose={close} />);
  const actions: readonly RowAction<MarkRow>[] = [
    { label: '查看历史', act: show },
    {
      label: '编辑',
      permission: may['specialUser.edit'],
      when: ({ state }) => state === 'PENDING' || state === 'EFFECTIVE' || state === 'REJECTED',
      act: ({ id }) => editMark(id),
    },
    ...markDecisions.map((action) => ({
      label: markMachine.transitions[action].label,
      permission: may['specialUser.audit'],
      danger: markMachine.transitions[action].danger ?? false,
      when: ({ allowedActions }: MarkRow) => allowedActions.includes(action),
      act: (row: MarkRow) => decide(row, action),
    })),
    {
      label: '删除',
      permission: may['specialUser.edit'],
      danger: true,
      when: ({ state, mine }) => state === 'PENDING' && mine,
      act: remove,
    },
  ];
  return (
    <>
      <ResourceList
        of={waits ? waiting : all}
        {...(waits && { fixed: toDecide })}
        actions={actions}
        onRowClick={show}
        toolbar={(view) => (
          <>
            {!waits && (
              <>
                <Can permission={may['specialUser.edit']}>
                  <Button type="primary" onClick={() => goTo('/updateSpecialUser')}>
                    新增
                  </Button>
                </Can>
                <ImportButton importerCode={MARK_IMPORTER} permission={may['specialUser.edit']} onChanged={view.refetch} />
              </>
            )}
            <ExportButton call={exportSpecialUserList} view={view} permission={may['specialUser.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
