import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { knowIcd, makeVisit, recordRow, word, type Visit } from '#domains/consultation/server/testing/visitWorld.ts';
import { BROWSER_FOLDER } from '../../src/server.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { launchBrowser, PATIENCE, person } from '../browser.ts';
import { PASSWORD, takeSession } from '../signIn.ts';
import { act } from '../steps.ts';

let app: TestApp;
let browser: Browser;
let address: string;
let visit: Visit;
beforeAll(async () => {
  // The build that the journeys' product made when it started.
  app = await startTestApp({ browser: { folder: BROWSER_FOLDER, buildId: 'visits' } });
  await knowIcd(app);
  visit = await makeVisit(app);
  await app.staff({ role: 'SUPER_ADMIN', userName: 'record_writer', displayName: '周主管', password: PASSWORD });
  address = await app.listen();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const toast = (page: Page, text: string) => page.locator('.kq-toast', { hasText: text }).first().waitFor();
const tabNamed = (page: Page, label: string, count: number) => page.getByRole('tab', { name: `${label}（${count}）`, exact: true });
const footer = (page: Page, name: string) => page.locator('.ant-drawer-footer').getByRole('button', { name, exact: true });

it('a summary is written with words of the chat, confirmed by the doctor, archived, printed and corrected', async () => {
  const faults: string[] = [];
  const context = await browser.newContext({ ...person, acceptDownloads: true });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
  await takeSession(page, address, 'record_writer', app.kernel.config.captchaAnswer);
  await page.goto(`${address}/visitRecords`);
  await tabNamed(page, '待完善小结', 1).click();
  await act(page, '待完善', '完善小结');

  // Nothing is handed to the doctor while something stands in the form alone.
  const advice = page.getByLabel('处理意见');
  await advice.fill('完善胸部CT');
  await footer(page, '提交医生确认').click();
  await toast(page, '有未保存的修改，请先保存小结');
  await page.getByRole('button', { name: '从聊天引用' }).nth(1).click();
  const picker = page.getByRole('dialog', { name: '从聊天引用到“现病史”' });
  await picker.getByRole('checkbox').first().check();
  await picker.getByRole('button', { name: '引用（1）' }).click();
  await expect.poll(() => page.getByLabel('现病史').inputValue()).toMatch(/咳嗽两周，夜间加重，对青霉素过敏（#\d+）/);
  await page.getByLabel('初步诊断').fill('C34');
  await page.locator('.ant-select-item-option', { hasText: '支气管或肺恶性肿瘤' }).first().click();
  await page.getByRole('button', { name: '保存小结' }).click();
  await toast(page, '就诊小结已保存');
  expect(await recordRow(app, visit.recordId)).toMatchObject({ advice: '完善胸部CT', presentIllness: expect.stringContaining('青霉素') });
  await footer(page, '提交医生确认').click();
  await page.getByRole('dialog', { name: '提交医生确认' }).getByRole('button', { name: '确定', exact: true }).click();
  await toast(page, '操作成功');

  await word(app, visit.recordId);
  await page.reload();
  await footer(page, '归档').click();
  await page.getByRole('dialog', { name: '归档' }).getByRole('button', { name: '确定', exact: true }).click();
  await footer(page, '更正').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), footer(page, '打印小结').click()]);
  expect(download.suggestedFilename()).toMatch(/^就诊小结JZ\d+\.pdf$/);
  await footer(page, '更正').click();
  await page.getByRole('dialog', { name: '更正就诊小结' }).getByRole('textbox').fill('诊断编码有误');
  await page.getByRole('dialog', { name: '更正就诊小结' }).getByRole('button', { name: '确定', exact: true }).click();
  await page.getByRole('tab', { name: '就诊小结（2版）' }).waitFor();
  await page.getByLabel('处理意见').fill('三个月后复查');
  await page.getByRole('button', { name: '保存小结' }).click();
  await toast(page, '就诊小结已保存');
  await page.getByRole('button', { name: /^第1版/ }).click();
  await page.locator('ins', { hasText: '三个月后复查' }).waitFor();
  await context.close();
  expect(faults).toEqual([]);
});
