import { SUCCESS } from '#kernel/contract/envelope.ts';
import type { Envelope } from '#kernel/contract/envelope.ts';
import { exchange, readBody } from '#kernel/web/http/client.ts';
import { SESSION_ENDED } from '#kernel/web/http/errorLaw.ts';
import { enter } from '#kernel/web/session/enter.ts';
import { clearStorage, storedToken } from '#kernel/web/session/storage.ts';
import { queryLoginInfo } from '../../contract/calls/login.ts';
import type { LoginView, SessionView } from '../../contract/calls/login.ts';

/**
 * With a valid session a login page forwards to the default page. A token that has expired is dropped without the
 * expiry dialog: the person stands at the login already. Any other answer says nothing about the session, which stays.
 */
export async function forwardIfLoggedIn(redirect: string | null): Promise<void> {
  if (!storedToken()) return;
  try {
    const response = await exchange(queryLoginInfo, {}, { quiet: true });
    const envelope = await readBody(queryLoginInfo, async () => (await response.json()) as Envelope<SessionView>, {});
    if (envelope.code === SUCCESS && envelope.data) enter(envelope.data, undefined, redirect);
    else if (SESSION_ENDED.has(envelope.code)) clearStorage();
  } catch {
    // Not reachable, which has been said: the login form stays.
  }
}

/** After a login or a password change: stores the token and opens the first page. */
export function enterWith(view: LoginView, redirect: string | null): void {
  const { Authorization, ...info } = view;
  enter(info, Authorization, redirect);
}
