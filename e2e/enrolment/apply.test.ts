import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { journey, withBrowser } from '../journey.ts';
import { dialog, row, toast } from '../steps.ts';

withBrowser();

const PAPER = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);

/** Takes an application of the pool of which no hard check failed. @returns its number */
async function take(page: Page): Promise<string> {
  await page.getByRole('tab', { name: /任务池/ }).click();
  const wanted = page
    .getByRole('row')
    .filter({ hasText: '标准特药' })
    .filter({ hasText: '✗0' })
    .filter({ has: page.getByRole('button', { name: '领取', exact: true }) })
    .first();
  await wanted.waitFor();
  const applyNo = /RZ\d{14}/.exec(await wanted.innerText())![0];
  await wanted.getByRole('button', { name: '领取', exact: true }).click();
  await page.getByText(/由我处理，至/).waitFor();
  return applyNo;
}

journey('an application is looked at, checked and passed; another is sent back and comes again with its paper', async ({ page, enter }) => {
  await enter('enrol_a', '/signContract');
  const passed = await take(page);
  const papers = page.getByRole('tablist', { name: '材料' }).getByRole('tab');
  await papers.nth(1).click();
  await page.locator('.kq-evidence canvas, .kq-evidence img').first().waitFor();
  await page.keyboard.press('a');
  await papers.nth(1).getByTitle('合格').waitFor();
  const left = page.getByText(/还有\d+项未给出结论/);
  while (await left.count()) {
    const before = await left.innerText();
    await page.keyboard.press('p');
    await expect.poll(() => page.getByText(before).count()).toBe(0);
  }
  await page.getByText('全部已给出结论').waitFor();
  await page.keyboard.press('y');
  await page.getByLabel('审核意见').fill('材料齐全，同意');
  await page.keyboard.press('Control+Enter');
  await toast(page, /审核通过|待复核/);
  await page.getByRole('row').filter({ hasText: '初审' }).getByText('通过', { exact: true }).waitFor();

  await enter('enrol_a', '/signContract');
  const asked = await take(page);
  expect(asked).not.toBe(passed);
  await page.keyboard.press('m');
  await page.keyboard.press('Control+Enter');
  await toast(page, '请选择需要补充的材料');
  await page.getByRole('checkbox', { name: '诊断证明' }).check();
  await page.getByLabel('诊断证明对客说明').fill('请上传加盖医院公章的诊断证明');
  await page.keyboard.press('Control+Enter');
  await toast(page, '待补件');
  await page.getByText('已通知补件：').waitFor();
  const address = new URL(page.url());

  await enter('svc_a', address.pathname + address.search);
  await page.getByRole('button', { name: '补件提交' }).click();
  const supply = dialog(page, '补件提交');
  await supply.locator('input[type=file]').setInputFiles({ name: '诊断证明.pdf', mimeType: 'application/pdf', buffer: PAPER });
  await supply.getByRole('button', { name: '移除' }).waitFor();
  await supply.getByRole('button', { name: '确定' }).click();
  await supply.waitFor({ state: 'hidden' });

  await enter('enrol_a', '/signContract?tab=POOL');
  await row(page, asked).waitFor();
});

journey(
  'the risk grade of an HMO application is another than the proposed one only with a reason, and is kept',
  async ({ page, enter }) => {
    await enter('enrol_a', '/signContract?tab=POOL');
    const wanted = page.getByRole('row').filter({ hasText: 'HMO' }).first();
    await wanted.getByRole('button', { name: '领取', exact: true }).click();
    await page.getByText(/由我处理，至/).waitFor();
    const grade = page.getByRole('region', { name: '风险分级' });
    const proposed = /建议：(\S+)/.exec(await grade.innerText())![1]!;
    const other = proposed === '低危' ? '中危' : '低危';
    await grade.getByText(other, { exact: true }).click();
    await grade.getByText('分级与建议不一致时须填写说明').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /初审通过/ }).click();
    await page.getByLabel('审核意见').press('Control+Enter');
    await toast(page, '分级与建议不一致时须填写说明');
    await grade.getByLabel('分级说明').fill('近三月血压平稳');
    await page.getByText('已自动保存').waitFor();
    await page.reload();
    await grade.getByRole('radio', { name: other, checked: true }).waitFor({ state: 'attached' });
    expect(await grade.getByLabel('分级说明').inputValue()).toBe('近三月血压平稳');
    await page.getByRole('button', { name: /退回任务池/ }).click();
    await grade.waitFor({ state: 'detached' });
  },
);
