import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { lazyDialog } from '#kernel/web/kit/lazyDialog.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { exportCampaignList, queryCampaignList, type CampaignRow } from '../../contract/campaigns/calls.ts';
import { campaignActions, campaignMachine } from '../../contract/campaigns/dictionaries.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { useCampaignActions } from './useCampaignActions.ts';

const CampaignDrawer = lazy(() => import('./CampaignDrawer.tsx'));
const CampaignForm = lazyDialog(async () => (await import('./CampaignForm.tsx')).CampaignForm);

const list = resource(queryCampaignList, {
  routeKey: 'taskManagement:campaigns',
  empty: '没有符合条件的群发任务，请调整筛选条件或点击“新增群发”',
  filters: ['campaignNo', 'name', 'state', { kind: 'instants', names: ['sendFrom', 'sendTo'], label: '发送时间' }],
  columns: [
    'campaignNo',
    'name',
    'audience',
    'summary',
    'touchKind',
    { key: 'target', hidden: true },
    'sendAt',
    'previewCount',
    'progress',
    'state',
    { key: 'updatedAt', hidden: true },
  ],
});

/** While something is being sent its progress moves by itself. */
const FOLLOW_MS = 15_000;
const address = { campaignId: param.optional(), edit: param.optional() };
const NEW = 'new';

/** Tab 群发任务. */
export function CampaignList() {
  const [{ campaignId, edit }, setAddress] = useAddress(address);
  const commands = useCampaignActions();
  const actions: readonly RowAction<CampaignRow>[] = [
    { label: '编辑', permission: may['campaign.edit'], when: (row) => row.state === 'DRAFT', act: (row) => setAddress({ edit: row.id }) },
    ...([...campaignActions, 'stop'] as const).map((action): RowAction<CampaignRow> => ({
      label: campaignMachine.transitions[action].label,
      danger: campaignMachine.transitions[action].danger ?? false,
      when: (row) => row.allowedActions.includes(action),
      act: (row) => commands.take(row, action),
    })),
    { label: '详情', act: (row) => setAddress({ campaignId: row.id }) },
  ];
  return (
    <>
      <ResourceList
        of={list}
        actions={actions}
        actionWidth={180}
        every={FOLLOW_MS}
        onRowClick={(row) => setAddress({ campaignId: row.id })}
        toolbar={(view) => (
          <>
            <Can permission={may['campaign.edit']}>
              <Button type="primary" onClick={() => setAddress({ edit: NEW })}>
                新增群发
              </Button>
            </Can>
            <ExportButton call={exportCampaignList} view={view} permission={may['corpus.export']} />
          </>
        )}
      />
      {edit !== undefined && (
        <CampaignForm
          key={edit}
          id={edit === NEW ? null : edit}
          onClose={() => setAddress({ edit: undefined })}
          onSaved={(id) => setAddress({ edit: undefined, campaignId: id })}
        />
      )}
      <Suspense fallback={null}>
        {campaignId !== undefined && edit === undefined && (
          <CampaignDrawer key={campaignId} id={campaignId} onClose={() => setAddress({ campaignId: undefined })} />
        )}
      </Suspense>
    </>
  );
}
