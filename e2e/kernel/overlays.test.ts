import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { dialog } from '../steps.ts';

// What opens over a page: the keyboard begins in its first field, Back closes it and stays on the page, Forward opens it again, and who
// closes it is where he was.
withBrowser();

journey('a drawer takes what is typed, Back asks for what would be lost and closes it, Forward opens it again', async ({ page, enter }) => {
  await enter('admin', '/cardManagement');
  const opener = page.locator('.kq-toolbar-main button').first();
  const drawer = dialog(page, '新增卡种');
  const field = drawer.locator('#typeCode');
  /** What was closed has left its entry of the history. */
  const left = () => expect.poll(() => page.evaluate(() => 'kqLayer' in (history.state ?? {}))).toBe(false);
  const focused = (selector: string) => page.evaluate((one) => document.activeElement?.matches(one) ?? false, selector);
  // On a slow machine what is inside takes the keyboard long before the library has entered the drawer into its stack.
  const processor = await page.context().newCDPSession(page);
  const slowDown = (rate: number) => processor.send('Emulation.setCPUThrottlingRate', { rate });
  for (const rate of [12, 1]) {
    await slowDown(rate);
    await opener.click();
    await expect.poll(() => focused('#typeCode')).toBe(true);
    await page.goBack();
    await drawer.waitFor({ state: 'hidden' });
    await expect.poll(() => focused('.kq-toolbar-main button')).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/cardManagement');
    await left();
  }

  await page.goForward();
  await expect.poll(() => focused('#typeCode')).toBe(true);
  await page.keyboard.type('HMO-X');
  expect(await field.inputValue()).toBe('HMO-X');
  await page.goBack();
  const question = dialog(page, '有未保存的修改');
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });
  await expect.poll(() => focused('#typeCode')).toBe(true);
  await page.goBack();
  await question.getByRole('button', { name: '放弃修改' }).click();
  await drawer.waitFor({ state: 'hidden' });
  await expect.poll(() => focused('.kq-toolbar-main button')).toBe(true);
  expect(new URL(page.url()).pathname).toBe('/cardManagement');

  // What was open before a reload leaves no entry behind: one step back leaves the page.
  await opener.click();
  await expect.poll(() => focused('#typeCode')).toBe(true);
  await page.reload();
  await opener.waitFor();
  await left();
  await opener.click();
  await expect.poll(() => focused('#typeCode')).toBe(true);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await left();
  expect(new URL(page.url()).pathname).toBe('/cardManagement');
});
