import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { journey, withBrowser } from '../journey.ts';

withBrowser();

const toast = (page: Page, text: string) => page.locator('.kq-toast', { hasText: text }).first().waitFor();
const drawer = (page: Page) => page.getByRole('dialog', { name: '处理任务' });
const listOf = (page: Page, name: string) => page.getByText(name, { exact: true }).first();
const pick = async (page: Page, text: string) =>
  page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option', { hasText: text })
    .first()
    .click();

/** Claims what is most urgent; answers its number once its drawer stands. */
async function takeNext(page: Page): Promise<string> {
  await page.keyboard.press('n');
  await toast(page, '操作成功');
  const title = drawer(page).getByRole('heading', { name: /RW\d{8}/ });
  await title.waitFor();
  await drawer(page).getByText('处理中').first().waitFor();
  return /RW\d{8}/.exec((await title.textContent()) ?? '')![0];
}

journey('the most urgent task is taken by a key, done with a result; another is put off and closed', async ({ page, enter }) => {
  await enter('corpus_ops', '/taskManagement?list=WAITING');
  await page
    .getByRole('row', { name: /RW\d{8}/ })
    .first()
    .waitFor();
  const done = await takeNext(page);
  await drawer(page).getByRole('button', { name: '完成', exact: true }).click();
  await drawer(page).getByText('请选择随访结果').last().waitFor();
  await drawer(page).getByLabel('随访结果').click();
  await pick(page, '已处理');
  await drawer(page).getByLabel('随访记录').fill('已与患者本人沟通，按时服药');
  await drawer(page).getByRole('button', { name: '完成', exact: true }).click();
  await drawer(page).waitFor({ state: 'detached' });

  await listOf(page, '我的待办').click();
  await page
    .getByRole('row', { name: /处理中/ })
    .first()
    .waitFor();
  await expect.poll(() => page.getByRole('row', { name: new RegExp(done) }).count()).toBe(0);
  const row = page.getByRole('row', { name: /处理中/ }).first();
  const no = /RW\d{8}/.exec((await row.textContent()) ?? '')![0];
  await row.getByRole('button', { name: '改期' }).click();
  const later = page.getByRole('dialog', { name: `改期 ${no}` });
  await later.getByLabel('随访记录').fill('无人接听');
  await later.getByLabel('下次随访时间').fill('2099-01-02 10:00');
  // It takes the date and hands the form in.
  await later.getByLabel('下次随访时间').press('Enter');
  await later.waitFor({ state: 'detached' });
  const put = page.getByRole('row', { name: new RegExp(no) });
  await put.getByRole('button', { name: '关闭' }).click();
  await page.getByRole('dialog').last().getByLabel('意见').fill('患者已转院');
  await page.getByRole('dialog').last().getByRole('button', { name: '确定', exact: true }).click();
  await put.waitFor({ state: 'detached' });
});

journey('tasks are given to a colleague together, each with its result; what is sent is watched beside them', async ({ page, enter }) => {
  await enter('corpus_ops', '/taskManagement?list=WAITING');
  const rows = page.getByRole('row', { name: /RW\d{8}/ });
  await rows.first().waitFor();
  const numbers = (await rows.allTextContents()).slice(1, 3).map((text) => /RW\d{8}/.exec(text)![0]);
  for (const no of numbers)
    await page
      .getByRole('row', { name: new RegExp(no) })
      .getByRole('checkbox')
      .check();
  await page.getByRole('button', { name: '分派' }).click();
  await page.getByRole('dialog', { name: '分派' }).getByLabel('负责人').click();
  await page.keyboard.type('林晓');
  await pick(page, '林晓');
  await page.getByRole('dialog', { name: '分派' }).getByRole('button', { name: '确定', exact: true }).click();
  for (const no of numbers) await page.getByRole('dialog').last().getByText(no).first().waitFor();
  await page.keyboard.press('Escape');
  await listOf(page, '我的待办').click();
  for (const no of numbers) await page.getByRole('row', { name: new RegExp(no) }).waitFor();
  await page.getByRole('tab', { name: '发送监控', exact: true }).click();
  await page
    .getByRole('row', { name: /FS\d{10}/ })
    .first()
    .waitFor();
});

journey(
  'a questionnaire is filled in for the patient on the telephone; it stands with the name of who filled it',
  async ({ page, enter }) => {
    await enter('corpus_ops', '/taskManagement?list=WAITING&taskType=CALL');
    const row = page.getByRole('row', { name: /电话随访/ }).first();
    await row.getByRole('button', { name: '领取' }).click();
    await drawer(page).getByText('问卷代填').waitFor();
    await drawer(page).getByLabel('选择问卷').click();
    await pick(page, '化疗后不适自评');
    await drawer(page)
      .getByRole('group', { name: /手足麻木/ })
      .getByText('没有', { exact: true })
      .click();
    await drawer(page).getByRole('button', { name: '提交问卷' }).click();
    await drawer(page)
      .getByRole('row', { name: /化疗后不适自评.*林晓/ })
      .waitFor();
    await expect.poll(() => drawer(page).getByRole('button', { name: '提交问卷' }).count()).toBe(0);
    await drawer(page).getByLabel('选择问卷').click();
    await page.locator('.ant-select-item-option', { hasText: '用药依从性问卷' }).waitFor();
    expect(await page.locator('.ant-select-item-option', { hasText: '化疗后不适自评' }).count()).toBe(0);
  },
);

journey('a suspected reaction is made, taken and not done before it is reported', async ({ page, enter }) => {
  await enter('corpus_ops', '/taskManagement?list=ALL&taskType=AE&state=TODO');
  const row = page.getByRole('row', { name: /不良反应上报/ }).first();
  await row.getByRole('button', { name: '领取' }).click();
  await drawer(page).getByText('不良反应上报剩余时间').waitFor();
  await drawer(page).getByRole('button', { name: '完成', exact: true }).click();
  await drawer(page).getByText('请输入不良反应表现').waitFor();
  await drawer(page).getByLabel('怀疑药品').click();
  await pick(page, '片');
  await drawer(page).getByLabel('不良反应表现').fill('3级皮疹');
  await drawer(page).getByLabel('发生日期').fill('2026-11-01');
  await drawer(page).getByLabel('发生日期').press('Enter');
  await drawer(page).getByLabel('严重程度').click();
  await pick(page, '一般');
  await drawer(page).getByLabel('转归').fill('减量后好转');
  await drawer(page).getByLabel('随访结果').click();
  await pick(page, '已处理');
  await drawer(page).getByRole('button', { name: '完成', exact: true }).click();
  await drawer(page).waitFor({ state: 'detached' });
});
