import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeSession } from '#domains/identity/contract/calls/sessions.ts';
import type { TestStaff } from './staff.ts';
import { startTestApp, type TestApp } from './testApp.ts';

let app: TestApp;
let address: string;
beforeAll(async () => {
  app = await startTestApp();
  address = await app.listen();
});
afterAll(() => app.close());

const connect = (auth: object): Socket => io(address, { auth, transports: ['websocket'], reconnection: false, forceNew: true });
const heard = <T>(socket: Socket, topic: string) => new Promise<T>((resolve) => void socket.once(topic, resolve));
const authOf = (staff: TestStaff) => ({ token: staff.token, opNo: staff.opNo, userRoleMenu: staff.userRoleId });

it('lets nobody in without a live session, and nobody as somebody else', async () => {
  const [one, two] = [await app.staff({ permissions: [] }), await app.staff({ permissions: [] })];
  for (const [auth, code] of [
    [{}, 'SCM90002'],
    [{ token: 'dead' }, 'SCM90002'],
    [{ ...authOf(one), opNo: two.opNo }, 'SCM90009'],
  ] as const) {
    const socket = connect(auth);
    expect((await heard<Error>(socket, 'connect_error')).message).toBe(code);
    socket.close();
  }
});

it('takes sockets of its own pages and of programs without a page, and none that another site opens', async () => {
  const handshake = (headers: Record<string, string>) =>
    fetch(`${address}/socket.io/?EIO=4&transport=polling`, { headers }).then((answer) => answer.status);
  expect(await handshake({})).toBe(200);
  expect(await handshake({ origin: address })).toBe(200);
  expect(await handshake({ origin: app.kernel.config.publicOrigin! })).toBe(200);
  for (const origin of ['https://evil.test', 'null', `${address}.evil.test`, `http://127.0.0.1:${Number(new URL(address).port) + 1}`])
    expect(await handshake({ origin }), origin).toBe(403);
});

it('tells a page its build, pushes to the right person, and tells an ended session why before it closes', async () => {
  const [one, two] = [await app.staff({ permissions: [] }), await app.staff({ permissions: [] })];
  const [first, second] = [connect(authOf(one)), connect(authOf(two))];
  expect(await Promise.all([heard(first, 'build'), heard(second, 'build')])).toEqual([{ buildId: 'test' }, { buildId: 'test' }]);

  const others: unknown[] = [];
  second.on('exportProgress', (payload) => others.push(payload));
  const progress = heard(first, 'exportProgress');
  app.kernel.realtime.toUser(one.userId, 'exportProgress', { progressBp: 6200 });
  expect(await progress).toEqual({ progressBp: 6200 });

  const [why, gone] = [heard(first, 'sessionEnded'), heard(first, 'disconnect')];
  const admin = await app.staff({ permissions: ['identity.session.kick'] });
  await app.ok(removeSession, { sessionId: one.sessionId, opinion: '核实异常登录' }, { as: admin });
  expect(await why).toEqual({ code: 'SCM90002', message: '您已被管理员强制下线' });
  await gone;
  expect(others).toEqual([]);
  second.close();
});
