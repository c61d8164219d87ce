import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captcha, loginIn, modifyCancelUserInfo, queryLoginInfo } from '../../contract/calls/login.ts';
import { startTestApp, type TestApp } from '../../../../testing/testApp.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ config: { captchaAnswer: '8888' } });
});
afterAll(() => app.close());

const PASSWORD = 'Right#Wrong2026';

/** Tries a login with a fresh captcha. */
export async function tryLogin(userName: string, password: string, ip = '10.1.0.1') {
  const { captchaId } = await app.ok(captcha, {}, { ip: `10.9.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}` });
  const { envelope } = await app.send(loginIn, { userName, password, captchaId, captcha: '8888' }, { ip });
  return envelope;
}

describe('login by password', () => {
  it('refuses a wrong captcha without counting it, and the same captcha twice', async () => {
    const staff = await app.staff({ role: 'SYS_ADMIN', password: PASSWORD });
    const { captchaId } = await app.ok(captcha, {});
    const wrong = await app.refused(loginIn, { userName: staff.userName, password: PASSWORD, captchaId, captcha: 'zzzz' });
    expect(wrong.code).toBe('SCM01002');
    const again = await app.refused(loginIn, { userName: staff.userName, password: PASSWORD, captchaId, captcha: '8888' });
    expect(again.code).toBe('SCM01002');
    const done = await tryLogin(staff.userName.toUpperCase(), PASSWORD);
    expect(done).toMatchObject({ code: '0000000', data: { opNo: staff.opNo, accessPermission: '系统管理员（全部）', restricted: false } });
  });

  it('answers the menu, rights and roles, and lets go at logout', async () => {
    const staff = await app.staff({ role: 'SYS_ADMIN', password: PASSWORD });
    const { data } = (await tryLogin(staff.userName, PASSWORD)) as { data: { Authorization: string; userRoleMenu: { titleName: string; children: unknown[] }[]; permissions: string[] } };
    expect(data.userRoleMenu.find(({ titleName }) => titleName === '系统管理')?.children.length).toBeGreaterThan(2);
    expect(data.permissions).toContain('identity.user.edit');
    expect(data.permissions).not.toContain('identity.log.verify');
    const as = { ...staff, token: `bear ${data.Authorization}`, userRoleId: null };
    await app.ok(queryLoginInfo, {}, { as });
    await app.ok(modifyCancelUserInfo, {}, { as });
    expect((await app.refused(queryLoginInfo, {}, { as })).code).toBe('SCM90002');
    await app.ok(modifyCancelUserInfo, {}, { as });
  });
});
