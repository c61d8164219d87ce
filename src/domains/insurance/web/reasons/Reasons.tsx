import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { reasonPermissions as may } from '../../contract/permissions.ts';
import { exportReasonText, queryReasonTextList } from '../../contract/reasons/calls.ts';

const EditReason = lazy(async () => ({ default: (await import('./ReasonForm.tsx')).EditReason }));

const reasons = resource(queryReasonTextList, {
  routeKey: 'productHome:reason',
  empty: '没有符合条件的原因，请调整筛选条件',
  filters: ['keyword'],
  columns: [{ key: 'reasonCode', required: true }, { key: 'label', required: true }, 'applicantText', 'internalText', 'updatedAt'],
});

/** Tab 原因话术. */
export function Reasons() {
  const layers = useLayers();
  return (
    <>
      <ResourceList
        of={reasons}
        actions={[
          {
            label: '编辑',
            permission: may['reason.edit'],
            act: (row) => layers.open((close) => <EditReason row={row} onClose={close} />),
          },
        ]}
        toolbar={(view) => <ExportButton call={exportReasonText} view={view} permission={may['reason.edit']} />}
      />
      {layers.shown}
    </>
  );
}
