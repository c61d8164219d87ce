import { lazy, Suspense, useEffect, useState } from 'react';
import { useSession } from '#kernel/web/session/store.ts';
import type { Desk } from './desk/desk.ts';
import './im.css';

const Gate = lazy(() => import('./Gate.tsx'));

/** 医助工作台: the desk's code is fetched while the page's frame stands. */
export default function AssistantIM() {
  const userId = useSession((state) => state.userId);
  const [desk, setDesk] = useState<Desk | null>(null);
  useEffect(() => {
    let gone = false;
    void import('./desk/desk.ts').then(({ ownDesk }) => !gone && setDesk(ownDesk(userId)));
    return () => void (gone = true);
  }, [userId]);
  const waiting = (
    <div className="im-gate" aria-busy="true">
      <p className="kq-muted">正在连接医助工作台…</p>
    </div>
  );
  return desk ? (
    <Suspense fallback={waiting}>
      <Gate desk={desk} />
    </Suspense>
  ) : (
    waiting
  );
}
