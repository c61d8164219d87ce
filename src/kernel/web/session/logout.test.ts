import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { providePorts } from './gateway.ts';
import { logout, registerLogoutStep } from './logout.ts';
import { useSession } from './store.ts';

let done: string[];
let leaving: () => Promise<void>;
let cancelling: (signal: AbortSignal) => Promise<void>;
registerLogoutStep({
  leave: () => {
    done.push('leave');
    return leaving();
  },
  destroy: () => void done.push(`destroy, permission ${useSession.getState().accessPermission || 'none'}`),
});

beforeEach(() => {
  vi.useFakeTimers();
  done = [];
  leaving = async () => {};
  cancelling = async () => {};
  vi.stubGlobal('localStorage', { clear: () => void done.push('clear'), getItem: () => null });
  vi.stubGlobal('sessionStorage', { removeItem: () => {} });
  const never = () => Promise.reject(new Error('not asked for'));
  providePorts({
    session: {
      queryLoginInfo: never,
      switchRole: never,
      queryDivisions: never,
      cancelUser: (signal) => {
        done.push('cancel');
        return cancelling(signal);
      },
    },
    preferences: { read: never, write: never },
  });
  useSession.setState({ accessPermission: '超级管理员' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const order = ['leave', 'cancel', 'clear', 'destroy, permission none', 'login'];
const forever = () => new Promise<void>(() => {});

test.each([
  ['quickly', async () => {}, async () => {}],
  ['though both fail', () => Promise.reject(new Error('gone')), () => Promise.reject(new Error('gone'))],
])('the chat is left, then the call made, then all is cleared and destroyed, then comes the login page: %s', async (_, leave, cancel) => {
  leaving = leave;
  cancelling = cancel;
  await logout(() => void done.push('login'));
  expect(done).toEqual(order);
});

test('neither step holds up the rest for more than two seconds, and the call that nobody waits for is given up', async () => {
  let given: AbortSignal | undefined;
  leaving = forever;
  cancelling = (signal) => {
    given = signal;
    return forever();
  };
  const out = logout(() => void done.push('login'));
  await vi.advanceTimersByTimeAsync(1999);
  expect(done).toEqual(['leave']);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(['leave', 'cancel']);
  await vi.advanceTimersByTimeAsync(2000);
  await out;
  expect(done).toEqual(order);
  expect(given?.aborted).toBe(true);
});
