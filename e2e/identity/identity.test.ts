import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { demoMobile } from '#domains/identity/server/demo/people.ts';
import { journey, withBrowser } from '../journey.ts';
import { act } from '../steps.ts';
import { CAPTCHA_ANSWER, PASSWORD } from '../signIn.ts';

withBrowser();

const REFUSED = /status of 400/;
let counter = 0;
const unique = (name: string) => `${name}${Date.now() % 100_000}${counter++}`;

async function fillLogin(page: Page, given: { userName: string; password: string; captcha?: string }) {
  await page.getByLabel('用户名').fill(given.userName);
  await page.getByLabel('密码', { exact: true }).fill(given.password);
  await page.getByLabel('图形验证码', { exact: true }).fill(given.captcha ?? CAPTCHA_ANSWER);
  await page.getByRole('button', { name: '登录' }).click();
}

/** The option of an open select or tree, by its whole text. */
const option = (page: Page, text: string) => page.locator('.ant-select-dropdown:visible').getByText(text, { exact: true }).first();

journey('a login refuses in words, keeps the name, changes the captcha, and goes where one wanted to', async ({ page, open, allow }) => {
  allow(REFUSED);
  await open('/roleManagement');
  await page.waitForURL(/\/login\?redirect=%2FroleManagement/);
  await page.getByRole('button', { name: '登录' }).click();
  for (const fault of ['请输入用户名', '请输入密码', '请输入图形验证码']) await page.getByText(fault).waitFor();
  const picture = () => page.getByAltText('图形验证码').getAttribute('src');
  const first = await picture();
  await fillLogin(page, { userName: 'admin', password: PASSWORD, captcha: 'zzzz' });
  await page.locator('.id-alert', { hasText: '图形验证码错误或已失效' }).waitFor();
  await expect.poll(picture).not.toBe(first);
  expect(await page.getByLabel('用户名').inputValue()).toBe('admin');
  await expect.poll(() => page.getByLabel('图形验证码', { exact: true }).inputValue()).toBe('');
  await fillLogin(page, { userName: 'admin', password: 'Wrong#2026x' });
  await page.locator('.id-alert', { hasText: '用户名或密码错误' }).waitFor();
  await fillLogin(page, { userName: 'admin', password: PASSWORD });
  await page.waitForURL(/\/roleManagement/);
  await open('/login');
  await page.getByRole('navigation', { name: '主菜单' }).waitFor();
});

