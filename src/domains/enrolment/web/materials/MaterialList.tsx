import { Button } from 'antd';
import { lazy, useMemo } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { TimeLeft } from '#kernel/web/kit/TimeLeft.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import {
  claimNextOtherMaterial,
  claimOtherMaterial,
  exportOtherMaterialList,
  queryOtherMaterialList,
  type OtherMaterialRow,
} from '../../contract/calls/otherMaterials.ts';
import type { OtherMaterialQueue } from '../../contract/materialStates.ts';
import { applyPermissions, materialPermissions as may } from '../../contract/permissions.ts';
import { materialReads, useMaterialActions } from './useMaterialActions.ts';

const NewMaterial = lazy(async () => ({ default: (await import('./NewMaterial.tsx')).NewMaterial }));
const SupplyForm = lazy(async () => ({ default: (await import('./SupplyForm.tsx')).SupplyForm }));

const openMaterial = (materialId: string) => goTo('/otherMaterialVerifyInfo', { materialId });

const EMPTY: Readonly<Record<OtherMaterialQueue, string>> = {
  POOL: '任务池没有待领取的材料',
  MINE: '没有待我处理的材料，可领取下一件',
  SUPPLEMENT: '没有待补件的材料',
  ALL: '还没有其他材料',
};
const listed = (queue: OtherMaterialQueue) =>
  resource(queryOtherMaterialList, {
    routeKey: queue === 'POOL' ? 'otherMaterialVerifyList' : `otherMaterialVerifyList:${queue}`,
    empty: EMPTY[queue],
    filters: ['materialNo', 'contractNo', 'insuredName', 'mobile', 'kind', 'state', 'submittedFrom', 'submittedTo', 'overdue'],
    columns: [
      {
        key: 'materialNo',
        required: true,
        to:
          ({ id }) =>
          () =>
            openMaterial(id),
      },
      { key: 'contractNo', to: ({ contractId }) => ({ path: '/signContractListDetail', search: { contractId } }) },
      { key: 'insuredName', vital: true },
      { key: 'mobileMasked', hidden: true },
      { key: 'productName', hidden: true },
      { key: 'kind', vital: true, plain: true },
      'impact',
      { key: 'dueAt', render: ({ dueAt }) => (dueAt === null ? '—' : <TimeLeft at={dueAt} />) },
      'blockedBy',
      'submittedAt',
      { key: 'enteredName', hidden: true },
      'state',
    ],
  });
const lists: Readonly<Record<OtherMaterialQueue, ReturnType<typeof listed>>> = {
  MINE: listed('MINE'),
  POOL: listed('POOL'),
  SUPPLEMENT: listed('SUPPLEMENT'),
  ALL: listed('ALL'),
};

/** What was handed in for contracts, by queue. */
export function MaterialList({ queue }: { queue: OtherMaterialQueue }) {
  const layers = useLayers();
  const fixed = useMemo(() => ({ queue }), [queue]);
  const { takeover, withdraw } = useMaterialActions();
  const claim = useCommand(claimOtherMaterial, { refreshes: materialReads, onSuccess: ({ data }) => openMaterial(data.id) });
  const claimNext = useCommand(claimNextOtherMaterial, { refreshes: materialReads, onSuccess: ({ data }) => openMaterial(data.id) });
  const reviews = useMay()(may['material.audit']);
  useKeys(reviews ? [{ keys: 'N', label: '领取下一件', act: () => void claimNext.run({}) }] : []);
  const actions: readonly RowAction<OtherMaterialRow>[] = [
    { label: '查看', act: ({ id }) => openMaterial(id) },
    {
      label: '领取',
      permission: may['material.audit'],
      when: ({ state, holder }) => state === 'PENDING' || (state === 'REVIEWING' && holder === null),
      act: ({ id }) => claim.run({ materialId: id }),
    },
    {
      label: '接管',
      permission: applyPermissions['apply.supervise'],
      when: ({ state, holder }) => state === 'REVIEWING' && holder !== null,
      act: takeover,
    },
    {
      label: '补件提交',
      permission: applyPermissions['apply.enter'],
      when: ({ state }) => state === 'SUPPLEMENT',
      act: ({ id }) => layers.open((close) => <SupplyForm materialId={id} onClose={close} />),
    },
    {
      label: '撤回',
      permission: applyPermissions['apply.enter'],
      danger: true,
      when: ({ allowedActions }) => allowedActions.includes('withdraw'),
      act: withdraw,
    },
  ];
  return (
    <>
      <ResourceList
        of={lists[queue]}
        fixed={fixed}
        actions={actions}
        onRowClick={({ id }) => openMaterial(id)}
        toolbar={(view) => (
          <>
            {reviews && (
              <Button type="primary" loading={claimNext.flying} onClick={() => void claimNext.run({})} title="N">
                领取下一件
              </Button>
            )}
            <Can permission={applyPermissions['apply.enter']}>
              <Button onClick={() => layers.open((close) => <NewMaterial onClose={close} />)}>录入材料</Button>
            </Can>
            <ExportButton call={exportOtherMaterialList} view={view} permission={may['material.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
