import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { access } from '../../contract/call.ts';
import { declareService, nothing } from '../../contract/service.ts';
import { provideToasts } from '../feedback/toast.ts';
import { useExpiry } from '../session/expiry.ts';
import { clearStorage, keepList, keptList } from '../session/storage.ts';
import { applyLogin, forgetSession } from '../session/store.ts';
import { onRefusal, send, sendForAnswer } from './client.ts';
import { download } from './download.ts';
import { RefusalError, TransportError } from './refusal.ts';

const service = declareService('UserInfoService');
const base = { access: access.public, label: '查询' } as const;
const input = z.strictObject({ name: z.optional(z.string()), state: z.optional(z.array(z.string())) });
const users = service.list({ ...base, operation: 'queryUserInfoList', filter: input, output: z.strictObject({ id: z.string() }) });
const captcha = service.read({ ...base, operation: 'captcha', method: 'GET', input, output: nothing });
const scenes = service.list({
  ...base,
  operation: 'querySceneList',
  silent: true,
  filter: input,
  output: z.strictObject({ id: z.string() }),
});
const pay = declareService('UserInfoService', 'product').act({
  ...base,
  operation: 'pay',
  idempotency: 'required',
  input,
  output: nothing,
});

const login = {
  userId: '1',
  userName: '王晓明',
  loginName: 'admin',
  opNo: 'KQ0001',
  accessPermission: '超级管理员',
  userRoleMenu: [],
  roleMenuId: '7',
  roles: [],
  permissions: [],
  defaultMenu: '',
  restricted: false,
  restrictedReason: null,
  passwordExpiresInDays: null,
  sessionId: '1',
  smsVerifiedAt: null,
  mobile: null,
  lastLoginAt: null,
  lastLoginIp: null,
  watermark: false,
};

function memoryStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
}

let now = 0;
let asked: { url: string; init: RequestInit }[];
let toasts: unknown[];
let answer: () => Response | Promise<Response>;
const envelope = (body: object, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });

/** An answer whose body breaks off. */
const broken = (cause: unknown, type = 'application/json') =>
  new Response(new ReadableStream({ pull: (body) => body.error(cause) }), { status: 200, headers: { 'Content-Type': type } });

beforeEach(() => {
  asked = [];
  toasts = [];
  now += 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('sessionStorage', memoryStorage());
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return answer();
  });
  provideToasts((kind, content, seconds) => toasts.push([kind, content, seconds]));
  useExpiry.setState({ message: null });
  forgetSession();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const headersOf = (index = 0) => asked[index]?.init.headers as Record<string, string>;

