import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { journey, withBrowser } from '../journey.ts';

withBrowser();

const toast = (page: Page, text: string) => page.locator('.kq-toast', { hasText: text }).first().waitFor();
const confirm = (page: Page) => page.getByRole('dialog').getByRole('button', { name: '确定', exact: true });
const line = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: false }).filter({ hasText: name }).first();
const callsTo = (page: Page, operation: string) => {
  const calls: string[] = [];
  page.on('request', (request) => request.url().endsWith(`/${operation}`) && calls.push(request.postData() ?? ''));
  return calls;
};

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click();
  // long lists hold only what is visible
  if (label.endsWith('变量')) await page.keyboard.type(option);
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option', { hasText: option })
    .first()
    .click();
}

async function more(page: Page, scene: string, action: string): Promise<void> {
  await line(page, scene).hover();
  await page.getByRole('button', { name: `${scene}更多操作`, exact: true }).click();
  await page.getByRole('dialog', { name: '更多操作' }).getByRole('button', { name: action, exact: true }).click();
}

journey('a disease is added with scenes and child scenes; each refusal says what is missing', async ({ page, enter, open, secondTab }) => {
  await enter('corpus_ops', '/corpus');
  const late = await secondTab();
  await open('/corpus', late);
  await late.getByRole('button', { name: '新增病种' }).last().click();
  await late.getByRole('row', { name: /C16/ }).click();
  await page.bringToFront();
  const added = callsTo(page, 'addDiseaseInfo');
  await page.getByRole('button', { name: '新增病种' }).last().click();
  await page.getByRole('row', { name: /C16/ }).waitFor();
  await confirm(page).click();
  await toast(page, '请选择病种！');
  expect(added).toEqual([]);
  await page.getByRole('row', { name: /C16/ }).click();
  await confirm(page).click();
  await toast(page, '添加成功');
  await line(page, '胃癌').waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect(added).toHaveLength(1);
  expect(JSON.parse(added[0]!)).toEqual({ Id: expect.stringMatching(/^\d+$/), diseaseCode: 'C16', diseaseName: '胃癌' });
  // Who chose it before is refused by its code, and no message covers the page.
  await late.bringToFront();
  const answered = late.waitForResponse(/addDiseaseInfo$/);
  await confirm(late).click();
  expect(await (await answered).json()).toMatchObject({ code: 'SCM11002' });
  await confirm(late).and(late.locator(':enabled:not(.ant-btn-loading)')).waitFor();
  expect(await late.locator('.kq-toast').count()).toBe(0);
  await late.close();

  await page.getByRole('button', { name: '新增场景' }).last().click();
  await confirm(page).click();
  await page.getByRole('alert').getByText('请选择标签').waitFor();
  await page.getByRole('checkbox', { name: '群聊' }).check();
  await page.getByRole('checkbox', { name: '单聊' }).check();
  await page.getByRole('alert').getByText('请输入场景名称').waitFor();
  const name = page.getByLabel('第1行场景名称');
  await name.pressSequentially('一'.repeat(33));
  // Nothing of it is cut, and nothing is sent.
  expect(await name.inputValue()).toHaveLength(33);
  await page.getByText('最多32个字，现在有33个字').waitFor();
  const scenes = callsTo(page, 'addScene');
  await confirm(page).click();
  await page.getByRole('alert').getByText('场景名称').waitFor();
  await name.fill('术后随访');
  await confirm(page).click();
  await line(page, '术后随访').waitFor();
  expect(JSON.parse(scenes[0]!).dataDetail).toEqual([{ sceneName: '术后随访', groupChat: true, singleChat: true, chatFlag: 2 }]);

  await more(page, '术后随访', '新增子场景');
  await page.getByLabel('第1行场景名称').fill('营养指导');
  await page.getByRole('checkbox', { name: '单聊' }).check();
  await confirm(page).click();
  await line(page, '营养指导').waitFor();
});

journey('launch conditions are edited, kept while switching and reloading, tried on a patient and saved', async ({ page, enter }) => {
  await enter('corpus_ops', '/corpus');
  await line(page, '2型糖尿病').click();
  await line(page, '复诊提醒').click();
  await page.getByRole('tab', { name: /启动条件/ }).click();
  await page.getByRole('button', { name: '添加条件' }).click();
  await page.getByRole('button', { name: '保存' }).click();
  await toast(page, '请输入全部内容');

  await choose(page, '第2行角色', '患者');
  await choose(page, '第2行变量', '糖化血红蛋白');
  await choose(page, '第2行运算符', '区间');
  const value = page.getByLabel('第2行条件值');
  for (const [typed, text] of [
    ['1，2', '请输入正确的格式:数字+英文逗号+数字'],
    ['1-2', '请输入正确的格式:数字+英文逗号+数字'],
    ['1.2345,3', '小数点后面最多三位小数'],
  ] as const) {
    await value.fill(typed);
    await page.getByRole('alert').getByText(text).waitFor();
  }
  await value.fill('7,9');
  await choose(page, '第2行运算符', '≥');
  await expect.poll(() => value.inputValue()).toBe('');
  await value.pressSequentially('7a.12345');
  await expect.poll(() => value.inputValue()).toBe('7.123');
  await choose(page, '第2行运算符', '区间');
  await value.fill('7,7.8');

  const saved = callsTo(page, 'addOrModifyConditionIdDataList');
  await page.getByLabel('试算患者', { exact: true }).click();
  await page.keyboard.type('李秀兰');
  await page.locator('.ant-select-item-option', { hasText: '（10002）' }).click();
  await page.getByRole('complementary', { name: '单患者试算' }).getByText(/满足/).first().waitFor();
  await page.getByText('实际 7.1 %').waitFor();
  expect(saved).toEqual([]);

  await line(page, '复购提醒').click();
  await page.getByRole('tab', { name: /启动条件/ }).click();
  expect(await page.getByText('有未保存的条件').count()).toBe(0);
  await page.reload();
  await line(page, '复诊提醒').click();
  await page.getByRole('tab', { name: /启动条件/ }).click();
  await page.getByText('有未保存的条件').waitFor();
  await expect.poll(() => page.getByLabel('第2行条件值').inputValue()).toBe('7,7.8');
  await page.getByText('患者.糖化血红蛋白 在 7 至 7.8 % 之间（含）').waitFor();
  await page.getByRole('button', { name: '保存' }).click();
  await toast(page, '修改成功!');
  await page.getByText('有未保存的条件').waitFor({ state: 'detached' });
  const drafts = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('sceneConditionDraft')).length);
  expect(await drafts()).toBe(0);
  await page.getByLabel('第2行条件值').fill('7,8.9');
  await page.getByText('有未保存的条件').waitFor();
  expect(await drafts()).toBe(1);
  await page.getByRole('banner').getByRole('button', { name: '设置' }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.waitForURL(/\/login/);
  expect(await drafts()).toBe(0);
});

