import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { journey, withBrowser } from '../journey.ts';

withBrowser();

const toast = (page: Page, text: string) => page.locator('.kq-toast', { hasText: text }).first().waitFor();
const record = (page: Page) => page.getByRole('dialog').filter({ has: page.getByRole('tablist', { name: '档案内容' }) });
const tab = (page: Page, name: string) => record(page).getByRole('tab', { name });
const selected = (page: Page) => record(page).getByRole('tab', { selected: true }).innerText();
const ok = (page: Page, dialog: string) => page.getByRole('dialog', { name: dialog }).getByRole('button', { name: /^(确\s?定|OK)$/ });

async function choose(form: Locator, label: string, option: string): Promise<void> {
  const page = form.page();
  await form.getByRole('combobox', { name: label }).click();
  await page.keyboard.type(option);
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option', { hasText: option })
    .first()
    .click();
}

journey(
  'a record opens over any page by its address, by number keys and arrows, survives a reload, and Esc takes the parameter away',
  async ({ page, enter }) => {
    await enter('admin', '/userManagement?patient=10001');
    await record(page).getByRole('heading', { name: '张建国' }).waitFor();
    await record(page).getByText('近期动态').waitFor();
    await page.keyboard.press('2');
    await record(page).getByText('诊断与治疗').waitFor();
    await expect.poll(() => selected(page)).toContain('诊疗史');
    // The key steps to the rows that are there when it is pressed.
    await record(page).locator('[role=tabpanel] [data-row]:visible').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => document.activeElement?.hasAttribute('data-row') === true);
    await page.reload();
    await record(page).getByRole('heading', { name: '张建国' }).waitFor();
    expect(new URL(page.url()).searchParams.get('patient')).toBe('10001');
    await page.keyboard.press('Escape');
    await record(page).waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('');
    // the page below was never another one
    expect(await page.getByRole('navigation', { name: '主菜单' }).count()).toBe(1);
  },
);

journey('a pinned record stays while the pages change; a merged number opens the surviving record', async ({ page, open, enter }) => {
  // Named at the door, it opens over the page that comes first.
  await enter('admin', '/?patient=10001');
  await record(page).getByRole('button', { name: '固定' }).click();
  await page.evaluate(() => window.history.pushState({}, '', '/roleManagement'));
  await record(page).getByRole('heading', { name: '张建国' }).waitFor();
  await page.locator('.pa-drawer .ant-drawer-close').click();
  await record(page).waitFor({ state: 'detached' });
  await open('/roleManagement?patient=10015');
  await record(page).getByText('档案 PT00000015 已合并至本档案').waitFor();
  await record(page).getByText('PT00000003', { exact: true }).waitFor();
});

journey('a beginning of a mobile finds nobody; a name finds masked rows; the queues are worked by keys', async ({ page, enter }) => {
  await enter('admin', '/userManagement');
  await page.getByRole('button', { name: '新增' }).first().waitFor();
  await page.keyboard.press('Alt+p');
  const finder = page.getByRole('dialog', { name: '患者查找' });
  await finder.getByLabel('查找患者').fill('1990');
  await page.keyboard.press('Enter');
  await finder.getByText('请输入完整的手机号、证件号或患者编号，或姓名加生日').waitFor();
  await finder.getByLabel('查找患者').fill('李秀兰');
  await page.keyboard.press('Enter');
  const hit = finder.locator('.pa-pick', { hasText: '李秀兰' });
  await hit.waitFor();
  expect(await hit.innerText()).toMatch(/\d{3}\*{4}\d{4}/);
  expect(await hit.innerText()).not.toMatch(/1\d{10}/);
  await finder
    .getByRole('navigation', { name: '待办队列' })
    .getByRole('button', { name: /待人工核验/ })
    .click();
  await finder.getByText(/第 1 \//).waitFor();
  await page.keyboard.press('j');
  await finder.getByText(/第 2 \//).waitFor();
  const name = await finder.locator('.pa-queue-row[aria-current=true] b').innerText();
  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: '人工通过' }).getByRole('textbox').fill('电话核实，证件一致');
  await ok(page, '人工通过').click();
  await finder.locator('.pa-queue-row b', { hasText: name }).waitFor({ state: 'detached' });
});

journey(
  'a number with a wrong check digit is told while it is typed; a namesake of the same day is shown beside, and taken',
  async ({ page, enter }) => {
    await enter('admin', '/userManagement?patient=10002');
    const birthDate = await record(page).locator('.pa-facts div', { hasText: '出生日期' }).locator('dd').innerText();
    await page.keyboard.press('Alt+p');
    const finder = page.getByRole('dialog', { name: '患者查找' });
    await finder.getByLabel('查找患者').fill('李秀兰甲');
    await page.keyboard.press('Enter');
    await finder.getByRole('button', { name: '新建档案' }).click();
    const form = page.getByRole('dialog', { name: '新建档案' });
    await form.getByLabel('证件号').fill('330106199001011234');
    await form.getByText('证件号校验位不正确').waitFor();
    await form.getByLabel('证件号').fill('');
    await form.getByLabel('姓名').fill('李秀兰');
    await form.getByText('女', { exact: true }).click();
    await form.getByLabel('出生日期').fill(birthDate);
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: /确\s?定/ }).click();
    await form.getByText('疑似重复档案（1条），请确认').waitFor();
    await form.getByRole('button', { name: '使用此档案' }).click();
    await form.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('patient')).toBe('10002');
  },
);

