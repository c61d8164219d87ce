import { lazy, Suspense } from 'react';
import type { ComponentProps } from 'react';

const Picker = lazy(() => import('./MaterialPicker.tsx'));

/** The picker with its forms and previews, loaded where it is shown. */
export const MaterialPicker = (props: ComponentProps<typeof Picker>) => (
  <Suspense fallback={<div className="kq-loading" role="progressbar" aria-label="素材加载中" />}>
    <Picker {...props} />
  </Suspense>
);
