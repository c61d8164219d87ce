import { Button } from 'antd';
import { lazy } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  addEntitlementVersion,
  exportEntitlementDefList,
  queryEntitlementDefList,
  removeEntitlementDef,
  type EntitlementRow,
} from '../../contract/entitlements/calls.ts';
import { entitlementPermissions as may } from '../../contract/permissions.ts';

const NewDef = lazy(async () => ({ default: (await import('./DefForm.tsx')).NewDef }));
const EditDef = lazy(async () => ({ default: (await import('./DefForm.tsx')).EditDef }));
const DefDetail = lazy(async () => ({ default: (await import('./DefDetail.tsx')).DefDetail }));

const definitions = resource(queryEntitlementDefList, {
  routeKey: 'productHome:entitlement',
  empty: '没有符合条件的权益定义，请调整筛选条件或点击“新增”',
  filters: ['keyword', 'kind', 'phase'],
  columns: [
    { key: 'entitlementCode', required: true },
    { key: 'name', required: true },
    { key: 'kind', plain: true },
    'versionNo',
    'terms',
    'validity',
    'scopeText',
    'effective',
    'pins',
    'phase',
  ],
});

/** Tab 权益定义 of /productHome. */
export default function Entitlements() {
  const layers = useLayers();
  const refreshes = [queryEntitlementDefList];
  const remove = useCommand(removeEntitlementDef, { success: '删除成功!', refreshes });
  const addVersion = useCommand(addEntitlementVersion, { refreshes });
  const show = (id: string) => layers.open((close) => <DefDetail id={id} onShow={show} onClose={close} />);
  const edit = (id: string) => layers.open((close) => <EditDef id={id} onClose={close} />);
  const actions: readonly RowAction<EntitlementRow>[] = [
    { label: '查看', act: ({ id }) => show(id) },
    {
      label: '编辑',
      permission: may['entitlement.edit'],
      when: ({ phase }) => phase !== 'PENDING_AUDIT',
      act: async ({ id, openId }) => {
        const draft = openId ?? (await addVersion.run({ id }))?.data.id;
        if (draft !== undefined) edit(draft);
      },
    },
    {
      label: '删除',
      permission: may['entitlement.edit'],
      danger: true,
      when: ({ everPublished, allowedActions }) => !everPublished && allowedActions.includes('modify'),
      act: async ({ id, version, name, entitlementCode, versionNo }) => {
        if (await confirmDelete(`权益“${name}”（${entitlementCode}）V${versionNo}`)) await remove.run({ id, version });
      },
    },
  ];
  return (
    <>
      <ResourceList
        of={definitions}
        actions={actions}
        toolbar={(view) => (
          <>
            <Can permission={may['entitlement.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <NewDef onClose={close} />)}>
                新增
              </Button>
            </Can>
            <ExportButton call={exportEntitlementDefList} view={view} permission={may['entitlement.view']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
