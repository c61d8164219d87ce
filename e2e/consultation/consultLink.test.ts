import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeInquiry } from '#domains/consultation/server/testing/inquiryWorld.ts';
import { issue, patientUser } from '#domains/consultation/server/testing/participantWorld.ts';
import { BROWSER_FOLDER } from '../../src/server.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { launchBrowser, person } from '../browser.ts';

let app: TestApp;
let browser: Browser;
let address: string;
beforeAll(async () => {
  app = await startTestApp({ browser: { folder: BROWSER_FOLDER, buildId: 'link' } });
  address = await app.listen();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

it('takes the ticket out of the address once it is used; the tab goes on without it, another one does not', async () => {
  const served = await makeInquiry(app);
  const { token } = await issue(app, served, patientUser(served), { demo: true });
  const context = await browser.newContext({ ...person, viewport: { width: 420, height: 800 } });
  const page = await context.newPage();
  const conversation = page.getByRole('log', { name: '消息' });
  await page.goto(`${address}/wx/consult?ticket=${token}`);
  await conversation.waitFor();
  expect(page.url()).toBe(`${address}/wx/consult`);
  await page.reload();
  await conversation.waitFor();
  expect(page.url()).toBe(`${address}/wx/consult`);

  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByText('请从短信或医助发送的链接进入').waitFor();
});
