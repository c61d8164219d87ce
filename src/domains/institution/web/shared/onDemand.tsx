import { lazy, Suspense, type ComponentType } from 'react';

/** A part of a page that is fetched when its tab is opened; the tabs above it stay meanwhile. */
export function onDemand(load: () => Promise<ComponentType>): ComponentType {
  const Part = lazy(async () => ({ default: await load() }));
  return function OnDemand() {
    return <Suspense fallback={<div className="kq-loading" />}><Part /></Suspense>;
  };
}
