import { lazy, Suspense } from 'react';
import { param } from '#kernel/web/router/address.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';

// Fetched when a case is opened.
const AuditDrawer = lazy(() => import('./AuditDrawer.tsx'));
const address = { applyId: param.optional() };

/** Opens the audit drawer over any tab of the page when the address names an application. */
export function AuditHost() {
  const [{ applyId }, setAddress] = useAddress(address);
  return <Suspense fallback={null}>{applyId && <AuditDrawer applyId={applyId} onGo={(id) => setAddress({ applyId: id })} />}</Suspense>;
}
