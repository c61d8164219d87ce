import type { Page } from 'playwright-core';
import type { z } from 'zod/mini';
import { captcha, loginIn } from '#domains/identity/contract/calls/login.ts';
import { keys } from '#kernel/web/session/storage.ts';

/** Answer of captcha and SMS codes of a product that is walked through. */
export const CAPTCHA_ANSWER = 'kq2026';
/** Password of every demonstration account. */
export const PASSWORD = 'Kangqiao#2026';

/** Signs in by password, as a person does, and waits for the shell. */
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

/** A session that the server gives for a password, without a page. */
export async function openSession(page: Page, address: string, userName: string, answer: string | null = CAPTCHA_ANSWER) {
  const ask = async <Output extends z.ZodMiniType>(
    call: { path: string; method: string; output: Output },
    data?: object,
  ): Promise<z.output<Output>> => {
    const response = await page.request.fetch(`${address}/${call.path}`, { method: call.method, ...(data && { data }) });
    const { code, message, data: answered } = (await response.json()) as { code: string; message: string; data: unknown };
    if (code !== '0000000') throw new Error(`${call.path} as ${userName}: ${message}`);
    return call.output.parse(answered);
  };
  const { captchaId } = await ask(captcha);
  return ask(loginIn, { method: 'PASSWORD', userName, password: PASSWORD, captchaId, captcha: answer ?? '' });
}

/**
 * Leaves in the browser what the login page leaves there, asked of the server without drawing the page: the
 * journeys of identity and shell walk through the login itself, the others begin behind it. Ends at an empty page of the product's origin.
 */
export async function takeSession(page: Page, address: string, userName: string, answer: string | null = CAPTCHA_ANSWER): Promise<void> {
  const info = await openSession(page, address, userName, answer);
  const empty = `${address}/empty`;
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }));
  await page.goto(empty);
  await page.unroute(empty);
  const stored: Record<string, string> = {
    [keys.authorization]: info.Authorization,
    [keys.userName]: info.userName,
    [keys.accessPermission]: info.accessPermission,
    [keys.userRoleMenu]: JSON.stringify(info.userRoleMenu),
    ...(info.roleMenuId && { [keys.roleMenuId]: info.roleMenuId }),
  };
  await page.evaluate((entries) => {
    // Whoever was here before in this tab has gone.
    sessionStorage.clear();
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, stored);
}
