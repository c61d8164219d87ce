import { closeChannel } from '../realtime/socket.ts';
import { useExpiry } from './expiry.ts';
import { webPorts } from './gateway.ts';
import { forgetSession, useSession } from './store.ts';

/** What has to be left before, or destroyed after, the person is logged out (the chat client). */
export interface LogoutStep {
  /** Asked first, when somebody logs out by himself: what would be lost. False: he stays. */
  ask?(): Promise<boolean>;
  /** Step 1, before the call; waited for together with it, at most 2 s. */
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

/**
 * 1 leave the chat session, 2 `modifyCancelUserInfo {}`, 3 clear local storage and the store, 4 reset the access
 * permission, 5 destroy the chat client, 6 go to /login. Steps 1 and 2 cannot hold up the rest for more than 2 s.
 */
export async function logout(goToLogin: () => void): Promise<void> {
  // The server tells the session's pages that it has ended; this one knows.
  closeChannel();
  const leaving = Promise.allSettled([...steps.map(async (step) => step.leave?.()), webPorts().session.cancelUser()]);
  await Promise.race([leaving, new Promise((resolve) => setTimeout(resolve, WAIT_MS))]);
  localStorage.clear();
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
