import { lazy } from 'react';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { Companies } from './Companies.tsx';

const AdverseReports = lazy(async () => ({ default: (await import('./AdverseReports.tsx')).AdverseReports }));

/** /pharmaceuticalEnterprises 药企管理. */
export default function PharmaceuticalEnterprises() {
  return (
    <PageParts
      parts={[
        { key: 'companies', label: '药企', content: Companies },
        { key: 'adverse', label: '不良反应转报', permission: may['pv.view'], content: AdverseReports },
      ]}
    />
  );
}
