import { readFileSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { captcha, loginIn, modifyPassword } from '../contract/calls/login.ts';
import { hashAnswer } from './login/captcha.ts';
import { own } from './database.ts';
import { createFirstAdministrator, resetAdministrator } from './firstRun.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ config: { mode: 'production', captchaAnswer: null } });
});
afterAll(() => app.close());

describe('the first run in production', () => {
  const file = () => path.join(app.kernel.config.dataDir, 'first-login.txt');
  const enter = async (password: string) => {
    const { captchaId } = await app.ok(captcha, {});
    await own(app.db)
      .updateTable('identityCaptcha')
      .set({ answerHash: hashAnswer(captchaId, 'KNWN') })
      .where('captchaId', '=', captchaId)
      .execute();
    return (await app.send(loginIn, { userName: 'admin', password, captchaId, captcha: 'knwn' })).envelope;
  };

  it('makes one administrator however many processes start, and forgets the file at his first login', async () => {
    const told = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const made = await Promise.all([1, 2, 3].map(() => createFirstAdministrator(app.kernel)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await createFirstAdministrator(app.kernel)).toBe(false);
    expect(told).toHaveBeenCalledTimes(1);
    told.mockRestore();
    const users = await own(app.db).selectFrom('identityStaffUser').select(['userName', 'opNo', 'mustChangePassword']).execute();
    expect(users).toEqual([{ userName: 'admin', opNo: 'KQ0001', mustChangePassword: true }]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const password = /密码：(\S+)/.exec(readFileSync(file(), 'utf8'))![1]!;
    expect(password).toHaveLength(20);
    expect((await enter('wrong')).code).toBe('SCM01001');
    expect(existsSync(file())).toBe(true);
    const { data } = (await enter(password)) as { data: { Authorization: string; restricted: boolean } };
    expect(data.restricted).toBe(true);
    expect(existsSync(file())).toBe(false);
    const as = {
      token: data.Authorization,
      opNo: 'KQ0001',
      userId: '1',
      userName: 'admin',
      displayName: '',
      userRoleId: null,
      sessionId: '',
    };
    expect(await app.ok(modifyPassword, { oldPassword: password, newPassword: 'Own#Choice-77x' }, { as })).toMatchObject({
      accessPermission: '超级管理员（全部）',
      restricted: false,
    });

    const reset = await resetAdministrator(app.kernel);
    expect((await enter('Own#Choice-77x')).code).toBe('SCM01001');
    expect(await enter(reset.password)).toMatchObject({ code: '0000000', data: { restricted: true } });
    const rows = await own(app.db)
      .selectFrom('identityOperationLog')
      .select(['kind', 'jobName'])
      .where('call', '=', 'machine/admin:reset')
      .execute();
    expect(rows).toEqual([{ kind: 'SYSTEM', jobName: 'admin:reset' }]);
  });
});
