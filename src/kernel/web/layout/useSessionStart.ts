import { useEffect, useState } from 'react';
import { toastError } from '../feedback/toast.ts';
import { isSessionEnd } from '../http/errorLaw.ts';
import { RefusalError, failureText } from '../http/refusal.ts';
import { closeChannel, openChannel, useTopic } from '../realtime/socket.ts';
import { goTo } from '../router/navigate.ts';
import { syncWithOtherTabs, reloadLoginInfo } from '../session/otherTabs.ts';
import { webPorts } from '../session/gateway.ts';
import { onRoleGone } from '../session/roleGone.ts';
import { useSession } from '../session/store.ts';
import { tabs } from '../tabs/store.ts';

const DIVISIONS_FAILED = '获取省市区接口异常';

/** First call of the shell after a reload, then the lists that pages share. */
export function useSessionStart() {
  const phase = useSession((state) => state.phase);
  const restricted = useSession((state) => state.restricted);
  const menu = useSession((state) => state.userRoleMenu);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (phase === 'ready') return;
    setFailure(null);
    reloadLoginInfo().catch((error: unknown) => !isSessionEnd(error) && setFailure(failureText(error)));
  }, [phase, attempt]);

  useEffect(() => {
    if (phase !== 'ready') return undefined;
    if (restricted) {
      goTo('/editUsePwd', {}, { replace: true });
      return undefined;
    }
    if (menu.length === 0) {
      goTo('/noentry', {}, { replace: true });
      return undefined;
    }
    openChannel();
    return closeChannel;
  }, [phase, restricted, menu.length]);

  useEffect(() => {
    if (phase !== 'ready' || restricted || useSession.getState().cityList.length) return;
    webPorts()
      .session.queryDivisions()
      .then((cityList) => useSession.setState({ cityList }))
      .catch(
        (error: unknown) =>
          !isSessionEnd(error) && toastError(error instanceof RefusalError ? error.message || DIVISIONS_FAILED : DIVISIONS_FAILED),
      );
  }, [phase, restricted]);

  const reload = () => void reloadLoginInfo().catch(() => {});
  useTopic('identity.role.changed', reload);
  useTopic('menuChanged', reload);
  // The answer names the role that is left, or an empty menu, which leads to /noentry.
  useEffect(() => onRoleGone(() => void reloadLoginInfo().catch(() => {})), []);
  useEffect(
    () =>
      syncWithOtherTabs(() => {
        tabs.clear();
        void reloadLoginInfo()
          .then(() => goTo('/', {}, { replace: true }))
          .catch(() => {});
      }),
    [],
  );
  return { ready: phase === 'ready', failure, retry: () => setAttempt((count) => count + 1) };
}
