import { lazy } from 'react';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { entitlementPermissions, formularyPermissions, insurerPermissions, reasonPermissions } from '../../contract/permissions.ts';
import { Products } from './Products.tsx';

const Insurers = lazy(async () => ({ default: (await import('../insurers/Insurers.tsx')).Insurers }));
const Formularies = lazy(async () => ({ default: (await import('../formularies/Formularies.tsx')).Formularies }));
const Entitlements = lazy(async () => ({ default: (await import('../entitlements/Entitlements.tsx')).default }));
const Reasons = lazy(async () => ({ default: (await import('../reasons/Reasons.tsx')).Reasons }));

/** /productHome 产品后台. */
export default function ProductHome() {
  return (
    <PageParts
      parts={[
        { key: 'product', label: '产品', content: Products },
        { key: 'insurer', label: '保司', permission: insurerPermissions['insurer.view'], content: Insurers },
        { key: 'formulary', label: '药品目录', permission: formularyPermissions['formulary.view'], content: Formularies },
        { key: 'entitlement', label: '权益定义', permission: entitlementPermissions['entitlement.view'], content: Entitlements },
        { key: 'reason', label: '原因话术', permission: reasonPermissions['reason.edit'], content: Reasons },
      ]}
    />
  );
}
