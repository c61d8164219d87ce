import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import {
  delPolicy,
  exportPolicy,
  POLICY_IMPORTER,
  queryPolicyList,
  queryPolicyTotal,
  type PolicyRow,
} from '../../contract/calls/policies.ts';
import { listPermissions, policyPermissions as may, premiumPermissions } from '../../contract/permissions.ts';
import { isTerminal } from '../../contract/states.ts';
import { PartLine } from '#kernel/web/kit/PartLine.tsx';
import { ListTabs, type ListTab } from '../shared/ListTabs.tsx';
import { policyList, PolicyTotals } from './policyList.tsx';

const PolicyDrawer = lazy(async () => ({ default: (await import('./PolicyDrawer.tsx')).PolicyDrawer }));
const NewPolicy = lazy(async () => ({ default: (await import('./PolicyForm.tsx')).NewPolicy }));
const EditPolicy = lazy(async () => ({ default: (await import('./PolicyForm.tsx')).EditPolicy }));
const RenewPolicy = lazy(async () => ({ default: (await import('./PolicyForm.tsx')).RenewPolicy }));
const EndorseForm = lazy(async () => ({ default: (await import('../endorse/EndorseForm.tsx')).EndorseForm }));

const tabs: readonly ListTab[] = [
  { key: 'all', label: '全部' },
  { key: 'pending', label: '待生效', state: ['PENDING'] },
  { key: 'inForce', label: '有效', state: ['IN_FORCE'] },
  { key: 'ending', label: '30天内到期', endsWithinDays: '30' },
  { key: 'suspended', label: '中止', state: ['SUSPENDED'] },
  { key: 'over', label: '已终止', state: ['EXPIRED', 'SURRENDERED', 'CANCELLED'] },
];
const address = { policyId: param.optional() };

/** /policyManage 保单查询. */
export default function PolicyManage() {
  const layers = useLayers();
  const [{ policyId }, setAddress] = useAddress(address);
  const has = useMay();
  const remove = useCommand(delPolicy, { success: '删除成功!', refreshes: [queryPolicyList, queryPolicyTotal] });
  const actions: readonly RowAction<PolicyRow>[] = [
    { label: '详情', act: ({ id }) => setAddress({ policyId: id }) },
    {
      label: '批改',
      permission: may['endorse.make'],
      when: ({ state }) => !isTerminal(state),
      act: ({ id }) => layers.open((close) => <EndorseForm policyId={id} onClose={close} />),
    },
    {
      label: '增减员',
      permission: listPermissions['batch.import'],
      when: ({ state }) => !isTerminal(state),
      act: ({ id }) => goTo('/inventoryListManagement', { policyId: id }),
    },
    {
      label: '保费订单',
      permission: premiumPermissions['premium.view'],
      act: ({ policyNo }) => goTo('/insurancePremiumOrderInquiry', { policyNo }),
    },
    {
      label: '续保',
      permission: may['policy.edit'],
      when: ({ state }) => state === 'IN_FORCE' || state === 'EXPIRED',
      act: (row) =>
        layers.open((close) => (
          <RenewPolicy
            row={row}
            onClose={close}
            onDone={({ id, batchId }) =>
              has(listPermissions['batch.view']) ? goTo('/inventoryListManagement', { batchId }) : setAddress({ policyId: id })
            }
          />
        )),
    },
    {
      label: '修改联系信息',
      permission: may['policy.edit'],
      act: (row) => layers.open((close) => <EditPolicy row={row} onClose={close} />),
    },
    {
      label: '删除',
      permission: may['policy.edit'],
      danger: true,
      when: ({ endorsementCount, premiumFen }) => endorsementCount === 0 && premiumFen === '0',
      act: async ({ id, version, policyNo, holderName, insuredCount, declaredCount }) => {
        if (await confirmDelete(`保单“${policyNo}”（${holderName}）`, [`在保${insuredCount}人、申报${declaredCount}人的保障一并删除`]))
          await remove.run({ id, version });
      },
    },
  ];
  return (
    <>
      <PartLine tabs={<ListTabs tabs={tabs} />}>
        <ResourceList
          of={policyList}
          actions={actions}
          onRowClick={({ id }) => setAddress({ policyId: id })}
          toolbar={(view) => (
            <>
              <Can permission={may['policy.edit']}>
                <Button
                  type="primary"
                  onClick={() => layers.open((close) => <NewPolicy onClose={close} onMade={(id) => setAddress({ policyId: id })} />)}
                >
                  新增保单
                </Button>
              </Can>
              <ImportButton importerCode={POLICY_IMPORTER} permission={may['policy.edit']} label="导入保单" onChanged={view.refetch} />
              <ExportButton call={exportPolicy} view={view} permission={may['policy.export']} />
              <PolicyTotals filters={view.filters} />
            </>
          )}
        />
      </PartLine>
      {layers.shown}
      <Suspense fallback={null}>
        {policyId && <PolicyDrawer key={policyId} policyId={policyId} onClose={() => setAddress({ policyId: undefined })} />}
      </Suspense>
    </>
  );
}