describe('a request', () => {
  test('carries token, operator number and role-menu id, once they are known', async () => {
    answer = () => envelope({ code: '0000000', message: '', data: [{ id: '1' }], totalRecordCount: 10001 });
    expect(await send(users, { name: '周' })).toEqual({ rows: [{ id: '1' }], total: 10001 });
    expect(headersOf()).toEqual({ 'Content-Type': 'application/json' });
    applyLogin(login, 'token');
    await send(users, {});
    expect(headersOf(1)).toMatchObject({ Authorization: 'token', opNo: 'KQ0001', userRoleMenu: '7' });
    expect(asked[0]).toMatchObject({ url: '/admin/UserInfoService/queryUserInfoList', init: { method: 'POST', body: '{"name":"周"}' } });
  });
  test('as a GET puts its input into the address', async () => {
    answer = () => envelope({ code: '0000000', message: '', data: {} });
    await send(captcha, { name: '', state: ['A', 'B'] });
    expect(asked[0]).toMatchObject({ url: '/admin/UserInfoService/captcha?state=A&state=B', init: { method: 'GET' } });
  });
  test('as a POST puts its declared parameters into the address, the rest into the body', async () => {
    answer = () => envelope({ code: '0000000', message: '', data: {} });
    const filed = { ...pay, idempotency: undefined, query: ['state'] };
    await send(filed, { name: '周', state: ['A/1', 'B'] });
    expect(asked[0]).toMatchObject({
      url: '/product/UserInfoService/pay?state=A%2F1&state=B',
      init: { method: 'POST', body: '{"name":"周"}' },
    });
  });
  test('names the version it saw, and an idempotency key where one is demanded', async () => {
    answer = () => envelope({ code: '0000000', message: '', data: {} });
    await send(pay, {}, { version: 3 });
    expect(headersOf()['If-Match']).toBe('3');
    expect(headersOf()['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
    expect(asked[0]?.url).toBe('/product/UserInfoService/pay');
  });
  test('carries the operator number also before the first answer after a reload, until the session is cleared', async () => {
    applyLogin(login, 'token');
    forgetSession();
    answer = () => envelope({ code: '0000000', message: '', data: {} });
    await send(captcha, {});
    expect(headersOf()['opNo']).toBe('KQ0001');
    clearStorage();
    await send(captcha, {});
    expect(headersOf(1)['opNo']).toBe(undefined);
  });
  test('a picker’s list is kept in session storage and shown from there, until the session is cleared', () => {
    expect(keptList('doctors')).toBe(undefined);
    keepList('doctors', [{ value: '1', label: '周明' }]);
    sessionStorage.setItem('departments', '{');
    sessionStorage.setItem('kangqiao.wx.session', 'a patient’s');
    expect([keptList('doctors'), keptList('departments')]).toEqual([[{ value: '1', label: '周明' }], undefined]);
    clearStorage();
    expect([keptList('doctors'), sessionStorage.getItem('kangqiao.wx.session')]).toEqual([undefined, 'a patient’s']);
  });
  test('stores a renewed token', async () => {
    applyLogin(login, 'old');
    answer = () => envelope({ code: '0000000', message: '', data: {} }, 200, { 'X-New-Authorization': 'new' });
    await send(captcha, {});
    expect(localStorage.getItem('Authorization')).toBe('new');
  });
});

describe('the error law', () => {
  test('another code is thrown and toasted for 1 s, at most once a second', async () => {
    answer = () => envelope({ code: 'SCM01020', message: '用户名已存在', data: null });
    const refused = await Promise.allSettled([send(users, {}), send(users, {}), send(users, {})]);
    expect(refused.map((one) => one.status === 'rejected' && one.reason instanceof RefusalError && one.reason.code)).toEqual([
      'SCM01020',
      'SCM01020',
      'SCM01020',
    ]);
    expect(toasts).toEqual([['error', '用户名已存在', 1]]);
    now += 1001;
    await send(users, {}).catch(() => {});
    expect(toasts).toHaveLength(2);
  });
  test('a silent call and a quiet read show nothing; a form says its refusal besides the marked field', async () => {
    answer = () => envelope({ code: 'SCM11002', message: '已存在', data: null });
    await send(scenes, {}).catch(() => {});
    await send(users, {}, { quiet: true }).catch(() => {});
    await send(users, {}, { quiet: ['SCM11002'] }).catch(() => {});
    expect(toasts).toEqual([]);
    await send(users, {}, { quiet: ['SCM11003'] }).catch(() => {});
    expect(toasts).toHaveLength(1);
    now += 1001;
    await send({ ...pay, host: 'admin' }, {}, { quiet: true }).catch(() => {});
    expect(toasts).toEqual([
      ['error', '已存在', 1],
      ['error', '已存在', 1],
    ]);
  });
  test('a malformed request names its fields', async () => {
    answer = () =>
      envelope({ code: 'SCM90020', message: '请求内容有误', data: null, fields: [{ path: 'name', message: '姓名最多20个字符' }] }, 400);
    const error: unknown = await send(users, {}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'SCM90020', fields: [{ path: 'name', message: '姓名最多20个字符' }] });
    expect(toasts).toEqual([['error', '姓名最多20个字符', 1]]);
  });
  test('an ended session removes the token at once and opens one dialog for three failures', async () => {
    applyLogin(login, 'token');
    let count = 0;
    answer = () =>
      envelope({ code: count++ ? 'SCM90002' : 'SCM90009', message: count > 1 ? '登录已过期' : '您的账号已在其他地方登录', data: null });
    await Promise.allSettled([send(users, {}), send(scenes, {}), send(users, {}, { quiet: true })]);
    expect(localStorage.getItem('Authorization')).toBe(null);
    expect(useExpiry.getState().message).toBe('您的账号已在其他地方登录');
    expect(toasts).toEqual([]);
  });
  test('a call that was under way at a logout tells nobody', async () => {
    answer = () => envelope({ code: 'SCM90002', message: '登录已过期', data: null });
    await send(users, {}).catch(() => {});
    expect([useExpiry.getState().message, toasts]).toEqual([null, []]);
  });
  test('without a token nothing that needs one is sent; where a session was shown, the dialog comes', async () => {
    const mine = { ...users, access: access.session };
    await expect(send(mine, {})).rejects.toMatchObject({ code: 'SCM90002' });
    expect([asked, toasts, useExpiry.getState().message]).toEqual([[], [], null]);
    applyLogin(login, 'token');
    localStorage.clear();
    await expect(send(mine, {}, { quiet: true })).rejects.toMatchObject({ code: 'SCM90002' });
    expect([asked, toasts, useExpiry.getState().message]).toEqual([[], [], '登录已过期，请重新登录']);
  });
  test('a code that the product handles is not toasted', async () => {
    const handled: string[] = [];
    onRefusal('SCM01008', (message) => handled.push(message));
    answer = () => envelope({ code: 'SCM01008', message: '请先修改密码后再继续操作', data: null });
    await send(users, {}).catch(() => {});
    expect(handled).toEqual(['请先修改密码后再继续操作']);
    expect(toasts).toEqual([]);
  });
  test.each([
    [() => Promise.reject(new TypeError('fetch failed')), '网络连接错误'],
    [() => new Response('', { status: 502 }), '网络异常'],
    [() => new Response('<html>', { status: 200 }), '网络异常'],
    [() => broken(new TypeError('network error')), '网络连接错误'],
    [() => broken(new DOMException('', 'TimeoutError')), '请求超时'],
  ])('failures of the network have their own texts, in forms and beside places too (%#)', async (given, text) => {
    answer = given;
    for (const [call, options] of [
      [users, {}],
      [users, { quiet: true }],
      [pay, { quiet: true }],
      [pay, { quiet: ['X'] }],
    ] as const) {
      toasts = [];
      now += 1001;
      const error: unknown = await send(call as typeof users, {}, options).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(TransportError);
      expect(toasts).toEqual([['error', text, 1]]);
    }
    toasts = [];
    now += 1001;
    await send(scenes, {}).catch(() => {});
    expect(toasts, 'the list calls of diseases and scenes are swallowed').toEqual([]);
  });
  test.each([
    [new TypeError('network error'), '网络连接错误'],
    [new DOMException('', 'TimeoutError'), '请求超时'],
  ])('a download that breaks on its way says so (%#)', async (cause, text) => {
    answer = () => broken(cause, 'text/csv');
    const file = { ...users, shape: 'file' as const };
    await expect(download(file, {}, { quiet: true })).rejects.toBeInstanceOf(TransportError);
    expect(toasts).toEqual([['error', text, 1]]);
  });
  test('whoever no longer waits is told nothing, also while the body is read', async () => {
    const left = new AbortController();
    answer = () => {
      left.abort();
      return broken(left.signal.reason);
    };
    await expect(send(users, {}, { signal: left.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(toasts).toEqual([]);
  });
  test('a call that takes longer than its own time is 请求超时', async () => {
    const given = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')));
    vi.stubGlobal('fetch', (_url: string, init: RequestInit) => Promise.reject(init.signal?.reason));
    await send(users, {}).catch(() => {});
    expect(toasts).toEqual([['error', '请求超时', 1]]);
    expect(given).toHaveBeenCalledWith(20_000);
  });
});

test('an addition gets the server’s message', async () => {
  answer = () => envelope({ code: '0000000', message: '新增成功!', data: {} });
  expect(await sendForAnswer(pay, {})).toEqual({ data: {}, message: '新增成功!' });
});
