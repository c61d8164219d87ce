import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { provideToasts } from '#kernel/web/feedback/toast.ts';
import { useExpiry } from '#kernel/web/session/expiry.ts';
import { forwardIfLoggedIn } from './forward.ts';

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map([['Authorization', 'token']]);
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null, clear: () => stored.clear() });
  vi.stubGlobal('sessionStorage', { getItem: () => null, removeItem: () => {} });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const envelope = (code: string) => new Response(JSON.stringify({ code, message: '…', data: null }), { status: 200 });

test.each([
  ['SCM90002', false],
  ['SCM90009', false],
  ['SCM90003', true],
  ['SCM90040', true],
  ['SCM99999', true],
])('at the login page the answer %s leaves the session: %s, and opens no dialog', async (code, stays) => {
  vi.stubGlobal('fetch', async () => envelope(code));
  await forwardIfLoggedIn(null);
  expect(stored.has('Authorization')).toBe(stays);
  expect(useExpiry.getState().message).toBe(null);
});

test.each([
  [() => Promise.reject(new TypeError('fetch failed')), '网络连接错误'],
  [async () => new Response('', { status: 502 }), '网络异常'],
])('an answer that does not come leaves the session and is said (%#)', async (fetching, text) => {
  const toasts: unknown[] = [];
  vi.spyOn(performance, 'now').mockReturnValue(text.length * 1e6 + (text === '网络异常' ? 9e6 : 0));
  provideToasts((_, content) => toasts.push(content));
  vi.stubGlobal('fetch', fetching);
  await forwardIfLoggedIn(null);
  expect([stored.has('Authorization'), toasts]).toEqual([true, [text]]);
});