journey(
  'a new user gets a password once, must change it, and loses it when it is reset',
  async ({ page, open, otherBrowser, allow, enter }) => {
    allow(REFUSED);
    const userName = unique('probe_');
    await enter('admin', '/userManagement');
    await page.getByRole('button', { name: '新增', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: '新增用户' });
    await drawer.getByLabel('用户名').fill('1bad');
    await drawer.getByLabel('姓名').fill('欧阳试用');
    await drawer.getByRole('button', { name: '确定' }).click();
    await drawer.getByText('用户名为4-32位字母、数字、下划线或点，且以字母开头').waitFor();
    await drawer.getByLabel('用户名').fill(userName);
    await drawer.getByRole('combobox', { name: '角色' }).fill('客服');
    await option(page, '客服').click();
    await drawer.getByText('受限').click();
    await drawer.locator('.ant-tree-select').click();
    await page.keyboard.type('上海');
    await page.locator('.ant-select-tree-treenode').filter({ hasText: '上海市' }).first().locator('.ant-select-tree-checkbox').click();
    await page.keyboard.press('Escape');
    await drawer.getByText('可见：上海市 的数据').waitFor();
    await drawer.getByRole('button', { name: '确定' }).click();
    const panel = page.getByRole('dialog', { name: '临时密码' });
    await panel.getByText('仅显示一次，24小时内有效').waitFor();
    const temporary = await panel.locator('code').innerText();
    await panel.getByRole('button', { name: '我已保存' }).click();

    const theirs = await otherBrowser();
    await open('/login', theirs);
    await fillLogin(theirs, { userName, password: temporary });
    await theirs.waitForURL(/\/editUsePwd/);
    await theirs.getByText('首次登录请修改密码').waitFor();
    await open('/downloadList', theirs);
    await theirs.waitForURL(/\/(editUsePwd|noentry)/);
    await open('/editUsePwd', theirs);
    await theirs.getByLabel('原密码', { exact: true }).fill(temporary);
    await theirs.getByLabel('新密码', { exact: true }).fill('abcd');
    await expect.poll(() => theirs.locator('.id-broken').count()).toBe(3);
    await theirs.getByLabel('新密码', { exact: true }).fill('Bridge#7315x');
    await expect.poll(() => theirs.locator('.id-broken').count()).toBe(0);
    await theirs.getByLabel('确认新密码', { exact: true }).fill('Bridge#7315y');
    await theirs.getByRole('button', { name: '确定' }).click();
    await theirs.getByText('两次输入的密码不一致').waitFor();
    await theirs.getByLabel('确认新密码', { exact: true }).fill('Bridge#7315x');
    await theirs.getByRole('button', { name: '确定' }).click();
    await theirs.getByRole('navigation', { name: '主菜单' }).waitFor();

    await page.getByRole('textbox', { name: '用户名' }).fill(userName);
    await page.getByRole('button', { name: '查询' }).click();
    await page.getByText('共 1 条').waitFor();
    await act(page, userName, '重置密码');
    await page.getByLabel('意见').fill('本人申请');
    await page.getByRole('button', { name: '确定' }).click();
    const identity = page.getByRole('dialog', { name: '身份确认' });
    await identity.getByRole('button', { name: '获取验证码' }).click();
    await identity.getByText(/秒后重新获取/).waitFor();
    await identity.getByLabel('短信验证码').fill(CAPTCHA_ANSWER);
    await panel.locator('code').waitFor();
    expect(await panel.locator('code').innerText()).not.toBe(temporary);
    await panel.getByRole('button', { name: '我已保存' }).click();
    await theirs.getByRole('dialog', { name: '确定登出' }).waitFor();
  },
);

journey('who forgot the password proves the mobile and sets a new one', async ({ page, open }) => {
  await open('/login');
  await page.getByRole('link', { name: '忘记密码' }).click();
  await page.getByAltText('图形验证码').waitFor();
  // Somebody as whom no other journey enters.
  await page.getByLabel('手机号').fill(demoMobile('agent_ops'));
  await page.getByLabel('图形验证码', { exact: true }).fill(CAPTCHA_ANSWER);
  await page.getByRole('button', { name: '获取验证码' }).click();
  await page.getByText(/秒后重新获取/).waitFor();
  await page.getByLabel('短信验证码').fill(CAPTCHA_ANSWER);
  await page.getByText('已通过短信验证，无需输入原密码').waitFor();
  await page.getByLabel('新密码', { exact: true }).fill('Bridge#7315x');
  await page.getByLabel('确认新密码', { exact: true }).fill('Bridge#7315x');
  await page.getByRole('button', { name: '确定' }).click();
  await page.getByRole('navigation', { name: '主菜单' }).waitFor();
});

journey('who has no role waits at /noentry until somebody gives one', async ({ page, open, otherBrowser, enter }) => {
  await open('/login');
  await fillLogin(page, { userName: 'norole', password: PASSWORD });
  await page.waitForURL(/\/noentry/);
  await page.getByText(/请联系管理员（.+）开通权限/).waitFor();
  await page.getByRole('button', { name: '重新加载' }).click();
  await page.getByText('仍没有可用的菜单').waitFor();
  const admins = await otherBrowser();
  await enter('admin', '/userManagement?userName=norole', admins);
  await admins.getByText('共 1 条').waitFor();
  await act(admins, 'norole', '分配角色');
  await admins.getByRole('button', { name: '添加角色' }).click();
  const dialog = admins.getByRole('dialog', { name: /^添加角色/ });
  await dialog.getByRole('combobox', { name: '角色' }).fill('客服');
  await option(admins, '客服').click();
  await dialog.getByRole('button', { name: '确定' }).click();
  await admins.getByText('分配完成').waitFor();
  await page.getByRole('button', { name: '重新加载' }).click();
  await page.getByRole('navigation', { name: '主菜单' }).waitFor();
});

