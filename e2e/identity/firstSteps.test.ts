import { sql } from 'kysely';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashPassword } from '#domains/identity/server/login/passwords.ts';
import { BROWSER_FOLDER } from '../../src/server.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { launchBrowser, PATIENCE, person } from '../browser.ts';
import { PASSWORD, takeSession } from '../signIn.ts';

let app: TestApp;
let browser: Browser;
let address: string;
beforeAll(async () => {
  // Without the demonstration, as a company finds it on the first morning.
  app = await startTestApp({ browser: { folder: BROWSER_FOLDER, buildId: 'first' } });
  address = await app.listen();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

it('the administrator of a new system finds what to do first, until he closes the list', async () => {
  const admin = await app.staff({ role: 'SUPER_ADMIN' });
  await sql`update identity_staff_user set password_hash = ${await hashPassword(PASSWORD)} where id = ${admin.userId}`.execute(app.db);
  const context = await browser.newContext(person);
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  await takeSession(page, address, admin.userName, app.kernel.config.captchaAnswer);
  await page.goto(`${address}/roleManagement`);
  const list = page.getByRole('navigation', { name: '开始使用' });
  const guide = page.getByRole('button', { name: '开始使用' });
  await guide.click();
  await list.getByRole('button', { name: '新建角色' }).waitFor();
  expect(await list.getByLabel('已完成').count()).toBe(0);
  await app.staff({ role: 'SERVICE' });
  await list.getByRole('button', { name: '新增医院' }).click();
  await page.waitForURL(/\/hospitalManagementMaintenance/);
  await guide.getByText('1/5').waitFor();
  await guide.click();
  await list.getByLabel('已完成').waitFor();
  expect((await list.getByRole('listitem').allInnerTexts()).map((text) => text.trim())).toEqual([
    '新建角色',
    '新增员工用户',
    '新增医院',
    '新增病种',
    '录入医生',
  ]);
  const kept = page.waitForResponse((response) => response.url().endsWith('/modifyUserPreference'));
  await list.getByRole('button', { name: '不再显示' }).click();
  await list.waitFor({ state: 'hidden' });
  await kept;
  await page.reload();
  await page.getByRole('navigation', { name: '主菜单' }).waitFor();
  expect(await guide.count()).toBe(0);
});
