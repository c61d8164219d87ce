import { Segmented } from 'antd';
import { useState } from 'react';
import { ExportButton } from '../../../../kernel/web/files/ExportButton.tsx';
import { param } from '../../../../kernel/web/router/address.ts';
import { ResourceList } from '../../../../kernel/web/list/ResourceList.tsx';
import { inputOf, readFilters } from '../../../../kernel/web/list/filters.ts';
import { useAddress, usePage } from '../../../../kernel/web/tabs/page.tsx';
import type { HospitalRow } from '../../contract/hospitalCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { exportHospitalList } from '../../contract/transferCalls.ts';
import { CityMap } from './CityMap.tsx';
import { CorrectionForm } from './CorrectionForm.tsx';
import { HospitalDrawer } from './HospitalDrawer.tsx';
import { directory } from './columns.tsx';

const address = { hospitalId: param.optional(), view: param.oneOf(['list', 'map']), adcode: param.optional() };

/** /hospitalList: the directory for all staff. */
export default function HospitalList() {
  const [{ hospitalId, view }, setAddress] = useAddress(address);
  const { search } = usePage();
  const [corrected, setCorrected] = useState<HospitalRow | null>(null);
  const filters = directory.filters ?? [];
  const toggle = <Segmented options={[{ value: 'list', label: '列表' }, { value: 'map', label: '地图视图' }]} value={view} onChange={(next) => setAddress({ view: next as 'list' | 'map' })} />;
  return (
    <>
      {view === 'map' ? (
        <div className="kq-list">
          <div className="kq-toolbar"><div className="kq-toolbar-main">{toggle}</div></div>
          <CityMap filters={inputOf(filters, readFilters(filters, search))} onCity={(adcode) => setAddress({ adcode, view: 'list' })} />
        </div>
      ) : (
        <ResourceList
          of={directory}
          toolbar={(list) => (<>{toggle}<ExportButton call={exportHospitalList} view={list} permission={may['hospital.export']} /></>)}
          actionWidth={120}
          actions={[
            { label: '详情', act: (row) => setAddress({ hospitalId: row.id }) },
            { label: '纠错', permission: may['apply.enter'], when: (row) => row.state !== 'MERGED', act: setCorrected },
          ]}
          onRowClick={(row) => setAddress({ hospitalId: row.id })}
        />
      )}
      <HospitalDrawer hospitalId={hospitalId} onClose={() => setAddress({ hospitalId: undefined })} onOpen={(id) => setAddress({ hospitalId: id })} />
      {corrected && <CorrectionForm hospital={corrected} onClose={() => setCorrected(null)} />}
    </>
  );
}
