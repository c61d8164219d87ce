import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { Bills } from './Bills.tsx';

const Runs = lazy(async () => ({ default: (await import('./Runs.tsx')).Runs }));

const parts: readonly PagePart[] = [
  { key: 'bills', label: '结算单', permission: may['bill.view'], content: Bills },
  { key: 'runs', label: '批算记录', permission: may['bill.view'], content: Runs },
];

/** /doctorSettlement 医生结算. */
export default function DoctorSettlement() {
  return <PageParts parts={parts} />;
}
