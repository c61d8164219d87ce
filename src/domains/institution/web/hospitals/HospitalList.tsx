import { Segmented } from 'antd';
import { lazy, Suspense, useRef } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { inputOf, readFilters } from '#kernel/web/list/filters.ts';
import { useAddress, usePage } from '#kernel/web/tabs/page.tsx';
import { exportHospitalList, type HospitalRow } from '../../contract/hospitalCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { directory } from './columns.tsx';

// The map, the drawer and the form are fetched when first opened.
const CityMap = lazy(async () => ({ default: (await import('./CityMap.tsx')).CityMap }));
const CorrectionForm = lazy(async () => ({ default: (await import('./CorrectionForm.tsx')).CorrectionForm }));
const HospitalDrawer = lazy(async () => ({ default: (await import('./HospitalDrawer.tsx')).HospitalDrawer }));

const address = { hospitalId: param.optional(), view: param.oneOf(['list', 'map']), adcode: param.optional() };

/** /hospitalList: the directory for all staff. */
export default function HospitalList() {
  const [{ hospitalId, view }, setAddress] = useAddress(address);
  const { search } = usePage();
  const layers = useLayers();
  const correct = (hospital: HospitalRow) => layers.open((close) => <CorrectionForm hospital={hospital} onClose={close} />);
  // Once opened the drawer stays, so that it closes with its motion.
  const drawn = useRef(false);
  drawn.current ||= hospitalId !== undefined;
  const filters = directory.filters ?? [];
  const toggle = (
    <Segmented
      options={[
        { value: 'list', label: '列表' },
        { value: 'map', label: '地图视图' },
      ]}
      value={view}
      onChange={(next) => setAddress({ view: next as 'list' | 'map' })}
    />
  );
  return (
    <>
      {view === 'map' ? (
        <div className="kq-list">
          <div className="kq-toolbar">
            <div className="kq-toolbar-main">{toggle}</div>
          </div>
          <Suspense fallback={null}>
            <CityMap filters={inputOf(filters, readFilters(filters, search))} onCity={(adcode) => setAddress({ adcode, view: 'list' })} />
          </Suspense>
        </div>
      ) : (
        <ResourceList
          of={directory}
          toolbar={(list) => (
            <>
              {toggle}
              <ExportButton call={exportHospitalList} view={list} permission={may['hospital.export']} />
            </>
          )}
          actionWidth={120}
          actions={[
            { label: '详情', act: (row) => setAddress({ hospitalId: row.id }) },
            { label: '纠错', permission: may['apply.enter'], when: (row) => row.state !== 'MERGED', act: correct },
          ]}
          onRowClick={(row) => setAddress({ hospitalId: row.id })}
        />
      )}
      <Suspense fallback={null}>
        {drawn.current && (
          <HospitalDrawer
            hospitalId={hospitalId}
            onClose={() => setAddress({ hospitalId: undefined })}
            onOpen={(id) => setAddress({ hospitalId: id })}
          />
        )}
      </Suspense>
      {layers.shown}
    </>
  );
}
