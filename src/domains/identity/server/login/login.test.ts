import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours, minutes } from '#kernel/contract/time.ts';
import type { Envelope } from '#kernel/contract/envelope.ts';
import {
  captcha,
  loginIn,
  modifyCancelUserInfo,
  modifyPassword,
  queryLoginInfo,
  sendSmsCode,
  verifyStepUp,
} from '../../contract/calls/login.ts';
import { queryLoginLogList } from '../../contract/calls/logs.ts';
import { querySessionList } from '../../contract/calls/sessions.ts';
import { addUserInfo, modifyUserInfo, queryUserInfoList, resetUserPassword } from '../../contract/calls/users.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { own } from '../database.ts';

const PASSWORD = 'Right#Wrong2026';
const ANSWER = '8888';

let app: TestApp;
let admin: TestStaff;
let addresses = 0;
/** An address of its own for each try, so that the limits of addresses stay out of the way. */
const anywhere = () => `10.${1 + (++addresses >> 8)}.${addresses & 255}.7`;

beforeAll(async () => {
  app = await startTestApp({ config: { captchaAnswer: ANSWER } });
  admin = await app.staff({ role: 'SUPER_ADMIN' });
});
afterAll(() => app.close());

async function picture(): Promise<{ captchaId: string; captcha: string }> {
  const { captchaId } = await app.ok(captcha, {}, { ip: anywhere() });
  return { captchaId, captcha: ANSWER };
}

async function enter(userName: string, password: string, ip = anywhere()): Promise<Envelope> {
  return (await app.send(loginIn, { userName, password, ...(await picture()) }, { ip })).envelope;
}

/** A login that must succeed, to pass as `as`. */
async function session(staff: TestStaff, password = PASSWORD): Promise<TestStaff> {
  const { data, code } = (await enter(staff.userName, password)) as Envelope<{ Authorization: string }>;
  expect(code).toBe('0000000');
  return { ...staff, token: data!.Authorization };
}

const userOf = async (staff: { opNo: string }) => (await app.ok(queryUserInfoList, { opNo: staff.opNo }, { as: await live() })).rows[0]!;
/** An administrator whose session is of now. */
const live = () => app.staff({ role: 'SUPER_ADMIN' });

