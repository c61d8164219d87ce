import { Button } from 'antd';
import { lazy, Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import type { Desk } from './desk/desk.ts';
import { DeskContext } from './desk/useDesk.ts';

const loadConsole = () => import('./Console.tsx');
const Console = lazy(loadConsole);
const Calls = lazy(async () => ({ default: (await import('../video/Calls.tsx')).Calls }));

/** Signs in to the chat, then shows the console; what the service refuses stands in its place. */
export default function Gate({ desk }: { desk: Desk }) {
  const phase = useStore(desk.store, (state) => state.phase);
  const fault = useStore(desk.store, (state) => state.fault);
  const kicked = useStore(desk.store, (state) => state.kicked);
  useEffect(() => {
    // The console's code is fetched while the chat signs in.
    void loadConsole();
  }, []);
  if (phase === 'refused' || kicked === 'userSigExpired') {
    return (
      <div className="im-gate" role="alert">
        <p>{fault ?? '聊天登录已失效，请重新连接'}</p>
        <Button type="primary" onClick={() => (kicked ? location.reload() : void desk.open())}>
          {kicked ? '重新连接' : '重试'}
        </Button>
      </div>
    );
  }
  if (phase === 'opening')
    return (
      <div className="im-gate" aria-busy="true">
        <p className="kq-muted">正在连接医助工作台…</p>
      </div>
    );
  return (
    <DeskContext value={desk}>
      <Suspense fallback={<div className="kq-loading" />}>
        <Calls client={desk.client}>
          <Console />
        </Calls>
      </Suspense>
    </DeskContext>
  );
}
