import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { journey, withBrowser } from '../journey.ts';
import { choose, dialog } from '../steps.ts';

withBrowser();

/** Takes a material of the pool. @returns its number */
async function take(page: Page, kind: string): Promise<string> {
  const wanted = page
    .getByRole('row')
    .filter({ hasText: kind })
    .filter({ has: page.getByRole('button', { name: '领取', exact: true }) })
    .first();
  await wanted.waitFor();
  const materialNo = /QT\d{14}/.exec(await wanted.innerText())![0];
  await wanted.getByRole('button', { name: '领取', exact: true }).click();
  await page.getByText(/由我处理，至/).waitFor();
  await page.locator('.kq-evidence canvas, .kq-evidence img').first().waitFor();
  return materialNo;
}

journey(
  'another material is taken, looked at and judged before it passes; one of somebody else is refused in words',
  async ({ page, enter }) => {
    await enter('enrol_a', '/otherMaterialVerifyList');
    const passed = await take(page, '复查');
    await page.keyboard.press('?');
    await dialog(page, '键盘快捷键').getByText('+', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page, '键盘快捷键').waitFor({ state: 'hidden' });
    const decide = async () => {
      await page.getByRole('button', { name: '通过', exact: true }).click();
      const asked = dialog(page, `通过 ${passed}`);
      await asked.getByText(/^通过后：/).waitFor();
      await asked.getByRole('button', { name: '通过', exact: true }).click();
      return asked;
    };
    const early = await decide();
    await early.getByText('还有1份材料未给出结论').waitFor();
    await early.getByRole('button', { name: '取消' }).click();
    await early.waitFor({ state: 'hidden' });
    await page.keyboard.press('q');
    await page.getByRole('tablist', { name: '材料' }).getByRole('tab').first().getByTitle('合格').waitFor();
    await (await decide()).waitFor({ state: 'hidden' });
    await page.getByText(/^审核通过：/).waitFor();

    await enter('enrol_a', '/otherMaterialVerifyList');
    const refused = await take(page, '收款账户');
    expect(refused).not.toBe(passed);
    await page.getByRole('button', { name: '不通过', exact: true }).click();
    const refusal = dialog(page, `不通过 ${refused}`);
    await refusal.getByRole('button', { name: '不通过', exact: true }).click();
    await refusal.getByText('请选择不通过原因').waitFor();
    await choose(refusal, '不通过原因', '身份不一致');
    // Several may be chosen: the choices stay until they are closed.
    await refusal.getByLabel('不通过原因').press('Escape');
    await expect.poll(() => refusal.getByLabel('对客说明').inputValue()).toContain('请提交本人的材料');
    await refusal.getByRole('button', { name: '不通过', exact: true }).click();
    await refusal.waitFor({ state: 'hidden' });
    await page.getByText('审核不通过：身份不一致').waitFor();
  },
);