journey('a mobile is shown plain and hidden again; the look stands in the access list', async ({ page, enter }) => {
  await enter('admin', '/userManagement?patient=10001');
  const mobile = record(page).locator('.pa-head .kq-masked').first();
  await mobile.getByRole('button', { name: '明文查看' }).click();
  await mobile.getByText(/^1\d{10}$/).waitFor();
  await mobile.getByRole('button', { name: '隐藏' }).click();
  await mobile.getByText(/\*{4}/).waitFor();
  await tab(page, '查看记录').click();
  await record(page)
    .getByRole('row', { name: /明文查看.*手机号/ })
    .first()
    .waitFor();
  // Pages and origins are named, not written as addresses and codes.
  await record(page)
    .getByRole('row', { name: /用户管理/ })
    .first()
    .waitFor();
  await tab(page, '授权同意').click();
  await record(page).getByRole('cell', { name: '小程序' }).first().waitFor();
});

journey('a report that waits is read beside its paper; the queue leaves as a table', async ({ page, enter }) => {
  await enter('admin', '/userManagement');
  await page.getByRole('button', { name: '新增' }).first().waitFor();
  await page.keyboard.press('Alt+P');
  const finder = page.getByRole('dialog', { name: '患者查找' });
  await finder.getByText('报告待解读').click();
  await finder.getByRole('button', { name: /核对解读/ }).waitFor();
  await finder.locator('.pa-stage img, .pa-stage canvas').first().waitFor();
  await finder.getByRole('button', { name: /导出/ }).click();
  const file = page.waitForEvent('download');
  await page.getByText(/导出全部筛选结果/).click();
  expect((await file).suggestedFilename()).toMatch(/^待解读报告.*\.xlsx$/);
});

journey('a diagnosis is added by its code and voided with a reason; the list follows', async ({ page, enter }) => {
  await enter('admin', '/userManagement?patient=10005');
  await tab(page, '诊疗史').click();
  await record(page).getByRole('button', { name: '新增诊断' }).click();
  const form = page.getByRole('dialog', { name: '新增诊断' });
  await form.getByRole('button', { name: /确\s?定/ }).click();
  await form.getByText('请选择诊断', { exact: true }).waitFor();
  await form.getByText('请选择确诊日期', { exact: true }).waitFor();
  await choose(form, '诊断', 'E11');
  await form.getByLabel('确诊日期').fill('2026-11-01');
  await page.keyboard.press('Enter');
  await form.getByLabel('医院名称').fill('杭州市第一人民医院');
  await form.getByRole('button', { name: /确\s?定/ }).click();
  await toast(page, '新增成功!');
  const card = record(page).locator('article', { hasText: '杭州市第一人民医院' }).filter({ hasText: '2026-11-01' });
  await card.waitFor();
  await card.getByRole('button', { name: '作废' }).first().click();
  await page.getByRole('dialog', { name: '作废诊断' }).getByRole('textbox').fill('录入错误');
  await ok(page, '作废诊断').click();
  await card.waitFor({ state: 'detached' });
});

journey('a value ten times outside of its reference is asked for again; the course shows a band', async ({ page, enter }) => {
  await enter('admin', '/userManagement?patient=10002');
  await tab(page, '检查检验').click();
  await record(page).getByRole('button', { name: '趋势' }).click();
  await record(page)
    .getByRole('img', { name: /糖化血红蛋白.*个数值/ })
    .or(record(page).getByRole('img', { name: /趋势/ }))
    .first()
    .waitFor();
  await record(page).getByRole('button', { name: '上传报告' }).click();
  const form = page.getByRole('dialog', { name: '上传报告' });
  await choose(form, '类型', '检验');
  await form.getByLabel('项目名称').fill('空腹血糖复查');
  await form.getByLabel('检查时间').fill('2026-11-20 08:30');
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: '添加指标' }).click();
  await choose(form, '第1行指标', '空腹血糖');
  await form.getByLabel('第1行数值').fill('699.4');
  await form.getByRole('button', { name: /确\s?定/ }).click();
  await page.getByRole('dialog', { name: '请再次确认' }).getByRole('button', { name: '返回修改' }).click();
  await form.getByLabel('第1行数值').fill('126');
  await choose(form, '第1行单位', 'mg/dL');
  await form.getByRole('button', { name: /确\s?定/ }).click();
  await toast(page, '新增成功!');
  await record(page).getByText('空腹血糖 6.994 mmol/L').first().waitFor();
});
