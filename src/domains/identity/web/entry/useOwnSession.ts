import { useEffect, useState } from 'react';
import { failureText } from '#kernel/web/http/refusal.ts';
import { webPorts } from '#kernel/web/session/gateway.ts';
import { applyLogin, useSession } from '#kernel/web/session/store.ts';

/** Reads who is logged in where the shell has not done so (pages outside of the main layout, after a reload). */
export function useOwnSession() {
  const session = useSession();
  const [failure, setFailure] = useState<string | null>(null);
  const unknown = session.phase === 'unknown';
  useEffect(() => {
    if (!unknown) return;
    webPorts()
      .session.queryLoginInfo()
      .then((info) => applyLogin(info))
      .catch((error: unknown) => setFailure(failureText(error)));
  }, [unknown]);
  return { session, ready: !unknown, failure };
}