describe('login by password', () => {
  it('refuses a wrong captcha without counting it, and the same captcha twice', async () => {
    const staff = await app.staff({ role: 'SYS_ADMIN', password: PASSWORD });
    const { captchaId } = await picture();
    for (let index = 0; index < 6; index++) {
      const { captchaId: other } = await picture();
      expect(await app.refused(loginIn, { userName: staff.userName, password: PASSWORD, captchaId: other, captcha: 'zzzz' })).toMatchObject(
        { code: 'SCM01002' },
      );
    }
    expect(await app.refused(loginIn, { userName: staff.userName, password: PASSWORD, captchaId, captcha: 'zzzz' })).toMatchObject({
      code: 'SCM01002',
    });
    expect(await app.refused(loginIn, { userName: staff.userName, password: PASSWORD, captchaId, captcha: ANSWER })).toMatchObject({
      code: 'SCM01002',
    });
    expect(await app.refused(loginIn, { userName: '', password: '' })).toMatchObject({
      code: 'SCM90020',
      fields: expect.arrayContaining([{ path: 'userName', message: '请输入用户名' }]),
    });
    expect(await enter(staff.userName.toUpperCase(), PASSWORD)).toMatchObject({
      code: '0000000',
      data: { opNo: staff.opNo, accessPermission: '系统管理员（全部）' },
    });
  });

  it('locks after five failures within 15 minutes, known name or not, for the right password too', async () => {
    const staff = await app.staff({ role: 'SERVICE', password: PASSWORD });
    for (const name of [staff.userName, 'nobody_at_all']) {
      for (let index = 1; index < 5; index++) expect((await enter(name, 'wrong')).code).toBe('SCM01001');
      expect(await enter(name, 'wrong')).toMatchObject({ code: 'SCM01003', message: '账号已锁定，请30分钟后再试，或联系管理员解锁' });
      expect((await enter(name, PASSWORD)).code).toBe('SCM01003');
    }
    await app.advance(minutes(30) + 1000);
    expect((await enter(staff.userName, PASSWORD)).code).toBe('0000000');
    expect((await enter('nobody_at_all', PASSWORD)).code).toBe('SCM01001');
  });

  it('counts a window of 15 minutes', async () => {
    const staff = await app.staff({ role: 'SERVICE', password: PASSWORD });
    for (const pause of [4, 5, 3, 4]) {
      expect((await enter(staff.userName, 'wrong')).code).toBe('SCM01001');
      await app.advance(minutes(pause));
    }
    expect((await enter(staff.userName, 'wrong')).code).toBe('SCM01001');
  });

  it('lets at most five of fifty parallel tries at the password', async () => {
    const staff = await app.staff({ role: 'SERVICE', password: PASSWORD });
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(staff.userName, 'wrong')));
    const codes = Map.groupBy(answers, ({ code }) => code);
    expect(codes.get('SCM01001')).toHaveLength(4);
    expect(codes.get('SCM01003')).toHaveLength(46);
  });

  it('lets a device enter that signed in before, while strangers have locked the account; its own wrong tries lock it alone', async () => {
    const [staff, other] = [
      await app.staff({ role: 'SERVICE', password: PASSWORD }),
      await app.staff({ role: 'SERVICE', password: PASSWORD }),
    ];
    const from = async (cookie: string, password = PASSWORD, userName = staff.userName) =>
      app.send(loginIn, { userName, password, ...(await picture()) }, { ip: anywhere(), headers: { cookie } });
    const cookieOf = (headers: Record<string, string | undefined>) => headers['set-cookie']!.split(';')[0]!;
    const first = await from('');
    const cookie = cookieOf(first.headers);
    expect(first.headers['set-cookie']).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/);
    const foreign = cookieOf((await from('', PASSWORD, other.userName)).headers);
    const forged = cookie.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const renamed = `${cookie.split('=')[0]}=${foreign.split('=')[1]}`;
    // Three locks: strangers keep it locked until somebody unlocks it.
    for (let lock = 0; lock < 3; lock++) {
      for (let index = 0; index < 5; index++) await enter(staff.userName, 'wrong');
      await app.advance(minutes(31));
    }
    for (const stranger of ['', foreign, forged, renamed]) expect((await from(stranger)).envelope.code).toBe('SCM01003');
    expect((await from(`a=b; ${cookie}`)).envelope.code).toBe('0000000');
    expect((await from('')).envelope.code).toBe('SCM01003');
    const { rows } = await app.ok(queryLoginLogList, { userName: staff.userName, result: ['OK'] }, { as: await live() });
    expect(rows[0]!.abnormal).toContain('PAST_LOCK');

    for (let index = 1; index < 5; index++) expect((await from(cookie, 'wrong')).envelope.code).toBe('SCM01001');
    expect((await from(cookie, 'wrong')).envelope.code).toBe('SCM01003');
    expect((await from(cookie)).envelope.code).toBe('SCM01003');
    await app.advance(minutes(30) + 1000);
    expect((await from(cookie)).envelope.code).toBe('0000000');
    // Nothing that falls due meanwhile has to do with it.
    app.clock.advance(hours(24 * 181));
    expect((await from(cookie)).envelope.code).toBe('SCM01003');
  });

  it('keeps an account locked after the third lock of a day, until somebody unlocks it with an opinion', async () => {
    const staff = await app.staff({ role: 'SERVICE', password: PASSWORD });
    for (let lock = 0; lock < 3; lock++) {
      for (let index = 0; index < 5; index++) await enter(staff.userName, 'wrong');
      await app.advance(minutes(31));
    }
    expect((await enter(staff.userName, PASSWORD)).code).toBe('SCM01003');
    const user = await userOf(staff);
    expect(user.state).toBe('LOCKED');
    const as = await live();
    expect(await app.refused(modifyUserInfo, { id: user.id, version: user.version, action: 'unlock' }, { as })).toMatchObject({
      fields: [{ path: 'opinion' }],
    });
    await app.ok(modifyUserInfo, { id: user.id, version: user.version, action: 'unlock', opinion: '本人确认' }, { as });
    expect((await enter(staff.userName, PASSWORD)).code).toBe('0000000');
  });

  it('makes an address wait after twenty failures', async () => {
    const ip = anywhere();
    for (let index = 0; index < 20; index++) await enter(`stranger_${index}`, 'wrong', ip);
    expect((await enter('stranger_20', 'wrong', ip)).code).toBe('SCM90011');
    await app.advance(minutes(10) + 1000);
    expect((await enter('stranger_20', 'wrong', ip)).code).toBe('SCM01001');
  });

  it('leaves a colleague at the same address in, whatever a script of one name does there: pictures, wrong answers, wrong passwords', async () => {
    const [ip, name] = [anywhere(), 'script_of_an_office'];
    const colleague = await app.staff({ role: 'SERVICE', password: PASSWORD });
    for (let index = 0; index < 40; index++) await app.ok(captcha, {}, { ip });
    const wrong = async () =>
      (await app.refused(loginIn, { userName: name, password: 'wrong', ...(await picture()), captcha: 'zzzz' }, { ip })).code;
    const answers: string[] = [];
    for (let index = 0; index < 12; index++) answers.push(await wrong());
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 'SCM01002'), 'SCM90011', 'SCM90011']);
    expect((await enter(name, 'wrong', ip)).code, 'a right answer of that name waits too').toBe('SCM90011');
    expect((await enter(colleague.userName, PASSWORD, ip)).code).toBe('0000000');
    await app.advance(minutes(1));
    for (let index = 0; index < 30; index++) await enter(name, 'wrong', ip);
    expect((await enter(name, 'wrong', ip)).code).toBe('SCM01003');
    expect((await enter(colleague.userName, PASSWORD, ip)).code).toBe('0000000');
  });

  it('lets known devices enter where strangers of many names made their address wait, and counts their failures by themselves', async () => {
    const ip = anywhere();
    const colleague = await app.staff({ role: 'SERVICE', password: PASSWORD });
    const from = async (cookie: string, password = PASSWORD) =>
      app.send(loginIn, { userName: colleague.userName, password, ...(await picture()) }, { ip, headers: { cookie } });
    const cookie = (await from('')).headers['set-cookie']!.split(';')[0]!;
    for (let index = 0; index < 20; index++) await enter(`stranger_of_office_${index}`, 'wrong', ip);
    expect((await from('')).envelope.code).toBe('SCM90011');
    expect((await from(cookie, 'wrong')).envelope.code).toBe('SCM01001');
    expect((await from(cookie)).envelope.code).toBe('0000000');
  });
});

