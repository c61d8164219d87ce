import { lazy, Suspense } from 'react';
import { Categories } from './Categories.tsx';
import '../services/services.css';

const ConfigPane = lazy(async () => ({ default: (await import('./ConfigPane.tsx')).ConfigPane }));

/** /serviceConfig 服务配置: groups of items on the left, the rules of all services on the right. */
export default function ServiceConfig() {
  return (
    <div className="ds-split">
      <Categories />
      <section>
        <Suspense fallback={<div className="kq-loading" />}>
          <ConfigPane />
        </Suspense>
      </section>
    </div>
  );
}
