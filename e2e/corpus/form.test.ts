import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePublished, sendForm } from '#domains/corpus/server/testing/questionnaireFixtures.ts';
import { BROWSER_FOLDER } from '../../src/server.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { launchBrowser, person } from '../browser.ts';

let app: TestApp;
let browser: Browser;
let address: string;
beforeAll(async () => {
  app = await startTestApp({ browser: { folder: BROWSER_FOLDER, buildId: 'form' } });
  address = await app.listen();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

it('a patient fills a questionnaire once: hidden questions come with their answer, refusals stand at their question', async () => {
  const { token } = await sendForm(app, (await makePublished(app)).id);
  const context = await browser.newContext({ ...person, viewport: { width: 420, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${address}/wx/form?token=1.forged`);
  await page.getByText('链接无效，请联系您的健康助理').waitFor();
  await page.goto(`${address}/wx/form?token=${token}`);
  await page.getByRole('group', { name: /有皮疹吗？/ }).waitFor();
  expect(await page.getByLabel(/请描述/).count()).toBe(0);
  await page.getByRole('button', { name: '提交' }).click();
  await page
    .getByRole('group', { name: /有皮疹吗？/ })
    .getByText('请填写此题')
    .waitFor();
  await page.getByLabel('严重').check();
  await page.getByLabel(/请描述/).fill('手臂红疹');
  await page.getByLabel(/体温/).fill('50');
  await page.getByRole('button', { name: '提交' }).click();
  await page.getByText('不能大于43').waitFor();
  await page.getByLabel(/体温/).fill('37.5');
  await page.getByRole('button', { name: '提交' }).click();
  await page.getByText('感谢您的填写').waitFor();
  await page.reload();
  await page.getByText('问卷已提交').waitFor();
});