describe('sessions', () => {
  it('answers menu and rights, ends with the logout, and forgives a dead token', async () => {
    const staff = await app.staff({ role: 'SYS_ADMIN', password: PASSWORD });
    const as = await session(staff);
    const view = await app.ok(queryLoginInfo, {}, { as: { ...as, token: `bear ${as.token}` } });
    expect(view.userRoleMenu.find(({ titleName }) => titleName === '系统管理')?.children.length).toBeGreaterThan(2);
    expect(view.permissions).toContain('identity.user.edit');
    expect(view.permissions).not.toContain('identity.log.verify');
    await app.ok(modifyCancelUserInfo, {}, { as });
    expect(await app.refused(queryLoginInfo, {}, { as })).toMatchObject({ code: 'SCM90002' });
    await app.ok(modifyCancelUserInfo, {}, { as });
  });

  it('gives way to a second login of the same user', async () => {
    const staff = await app.staff({ role: 'SERVICE', password: PASSWORD });
    const first = await session(staff);
    const second = await session(staff);
    expect(await app.refused(queryLoginInfo, {}, { as: first })).toMatchObject({
      code: 'SCM90009',
      message: '您的账号已在其他地方登录，如非本人操作请尽快修改密码',
    });
    await app.ok(queryLoginInfo, {}, { as: second });
    const parallel = await Promise.all([1, 2, 3, 4].map(() => session(staff)));
    const alive = await Promise.all(parallel.map((as) => app.send(queryLoginInfo, {}, { as })));
    expect(alive.filter(({ envelope }) => envelope.code === '0000000')).toHaveLength(1);
  });

  it('refuses another operator number, a foreign assignment, and two hours of silence', async () => {
    const staff = await app.staff({ role: 'SYS_ADMIN' });
    const other = await app.staff({ role: 'SUPER_ADMIN' });
    expect(await app.refused(queryUserInfoList, {}, { as: { ...staff, opNo: other.opNo } })).toMatchObject({ code: 'SCM90009' });
    expect(await app.refused(queryUserInfoList, {}, { as: { ...staff, userRoleId: other.userRoleId } })).toMatchObject({
      code: 'SCM90010',
      message: '当前角色已失效，请切换角色',
    });
    await app.advance(minutes(119));
    await app.ok(queryLoginInfo, {}, { as: { ...staff } });
    await app.advance(minutes(61));
    // The token was changed at the 119th minute and the old one is good for another minute only.
    expect(await app.refused(queryLoginInfo, {}, { as: staff })).toMatchObject({ code: 'SCM90002' });
  });

  it('changes the token after an hour; parallel requests go on; an old token later ends the session', async () => {
    const staff = await app.staff({ role: 'SERVICE' });
    await app.advance(minutes(60));
    const answers = await Promise.all([1, 2, 3].map(() => app.send(queryLoginInfo, {}, { as: staff })));
    expect(answers.map(({ envelope }) => envelope.code)).toEqual(['0000000', '0000000', '0000000']);
    const fresh = answers.flatMap(({ headers }) => headers['x-new-authorization'] ?? []);
    expect(fresh).toHaveLength(1);
    await app.ok(queryLoginInfo, {}, { as: { ...staff, token: fresh[0]! } });
    await app.advance(minutes(1) + 1000);
    await app.ok(queryLoginInfo, {}, { as: { ...staff, token: fresh[0]! } });
    expect(await app.refused(queryLoginInfo, {}, { as: staff })).toMatchObject({ code: 'SCM90002' });
    expect(await app.refused(queryLoginInfo, {}, { as: { ...staff, token: fresh[0]! } })).toMatchObject({ code: 'SCM90002' });
  });
});

