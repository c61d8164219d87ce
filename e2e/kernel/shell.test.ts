import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';

withBrowser();

journey('the shell shows menu, tabs, breadcrumb; pages are found by pinyin and kept alive', async ({ page, enter }) => {
  await enter('admin', '/userManagement');
  const strip = page.getByRole('navigation', { name: '打开的页面' });
  await strip.getByRole('button', { name: '用户管理', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('输入菜单名称、拼音或首字母').fill('jsgl');
  await page.getByRole('option', { name: /角色管理/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/roleManagement/);
  // The address changes before the page does.
  await expect.poll(() => page.getByRole('navigation', { name: '当前位置' }).innerText()).toMatch(/系统管理\s*角色管理/);
  await expect.poll(() => strip.getByRole('button').allInnerTexts()).toEqual(expect.arrayContaining(['用户管理', '角色管理']));
  await strip.getByRole('button', { name: '用户管理', exact: true }).click();
  await page.waitForURL(/\/userManagement/);
  await expect.poll(() => page.title()).toBe('用户管理 · 康桥');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: '键盘快捷键' }).getByText('关闭当前页签').waitFor();
});

journey('Ctrl+K finds business numbers and acts of the page, also from within a page of definitions', async ({ page, enter }) => {
  const search = page.getByRole('textbox', { name: '搜索' });
  const find = async (text: string) => {
    await page.keyboard.press('Control+k');
    await search.waitFor();
    await page.keyboard.type(text);
  };
  await enter('admin', '/bannerConfig');
  const number = await page
    .getByRole('cell', { name: /^BN\d+$/ })
    .first()
    .innerText();
  await find(number);
  await page.getByRole('option', { name: `Banner ${number}` }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('bannerNo') === number);
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await find('BN20200101000000');
  await page.getByText('没有找到该编号，或无权查看').waitFor();
  await search.fill('列设置');
  await page.getByRole('option', { name: '列设置 本页操作' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.kq-column-settings').waitFor();
  await enter('admin', '/tHospital');
  const frame = page.frameLocator('iframe[title="医院数据"]');
  await frame.getByText('YY20').first().waitFor();
  // The keys are the frame's once somebody is in it.
  await frame.locator('.antd-Page-body').click({ position: { x: 2, y: 2 } });
  await page.keyboard.press('/');
  await expect.poll(() => frame.locator('input[name=keyword]').evaluate((one) => one === document.activeElement)).toBe(true);
  await find('用户管理');
  await page
    .getByRole('option', { name: /用户管理/ })
    .first()
    .waitFor();
});

journey('logging out empties the browser, and another tab follows', async ({ page, signIn, secondTab, open }) => {
  await signIn('admin');
  const other = await secondTab();
  await open('/roleManagement', other);
  await other.getByRole('navigation', { name: '主菜单' }).waitFor();
  await page.getByRole('button', { name: '设置' }).click();
  await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['退出登录']);
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.waitForURL(/\/login/);
  await other.waitForURL(/\/login/);
  for (const on of [page, other]) {
    await on.getByLabel('用户名').waitFor();
    expect(await on.getByRole('dialog').count()).toBe(0);
  }
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await open('/userManagement', page);
  await page.waitForURL(/\/login\?redirect=%2FuserManagement/);
});

journey('a logout ends within 3 s though the server does not answer it', async ({ page, signIn }) => {
  await page.clock.install();
  await signIn('admin');
  await page.route('**/modifyCancelUserInfo', () => {});
  await page.getByRole('button', { name: '设置' }).click();
  const asked = page.waitForRequest('**/modifyCancelUserInfo');
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await asked;
  // The page's own clock: three seconds pass in it, however long they take here.
  await page.clock.runFor(3_000);
  await page.waitForURL(/\/login/);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

journey('a second login ends the first: one dialog, not closable, whose button starts afresh', async ({ page, signIn, otherBrowser }) => {
  await signIn('corpus_ops');
  await signIn('corpus_ops', await otherBrowser());
  const dialog = page.getByRole('dialog', { name: '确定登出' });
  // The server tells open pages at once; without the channel the next call would.
  await dialog.getByText('您的账号已在其他地方登录').waitFor();
  expect(await page.evaluate(() => localStorage.getItem('Authorization'))).toBe(null);
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(1);
  expect(await dialog.getByRole('button').count()).toBe(1);
  await dialog.getByRole('button', { name: '重新登录' }).click();
  await page.waitForURL(/\/login$/);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

journey(
  'open pages outlive a reload and the end of the session, for the same person alone',
  async ({ page, enter, otherBrowser, signIn }) => {
    await enter('admin', '/userManagement?userName=a');
    const strip = page.getByRole('navigation', { name: '打开的页面' });
    const open = () => strip.locator('[aria-current], .kq-tab > button:first-child').allInnerTexts();
    await strip.getByText('用户管理').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('输入菜单名称、拼音或首字母').fill('角色管理');
    await page.getByRole('option', { name: /角色管理/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/roleManagement/);
    await page.reload();
    await page.waitForURL(/\/roleManagement/);
    await expect.poll(open).toEqual(['用户管理', '角色管理']);
    await signIn('admin', await otherBrowser());
    const again = page.getByRole('button', { name: '重新登录' });
    await again.click();
    await page.waitForURL(/\/login$/);
    await signIn('admin', page);
    await page.waitForURL(/\/roleManagement/);
    await expect.poll(open).toEqual(['用户管理', '角色管理']);
    await strip.getByRole('button', { name: '用户管理', exact: true }).click();
    await page.waitForURL(/\/userManagement\?userName=a/);
    await signIn('admin', await otherBrowser());
    await again.click();
    await page.waitForURL(/\/login$/);
    await signIn('corpus_ops', page);
    await page.waitForURL((url) => !/login|userManagement/.test(url.pathname));
    await expect.poll(open).not.toContain('用户管理');
  },
);

journey('the shell says that the server is away as soon as its channel breaks, and that it is back', async ({ page, enter, allow }) => {
  allow(/WebSocket connection/);
  let isAway = false;
  const open = new Set<{ close(): Promise<void> }>();
  await page.routeWebSocket(/socket\.io/, (socket) => {
    if (isAway) return void socket.close();
    socket.connectToServer().onMessage((message) => {
      socket.send(message);
      // The server has taken it: before that there is no channel that could break.
      if (String(message).startsWith('40')) open.add(socket);
    });
    return undefined;
  });
  await enter('admin', '/userManagement');
  await page.getByRole('navigation', { name: '主菜单' }).waitFor();
  await expect.poll(() => open.size).toBeGreaterThan(0);
  const said = page.locator('.kq-away');
  expect(await said.innerText()).toBe('');
  isAway = true;
  for (const socket of open) await socket.close();
  await said.getByText('服务暂时不可用，正在自动重试；已填写的内容不会丢失').waitFor();
  isAway = false;
  await said.getByText('服务已恢复').waitFor();
  await expect.poll(() => said.innerText()).toBe('');
});

journey('a page outside of the role’s menu is refused in place, an unknown address is no page', async ({ page, open, enter }) => {
  await enter('corpus_ops', '/roleManagement');
  await page.getByText('没有访问该页面的权限').waitFor();
  await open('/nowhere/at/all');
  await page.getByText('页面不存在').waitFor();
});

journey('a stored menu that is empty or broken leads to /noentry', async ({ page, signIn, open }) => {
  await signIn('admin');
  for (const stored of ['[]', '{']) {
    await page.evaluate((text) => localStorage.setItem('userRoleMenu', text), stored);
    await open('/userManagement');
    await page.waitForURL(/\/noentry/);
  }
});

journey('what is typed while a list is still read, or its page is opened once more, is what is searched for', async ({ page, enter }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/queryUserInfoList', async (route) => {
    await held;
    await route.fallback();
  });
  await enter('admin', '/userManagement');
  const name = page.getByLabel('用户名', { exact: true }).first();
  await name.fill('corpus_ops');
  // Its tab again: the page stays as it is.
  await page.getByRole('navigation', { name: '打开的页面' }).getByRole('button', { name: '用户管理', exact: true }).click();
  await name.press('Enter');
  await page.waitForURL(/corpus_ops/);
  release();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await name.fill('audit_a');
  await page.getByRole('button', { name: '重置', exact: true }).click();
  await page.waitForURL(/userManagement$/);
  expect(await name.inputValue()).toBe('');
  // Also where the address said nothing.
  await name.fill('audit_a');
  await page.getByRole('button', { name: '重置', exact: true }).click();
  await expect.poll(() => name.inputValue()).toBe('');
});

journey('theme and columns are kept on the server over a logout', async ({ page, enter }) => {
  await enter('admin', '/userManagement');
  await page.getByRole('button', { name: '切换到深色' }).click();
  await page.getByRole('button', { name: '列设置' }).click();
  const saved = page.waitForResponse(
    (response) => response.url().includes('modifyUserPreference') && (response.request().postData() ?? '').includes('table:'),
  );
  await page.getByRole('checkbox', { name: '部门/岗位' }).click();
  await saved;
  await page.evaluate(() => localStorage.clear());
  await enter('admin', '/userManagement');
  await page.locator('html[data-theme=dark]').waitFor();
  await page.getByRole('columnheader', { name: '姓名' }).waitFor();
  // Until the setting is read the table shows what it shows by default.
  await expect.poll(() => page.getByRole('columnheader', { name: '部门/岗位' }).count()).toBe(0);
  await page.getByRole('button', { name: '切换到浅色' }).click();
});

journey('a head sorts a list down and up; its sums stay, reload, view and sheet keep the order', async ({ page, enter }) => {
  await enter('product_a', '/policyManage');
  const head = page.getByRole('columnheader', { name: '终保日期' });
  const answered = (call: RegExp, order: string) =>
    page.waitForResponse((response) => call.test(response.url()) && (response.request().postData() ?? '').includes(`"${order}"`));
  const sortTo = async (order: string) => {
    const list = answered(/queryPolicyList$/, order);
    await head.getByRole('button').click();
    const { data } = (await (await list).json()) as { data: { coverageEnd: string }[] };
    return data.map(({ coverageEnd }) => coverageEnd);
  };
  const up = await sortTo('coverageEnd asc');
  expect(up).toEqual(up.toSorted());
  const down = await sortTo('coverageEnd desc');
  expect(down).toEqual(down.toSorted().toReversed());
  expect(down[0]! > up[0]!).toBe(true);
  await page.getByText(/^保单 \d+ 张$/).waitFor();

  await page.getByRole('button', { name: '视图' }).click();
  await page.getByText('保存与管理视图…').click();
  await page.getByPlaceholder('视图名称').fill('最后到期');
  await page.keyboard.press('Enter');
  await head.getByRole('button').click();
  await page.waitForURL((url) => !url.search.includes('orderBy'));
  await page.getByRole('button', { name: '视图' }).click();
  await page.getByText('最后到期', { exact: true }).click();
  await page.waitForURL(/orderBy=coverageEnd(\+|%20)desc/);

  const again = answered(/queryPolicyList$/, 'coverageEnd desc');
  await page.reload();
  await again;
  await page.locator('[role=columnheader][aria-sort=descending]').getByText('终保日期').waitFor();
  const sheet = answered(/export/, 'coverageEnd desc');
  await page.getByRole('button', { name: '导出', exact: false }).first().click();
  await page.getByText('导出当前页').click();
  expect((await sheet).status()).toBe(200);
});

journey('edits stay while other tabs are shown; closing and reloading ask', async ({ page, enter }) => {
  await enter('admin', '/editRole');
  const name = page.getByLabel('角色名称');
  await name.fill('试用角色');
  const strip = page.getByLabel('打开的页面');
  await strip.getByTitle('有未保存的修改').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('输入菜单名称、拼音或首字母').fill('用户');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/userManagement/);
  await name.waitFor({ state: 'hidden' });
  await strip.getByRole('button', { name: /^[^关]*角色/ }).click();
  expect(await name.inputValue()).toBe('试用角色');
  await page.keyboard.press('Alt+w');
  const question = page.getByRole('dialog', { name: '提示' });
  await question.getByText('有未保存的修改').waitFor();
  await question.getByRole('button', { name: '取消' }).click();
  expect(await name.inputValue()).toBe('试用角色');
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => location.reload()));
  const reload = await asked;
  expect(reload.type()).toBe('beforeunload');
  await reload.dismiss();
  await page.keyboard.press('Alt+w');
  await question.getByRole('button', { name: '放弃修改' }).click();
  await page.waitForURL(/\/userManagement/);
});

journey(
  'another role has another menu and another access permission, here and in the other tab',
  async ({ page, signIn, secondTab, open }) => {
    await signIn('zhoumin');
    const other = await secondTab();
    await open('/', other);
    const roleOf = (on: typeof page) => on.getByRole('button', { name: /^当前角色/ });
    const before = await roleOf(page).innerText();
    await roleOf(other).waitFor();
    await roleOf(page).click();
    await page.getByRole('menuitem').first().waitFor();
    const wanted = (await page.getByRole('menuitem').allInnerTexts()).find((text) => text !== before) ?? '';
    await page.getByRole('menuitem', { name: wanted, exact: true }).click();
    for (const on of [page, other]) await on.getByRole('button', { name: `当前角色：${wanted}`, exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('accessPermission'))).toBe(wanted);
  },
);
