import { lazy, Suspense } from 'react';
import { useExpiry } from './expiry.ts';

const ExpiryDialog = lazy(() => import('./ExpiryDialog.tsx'));

/** Shows the one expiry dialog as soon as a session has ended, on whatever page. */
export function ExpiryGate() {
  const message = useExpiry((state) => state.message);
  if (message === null) return null;
  return (
    <Suspense fallback={null}>
      <ExpiryDialog message={message} />
    </Suspense>
  );
}