describe('login by code', () => {
  const mailbox = async (mobile: string): Promise<string[]> => {
    const rows = await own(app.db).selectFrom('identitySmsOutbox').selectAll().orderBy('id', 'desc').execute();
    return rows
      .filter((row) => app.kernel.secrets.decrypt(row.mobileCipher) === mobile)
      .map((row) => /验证码(\d{6})/.exec(app.kernel.secrets.decrypt(row.textCipher))![1]!);
  };
  const ask = async (mobile: string) =>
    (await app.send(sendSmsCode, { mobile, purpose: 'LOGIN', ...(await picture()) }, { ip: anywhere() })).envelope;
  const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('enters once with the code, and never again with it', async () => {
    const mobile = '13900000001';
    const staff = await app.staff({ role: 'SERVICE', mobile, password: PASSWORD });
    expect(await ask(mobile)).toMatchObject({ code: '0000000', data: { resendIn: 60 } });
    expect(await ask('13900009999')).toMatchObject({ code: '0000000', data: { resendIn: 60 } });
    expect(await mailbox('13900009999')).toEqual([]);
    const [code] = await mailbox(mobile);
    const { data } = await app
      .send(loginIn, { method: 'SMS', mobile, smsCode: code })
      .then(({ envelope }) => envelope as Envelope<{ Authorization: string; opNo: string }>);
    expect(data).toMatchObject({ opNo: staff.opNo });
    expect(await app.refused(loginIn, { method: 'SMS', mobile, smsCode: code })).toMatchObject({ code: 'SCM01005' });
    // Within ten minutes the old password is not asked for.
    const as = { ...staff, token: data!.Authorization };
    await app.ok(modifyPassword, { newPassword: 'Fresh%Morning7' }, { as });
    expect(await app.refused(queryLoginInfo, {}, { as })).toMatchObject({ code: 'SCM90002' });
  });

  it('is void after five wrong tries, and at most five are sent an hour', async () => {
    const mobile = '13900000002';
    await app.staff({ role: 'SERVICE', mobile });
    await ask(mobile);
    const [code] = await mailbox(mobile);
    for (let index = 0; index < 5; index++) {
      expect(await app.refused(loginIn, { method: 'SMS', mobile, smsCode: other(code!) }, { ip: anywhere() })).toMatchObject({
        code: 'SCM01005',
      });
    }
    expect(await app.refused(loginIn, { method: 'SMS', mobile, smsCode: code })).toMatchObject({ code: 'SCM01005' });
    expect(await ask(mobile)).toMatchObject({ code: 'SCM90011' });
    for (let sent = 1; sent < 5; sent++) {
      await app.advance(61_000);
      expect((await ask(mobile)).code).toBe('0000000');
    }
    await app.advance(61_000);
    expect(await ask(mobile)).toMatchObject({ code: 'SCM90011' });
    await app.advance(hours(1));
    expect((await ask(mobile)).code).toBe('0000000');
  });

  it('confirms an identity with the own number, and changes the token', async () => {
    const mobile = '13900000003';
    const staff = await app.staff({ role: 'SYS_ADMIN', mobile });
    expect(await app.refused(sendSmsCode, { purpose: 'STEP_UP' })).toMatchObject({ code: 'SCM90002' });
    await app.ok(sendSmsCode, { purpose: 'STEP_UP' }, { as: staff });
    const [code] = await mailbox(mobile);
    expect(await app.refused(verifyStepUp, { smsCode: other(code!) }, { as: staff })).toMatchObject({ code: 'SCM01005' });
    const { envelope, headers } = await app.send(verifyStepUp, { smsCode: code }, { as: staff });
    expect(envelope.code).toBe('0000000');
    expect(headers['x-new-authorization']).toBeTruthy();
    expect(await app.ok(queryLoginInfo, {}, { as: { ...staff, token: headers['x-new-authorization']! } })).toMatchObject({
      mobile: '139****0003',
    });
  });
});