journey('a role is made, asks before high rights are given, and is deleted', async ({ page, enter }) => {
  const name = unique('试用');
  await enter('admin', '/editRole');
  await page.getByLabel('角色名称').fill(name);
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await page.getByText('请至少选择一个菜单').waitFor();
  await page.getByText('重置员工密码').click();
  await page.getByText('已选2个菜单、2项权限').waitFor();
  await page.getByRole('button', { name: '保存', exact: true }).click();
  const question = page.getByRole('dialog', { name: '保存角色' });
  await question.getByText('新增了1项高危权限').waitFor();
  await question.getByRole('button', { name: '确认授予并保存' }).click();
  await page.waitForURL(/\/roleManagement/);
  const row = page.getByRole('row').filter({ hasText: name });
  await page.getByRole('textbox', { name: '角色名称' }).fill(name);
  await page.getByRole('button', { name: '查询' }).click();
  await row.getByRole('button', { name: '编辑' }).click();
  await page.waitForURL(/\/editRole\?id=/);
  await page.getByText('用户管理', { exact: true }).last().click();
  // Un-ticking a page asks, since its button goes with it.
  await page.getByText('将同时移除以下1项权限').waitFor();
  await page.getByRole('dialog', { name: '提示' }).getByRole('button', { name: '取消' }).click();
  await page.getByText('强制下线').click();
  await page.getByRole('button', { name: '与已保存版本对比' }).click();
  await page.getByText('新增（菜单0，权限1）').waitFor();
  await page.getByRole('button', { name: '知道了' }).click();
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await page.getByRole('button', { name: '确认授予并保存' }).click();
  await page.waitForURL(/\/roleManagement/);
  await row.getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: '删除' }).click();
  await page.getByText('此操作将永久删除该文件, 是否继续?').waitFor();
  await page.getByRole('button', { name: '确定' }).click();
  await page.getByText('删除成功!').waitFor();
});

