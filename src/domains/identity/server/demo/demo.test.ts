import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { captcha, loginIn } from '../../contract/calls/login.ts';
import { checkChain } from '../log/verify.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true, config: { captchaAnswer: '8888' } });
});
afterAll(() => app.close());

const count = async (table: string) => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(app.db);
  return rows[0]!.n;
};

describe('demonstration data', () => {
  it('has the numbers of the design, and a chain that holds', async () => {
    expect(await count('identity_staff_user')).toBe(66);
    expect(await count('identity_role')).toBe(30);
    expect(await count('identity_operation_log')).toBeGreaterThanOrEqual(400);
    expect(await count('identity_operation_log_anchor')).toBe(13);
    expect(await count('identity_login_log')).toBe(120);
    // Other domains tell of theirs besides.
    expect(await count('identity_notice')).toBeGreaterThanOrEqual(12);
    expect(await count('identity_api_client')).toBe(3);
    const checked = await checkChain(app.kernel, app.db, { from: '2026-11-01', to: '2026-11-21' }, async () => {});
    expect(checked).toMatchObject({ broken: null, checked: 400 });
  });

  it('lets the people of the stories in, or not', async () => {
    const enter = async (userName: string) => {
      const { captchaId } = await app.ok(captcha, {});
      const { envelope } = await app.send(loginIn, { userName, password: app.kernel.config.demoPassword, captchaId, captcha: '8888' });
      return envelope;
    };
    expect(await enter('admin')).toMatchObject({ code: '0000000', data: { opNo: 'KQ0001', restricted: false } });
    expect(await enter('zhoumin')).toMatchObject({ data: { roles: [{ roleCode: 'CLAIM_FIRST' }, { accessPermission: '客服（全部）' }] } });
    expect(await enter('channel_sh')).toMatchObject({ data: { accessPermission: '渠道运营（上海市）' } });
    expect((await enter('qianwei')).code).toBe('SCM01004');
    expect(await enter('wujing')).toMatchObject({ data: { restricted: true, restrictedReason: 'RESET', userRoleMenu: [] } });
    expect((await enter('locked_a')).code).toBe('SCM01003');
    expect((await enter('waiting')).message).toContain('28分钟');
    expect((await enter('left_a')).code).toBe('SCM01004');
    expect(await enter('norole')).toMatchObject({ data: { userRoleMenu: [], roles: [], defaultMenu: '' } });
  });
});
