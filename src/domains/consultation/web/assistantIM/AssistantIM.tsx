import { Button } from 'antd';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useSession } from '../../../../kernel/web/session/store.ts';
import { ownDesk } from './desk/ownDesk.ts';
import { DeskContext } from './desk/useDesk.ts';
import { Calls } from '../video/Calls.tsx';
import './im.css';

const Console = lazy(() => import('./Console.tsx'));

/** 医助工作台: signs in to the chat, then shows the console. */
export default function AssistantIM() {
  const userId = useSession((state) => state.userId);
  const desk = useMemo(() => ownDesk(userId), [userId]);
  const phase = useStore(desk.store, (state) => state.phase);
  const fault = useStore(desk.store, (state) => state.fault);
  const kicked = useStore(desk.store, (state) => state.kicked);
  useEffect(() => {
    // The console's code is fetched while the chat signs in.
    void import('./Console.tsx');
  }, []);
  if (phase === 'refused' || kicked === 'userSigExpired') {
    return (
      <div className="im-gate" role="alert">
        <p>{fault ?? '聊天登录已失效，请重新连接'}</p>
        <Button type="primary" onClick={() => (kicked ? location.reload() : void desk.open())}>{kicked ? '重新连接' : '重试'}</Button>
      </div>
    );
  }
  if (phase === 'opening') return <div className="im-gate" aria-busy="true"><p className="kq-muted">正在连接医助工作台…</p></div>;
  return (
    <DeskContext value={desk}>
      <Calls client={desk.client}><Suspense fallback={<div className="kq-loading" />}><Console /></Suspense></Calls>
    </DeskContext>
  );
}
