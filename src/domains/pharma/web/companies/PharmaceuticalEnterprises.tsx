import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { Tabbed } from '../shared/Tabbed.tsx';
import { AdverseReports } from './AdverseReports.tsx';
import { Companies } from './Companies.tsx';

/** /pharmaceuticalEnterprises 药企管理. */
export default function PharmaceuticalEnterprises() {
  return (
    <Tabbed
      parts={[
        { key: 'companies', label: '药企', content: () => <Companies /> },
        { key: 'adverse', label: '不良反应转报', permission: may['pv.view'], content: () => <AdverseReports /> },
      ]}
    />
  );
}