describe('passwords', () => {
  const create = async (userName: string) => {
    const role = await own(app.db).selectFrom('identityRole').select('id').where('roleCode', '=', 'SERVICE').executeTakeFirstOrThrow();
    const as = await app.staff({ role: 'SYS_ADMIN' });
    return app.ok(addUserInfo, { userName, displayName: '新人', employer: 'SELF', roles: [{ roleId: role.id }] }, { as });
  };

  it('holds a new user in a restricted session until he has set his own', async () => {
    const { opNo, tempPassword, id } = await create('new_person');
    const { data } = (await enter('new_person', tempPassword)) as Envelope<{ Authorization: string; restricted: boolean }>;
    expect(data).toMatchObject({ restricted: true, restrictedReason: 'FIRST', userRoleMenu: [], permissions: [] });
    const as: TestStaff = {
      token: data!.Authorization,
      opNo,
      userId: id,
      userName: 'new_person',
      displayName: '新人',
      userRoleId: null,
      sessionId: '',
    };
    expect(await app.refused(querySessionList, { mine: true }, { as })).toMatchObject({ code: 'SCM01008' });
    await app.ok(queryLoginInfo, {}, { as });
    const change = (newPassword: string, oldPassword = tempPassword) => app.refused(modifyPassword, { oldPassword, newPassword }, { as });
    expect(await change('Fine#Password7', 'wrong')).toMatchObject({ code: 'SCM01010' });
    for (const [password, rule] of [
      ['Short#1', '长度'],
      ['alllowercaseletters', '至少三种'],
      ['x New_Person77!', '用户名'],
      [`Ab#${opNo}zz!9`, '工号'],
      ['Abcd#efg9Kz', '连续'],
      ['Aaaa#73kdKz', '连续'],
      ['Password#13', '常见'],
    ] as const) {
      expect(await change(password)).toMatchObject({ code: 'SCM01011', message: expect.stringContaining(rule) });
    }
    const done = await app.ok(modifyPassword, { oldPassword: tempPassword, newPassword: 'Fine#Passage7' }, { as });
    expect(done).toMatchObject({ restricted: false, accessPermission: '客服（全部）' });
    expect(await app.refused(queryLoginInfo, {}, { as })).toMatchObject({ code: 'SCM90002' });
    expect((await userOf({ opNo })).state).toBe('ENABLED');

    // The last five are remembered.
    let token = done.Authorization;
    let current = 'Fine#Passage7';
    for (const next of ['Fine#Passage8', 'Fine#Passage9', 'Fine#Passage10']) {
      token = (await app.ok(modifyPassword, { oldPassword: current, newPassword: next }, { as: { ...as, token } })).Authorization;
      current = next;
    }
    expect(
      await app.refused(modifyPassword, { oldPassword: current, newPassword: 'Fine#Passage7' }, { as: { ...as, token } }),
    ).toMatchObject({ code: 'SCM01012' });
  });

  it('refuses a temporary password after a day, and resets it only for a confirmed administrator', async () => {
    const { opNo, tempPassword } = await create('late_person');
    await app.advance(hours(24) + 1000, ['identity']);
    expect(await enter('late_person', tempPassword)).toMatchObject({ code: 'SCM01007' });
    const user = await userOf({ opNo });
    const input = { id: user.id, version: user.version, opinion: '临时密码过期' };
    const cold = await app.staff({ role: 'SYS_ADMIN', mobile: '13900000011' });
    const warm = await app.staff({ role: 'SYS_ADMIN', mobile: '13900000012', confirmed: true });
    expect(await app.refused(resetUserPassword, input, { as: cold })).toMatchObject({ code: 'SCM01014' });
    const { tempPassword: fresh } = await app.ok(resetUserPassword, input, { as: warm });
    expect(await enter('late_person', fresh)).toMatchObject({ code: '0000000', data: { restricted: true } });
  });

  it('asks for a new one after ninety days', async () => {
    const staff = await app.staff({ role: 'SERVICE', password: PASSWORD });
    await own(app.db)
      .updateTable('identityStaffUser')
      .set({ passwordChangedAt: '2026-08-01T00:00:00.000Z' })
      .where('id', '=', staff.userId)
      .execute();
    expect(await enter(staff.userName, PASSWORD)).toMatchObject({ data: { restricted: true, restrictedReason: 'EXPIRED' } });
  });

  it('leaves no password, code or mobile in any log row', async () => {
    const rows = await own(app.db).selectFrom('identityOperationLog').selectAll().execute();
    const text = JSON.stringify(rows);
    expect(rows.some(({ resultCode }) => resultCode === 'SCM01010')).toBe(true);
    for (const secret of [PASSWORD, 'Fine#Passage7', '13900000001', admin.token]) expect(text).not.toContain(secret);
  });
});