journey('scenes are renamed, copied and deleted; the tree is walked with the keyboard', async ({ page, enter }) => {
  await enter('corpus_ops', '/corpus');
  await line(page, '原发性高血压').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('原发性');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await line(page, '血压管理').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/sceneId=\d+/);
  await page.keyboard.press('F2');
  const name = page.getByRole('textbox', { name: '场景名称' });
  await expect.poll(() => name.inputValue()).toBe('新患者入群');
  await name.fill('');
  await confirm(page).click();
  await page.getByRole('alert').getByText('请输入场景名称').waitFor();
  await name.fill('新患者关怀');
  await confirm(page).click();
  await toast(page, '修改成功!');
  await line(page, '新患者关怀').waitFor();

  await more(page, '血压管理', '删除');
  const question = page.getByRole('dialog', { name: '提示' });
  await question.getByRole('button', { name: '确定' }).click();
  await page
    .getByText(/场景正在运行（进行中\d+人），请先下线后再删除/)
    .first()
    .waitFor();
  await line(page, '血压管理').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

  await more(page, '血压管理', '复制');
  await expect.poll(() => name.inputValue()).toBe('血压管理-副本');
  await confirm(page).click();
  await line(page, '血压管理-副本').waitFor();

  await more(page, '血压管理-副本', '删除');
  await question.getByText('此操作将永久删除该文件, 是否继续?').waitFor();
  await question.getByRole('button', { name: '取消' }).click();
  await toast(page, '已取消删除');
  await page.getByRole('dialog', { name: '更多操作' }).getByRole('button', { name: '删除' }).click();
  await question.getByRole('button', { name: '确定' }).click();
  await toast(page, '删除成功!');
  await line(page, '血压管理-副本').waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

journey('a scene that somebody else renamed meanwhile opens the conflict dialog', async ({ page, open, secondTab, enter }) => {
  await enter('corpus_ops', '/corpus');
  await line(page, '哮喘').click();
  await line(page, '症状日记').waitFor();
  const other = await secondTab();
  await open('/corpus', other);
  await more(other, '症状日记', '重命名');
  await other.getByRole('textbox', { name: '场景名称' }).fill('症状记录');
  await confirm(other).click();
  await line(other, '症状记录').waitFor();

  await page.bringToFront();
  await more(page, '症状日记', '重命名');
  await page.getByRole('textbox', { name: '场景名称' }).fill('每日症状');
  await confirm(page).click();
  const conflict = page.getByRole('dialog', { name: '记录已被他人修改' });
  await conflict.getByRole('cell', { name: '每日症状' }).waitFor();
  await conflict.getByRole('cell', { name: '症状记录' }).waitFor();
  await conflict.getByRole('button', { name: '保留我的内容' }).click();
  await expect.poll(() => page.getByRole('textbox', { name: '场景名称' }).inputValue()).toBe('每日症状');
  // Who it was still stands there.
  await page
    .getByRole('alert')
    .getByText(/该记录已被.+修改/)
    .waitFor();
  // knowing what stands there now, the next save is made on it
  await confirm(page).click();
  await toast(page, '修改成功!');
  await line(page, '每日症状').waitFor();
});

journey('a dialog of the corpus is closed by Back before its page is left, and gone when one comes back', async ({ page, enter }) => {
  const go = (path: string) =>
    page.evaluate((to) => {
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
  await enter('admin', '/userManagement');
  await go('/corpus');
  await page.getByRole('button', { name: '新增病种' }).first().click();
  await page.getByRole('row', { name: /C\d\d/ }).first().waitFor();
  // The keyboard is in it: it has been moved into its place.
  await expect
    .poll(() =>
      page
        .getByRole('dialog')
        .getByLabel('搜索病种')
        .evaluate((field) => field === document.activeElement),
    )
    .toBe(true);
  await page.goBack();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe('/corpus');
  await expect.poll(() => page.evaluate(() => 'kqLayer' in history.state)).toBe(false);
  await page.goBack();
  await page.waitForURL(/userManagement/);
  await page.goForward();
  await page.getByRole('button', { name: '新增病种' }).first().waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});
