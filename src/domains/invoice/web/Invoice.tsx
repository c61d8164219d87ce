import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { Payments } from './payments/Payments.tsx';

const Refunds = lazy(async () => ({ default: (await import('./refunds/Refunds.tsx')).Refunds }));
const Batches = lazy(async () => ({ default: (await import('./batches/Batches.tsx')).Batches }));

const parts: readonly PagePart[] = [
  { key: 'payments', label: '收款单', content: Payments },
  { key: 'refunds', label: '退款', content: Refunds },
  { key: 'batches', label: '退款批次', content: Batches },
];

/** /invoice 开票付款. */
export default function Invoice() {
  return <PageParts parts={parts} />;
}
