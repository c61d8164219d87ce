import type { Page } from 'playwright-core';

/** Answer of captcha and SMS codes of a product that is walked through. */
export const CAPTCHA_ANSWER = 'kq2026';
/** Password of every demonstration account. */
export const PASSWORD = 'Kangqiao#2026';

/** Signs in by password and waits for the shell. */
export async function signIn(page: Page, address: string, userName: string): Promise<void> {
  await page.goto(`${address}/login`);
  // Nobody can type what he does not see.
  await page.getByAltText('图形验证码').waitFor();
  await page.getByLabel('用户名').fill(userName);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByLabel('图形验证码', { exact: true }).fill(CAPTCHA_ANSWER);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: '主菜单' }).waitFor();
}