journey('a menu entry is added, moved by dragging, not below itself, and deleted', async ({ page, enter }) => {
  const title = unique('目录');
  await enter('admin', '/menuManagement');
  await page.getByRole('button', { name: '新增菜单' }).click();
  const drawer = page.getByRole('dialog', { name: '新增菜单' });
  await drawer.getByRole('radio', { name: '目录' }).check();
  await drawer.getByRole('button', { name: '确定' }).click();
  await drawer.getByText('请输入菜单标题').waitFor();
  await drawer.getByLabel('标题').fill(title);
  await drawer.getByRole('button', { name: '确定' }).click();
  const row = page.locator('tr').filter({ hasText: title });
  await row.waitFor();
  const moved = page.waitForResponse((response) => response.url().includes('sortMenuInfo'));
  await row.dragTo(page.locator('tr').filter({ hasText: '系统管理' }).first(), { targetPosition: { x: 80, y: 18 } });
  await moved;
  await page.locator('tr').filter({ hasText: '系统管理' }).first().hover();
  await page.mouse.down();
  const to = await row.boundingBox();
  await page.mouse.move(to!.x + 90, to!.y + 20, { steps: 12 });
  await page.getByText('不能移动到自身的下级').waitFor();
  await page.mouse.up();
  await row.getByRole('button', { name: '删除' }).click();
  await page.getByRole('button', { name: '取消' }).click();
  await page.getByText('已取消删除').waitFor();
  await row.getByRole('button', { name: '删除' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await page.getByText('删除成功!').waitFor();
  await row.waitFor({ state: 'detached' });
});

journey('the log shows what was done, row by row, and its chain is verified', async ({ page, enter }) => {
  await enter('admin', '/operationLog');
  await page.getByRole('row').filter({ hasText: '登录' }).first().click();
  const drawer = page.getByRole('dialog', { name: /登录 · 超级管理员/ });
  await drawer.getByText('追踪号').waitFor();
  await drawer
    .getByRole('button', { name: 'Close' })
    .or(drawer.getByRole('button', { name: '关闭' }))
    .first()
    .click();
  await page.getByRole('tab', { name: '登录日志' }).click();
  await page.getByRole('img', { name: /近7天登录失败/ }).waitFor();
  await page.getByRole('tab', { name: '链校验' }).click();
  await page.getByRole('button', { name: '发起校验' }).click();
  await page
    .getByText(/一致，共校验/)
    .nth(1)
    .waitFor();
});

journey('a role with both rights of a document of money is not saved; other pairs are a warning', async ({ page, enter }) => {
  const name = unique('双职');
  await enter('admin', '/editRole');
  await page.getByLabel('角色名称').fill(name);
  await page.getByLabel('搜索权限').fill('发放');
  await page.getByText('制作发放单').click();
  await page.getByText('批准、撤回发放').click();
  const refused = page.getByRole('alert').filter({ hasText: '职责冲突1组，不能保存' });
  await refused.getByText('发放单：“制作发放单”与“批准、撤回发放”').waitFor();
  await expect.poll(() => page.getByRole('button', { name: '保存', exact: true }).isDisabled()).toBe(true);
  await page.getByText('批准、撤回发放').first().click();
  await refused.waitFor({ state: 'hidden' });
  await page.getByLabel('搜索权限').fill('广告');
  await page.getByText('编辑广告').click();
  await page.getByText('审核广告').click();
  await page.getByText('广告：“编辑广告”与“审核广告”').waitFor();
  await page.getByRole('button', { name: '保存', exact: true }).click();
  const question = page.getByRole('dialog', { name: '保存角色' });
  await question.getByText('职责提醒1组').waitFor();
  await question.getByRole('button', { name: '确认授予并保存' }).click();
  await page.waitForURL(/\/roleManagement/);
  await page.getByRole('textbox', { name: '角色名称' }).fill(name);
  await page.getByRole('button', { name: '查询' }).click();
  await page.getByRole('row').filter({ hasText: name }).getByText('职责冲突').waitFor();

  await enter('admin', '/userManagement?userName=card_r');
  await act(page, 'card_r', '分配角色');
  await page.getByRole('button', { name: '添加角色' }).click();
  const dialog = page.getByRole('dialog', { name: /^添加角色/ });
  await dialog.getByRole('combobox', { name: '角色' }).fill(name);
  await option(page, name).click();
  await dialog.getByRole('button', { name: '确定' }).click();
  await page.getByText(`任静不能同时拥有同一单据的经办与审核权限（发放单：“制作发放单”（${name}）`).first().waitFor();
});

journey(
  'the state of the system is read again by itself, says when it is old, and leads to what failed',
  async ({ page, enter, allow }) => {
    allow(/ERR_FAILED|ERR_CONNECTION/);
    await enter('sys_a', '/systemStatus');
    for (const part of ['数据库与本节点', '事件与失败', '任务队列', '定时任务', '随访引擎'])
      await page.getByRole('heading', { name: part }).waitFor();
    const asks = '**/querySystemStatus';
    await page.waitForResponse(asks);
    await page.route(asks, (route) => route.abort());
    await page.getByRole('button', { name: '刷新' }).click();
    const old = page.getByRole('alert').filter({ hasText: '数据已过期' });
    await old.waitFor();
    await page.unroute(asks);
    await old.getByRole('button', { name: '重试' }).click();
    await old.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: '查看失败的后台任务' }).first().click();
    await page.waitForURL(/\/operationLog\?tab=jobs/);
    await page.getByText('没有失败的后台任务').waitFor();
  },
);
