import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { ATTRIBUTION_IMPORTER, exportAttributionList, type AttributionRow } from '../../contract/calls/attribution.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { lists } from './attributionList.tsx';
import { ChangeForm, TrailDrawer } from './lazyDialogs.ts';

/** Who came by which channel: doctors, or patients. */
export function Attributions({ subjectType }: { subjectType: 'DOCTOR' | 'PATIENT' }) {
  const layers = useLayers();
  const showTrail = (row: AttributionRow) => layers.open((close) => <TrailDrawer row={row} onClose={close} />);
  const change = (row: AttributionRow) => layers.open((close) => <ChangeForm row={row} onClose={close} />);
  return (
    <>
      <ResourceList
        of={lists[subjectType]}
        actionWidth={170}
        actions={[
          { label: '归属轨迹', act: showTrail },
          { label: '申请变更', permission: may['attribution.edit'], when: (row) => !row.pendingChange, act: change },
        ]}
        toolbar={(view) => (
          <>
            <ImportButton
              importerCode={ATTRIBUTION_IMPORTER}
              label="导入变更"
              permission={may['attribution.edit']}
              onChanged={view.refetch}
            />
            <ExportButton
              call={exportAttributionList}
              view={{
                ...view,
                filters: { ...view.filters, subjectType },
                filterText: () => [subjectType === 'DOCTOR' ? '医生归属' : '患者归属', view.filterText()].filter(Boolean).join('；'),
              }}
              permission={may['attribution.export']}
            />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
