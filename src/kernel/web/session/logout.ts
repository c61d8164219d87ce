import { closeChannel } from '../realtime/socket.ts';
import { useExpiry } from './expiry.ts';
import { webPorts } from './gateway.ts';
import { clearStorage } from './storage.ts';
import { forgetSession, useSession } from './store.ts';

/** What has to be left before, or destroyed after, the person is logged out (the chat client). */
export interface LogoutStep {
  /** Asked first, when somebody logs out by himself: what would be lost. False: he stays. */
  ask?(): Promise<boolean>;
  /** Step 1, before the call; waited for at most 2 s. */
  leave?(): Promise<void>;
  /** Step 5, after local storage is empty. */
  destroy?(): void;
}

const steps: LogoutStep[] = [];
export const registerLogoutStep = (step: LogoutStep): void => void steps.push(step);

/** Whether somebody who wants to log out still wants it, knowing what he would lose. */
export async function mayLogOut(): Promise<boolean> {
  for (const step of steps) if (step.ask && !(await step.ask())) return false;
  return true;
}

const WAIT_MS = 2000;

async function atMost(work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, WAIT_MS)))]);
  clearTimeout(timer);
}

/**
 * 1 leave the chat session, 2 `modifyCancelUserInfo {}`, 3 clear local storage and the store, 4 reset the access
 * permission, 5 destroy the chat client, 6 go to /login. Neither step 1 nor step 2 holds up the rest for more than 2 s.
 */
export async function logout(goToLogin: () => void): Promise<void> {
  // The server notifies the session's pages that it has ended; this one knows.
  closeChannel();
  await atMost(Promise.allSettled(steps.map(async (step) => step.leave?.())));
  // What comes later than that is neither awaited nor reported.
  const left = new AbortController();
  await atMost(Promise.allSettled([webPorts().session.cancelUser(left.signal)]));
  left.abort();
  clearStorage();
  forgetSession();
  useSession.setState({ accessPermission: '' });
  useExpiry.setState({ message: null });
  for (const step of steps) {
    try {
      step.destroy?.();
    } catch (error) {
      console.warn('A logout step failed', error);
    }
  }
  goToLogin();
}
