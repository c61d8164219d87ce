import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { listPermissions as may } from '../../contract/permissions.ts';
import { Batches } from './Batches.tsx';

const Templates = lazy(async () => ({ default: (await import('./Templates.tsx')).Templates }));

const parts: readonly PagePart[] = [
  { key: 'batches', label: '批次', permission: may['batch.view'], content: Batches },
  { key: 'templates', label: '模板', permission: may['template.edit'], content: Templates },
];

/** /inventoryListManagement 被保人清单管理. */
export default function InventoryListManagement() {
  return <PageParts parts={parts} />;
}
