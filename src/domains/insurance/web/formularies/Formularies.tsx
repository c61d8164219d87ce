import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { exportFormularyList, queryFormularyList } from '../../contract/formulary/calls.ts';
import { formularyPermissions as may } from '../../contract/permissions.ts';
import { optionFilter } from '../shared/OptionSelect.tsx';

const NewFormulary = lazy(async () => ({ default: (await import('./FormularyForm.tsx')).NewFormulary }));
const EditFormulary = lazy(async () => ({ default: (await import('./FormularyForm.tsx')).EditFormulary }));
const FormularyDesk = lazy(async () => ({ default: (await import('./FormularyDesk.tsx')).FormularyDesk }));

const address = { formularyId: param.optional() };

const formularies = resource(queryFormularyList, {
  routeKey: 'productHome:formulary',
  empty: '没有符合条件的药品目录，请调整筛选条件或点击“新增目录”',
  filters: ['keyword', optionFilter('insurerId', 'INSURER')],
  columns: [
    { key: 'formularyCode', required: true },
    { key: 'name', required: true },
    'insurerName',
    'currentText',
    'nextText',
    'lineCount',
    'benefitCount',
    'updatedAt',
  ],
});

/** Tab 药品目录. */
export function Formularies() {
  const layers = useLayers();
  const [{ formularyId }, setAddress] = useAddress(address);
  return (
    <>
      <ResourceList
        of={formularies}
        actions={[
          { label: '版本与药品', act: ({ id }) => setAddress({ formularyId: id }) },
          {
            label: '编辑',
            permission: may['formulary.edit'],
            act: (row) => layers.open((close) => <EditFormulary row={row} onClose={close} />),
          },
        ]}
        toolbar={(view) => (
          <>
            <Can permission={may['formulary.edit']}>
              <Button
                type="primary"
                onClick={() => layers.open((close) => <NewFormulary onClose={close} onMade={(id) => setAddress({ formularyId: id })} />)}
              >
                新增目录
              </Button>
            </Can>
            <ExportButton call={exportFormularyList} view={view} permission={may['formulary.view']} />
          </>
        )}
      />
      {layers.shown}
      <Suspense fallback={null}>
        {formularyId && <FormularyDesk formularyId={formularyId} onClose={() => setAddress({ formularyId: undefined })} />}
      </Suspense>
    </>
  );
}
