import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, day, dialog, row, search, toast } from '../steps.ts';

withBrowser();

journey(
  'a correction is asked for from the directory and audited by another person with the keyboard alone',
  async ({ page, otherBrowser, enter }) => {
    await enter('doctor_sh', '/hospitalList');
    await search(page, '关键字', '苏州市骨科医院');
    await act(page, '苏州市骨科医院', '纠错');
    const form = dialog(page, '纠错：苏州市骨科医院');
    await form.getByLabel('电话', { exact: true }).fill('0512-68001234');
    await form.getByLabel('说明', { exact: true }).fill('官网已更换总机号码');
    await form
      .getByRole('button', { name: /提\s*交|保\s*存|确\s*定/ })
      .last()
      .click();
    await toast(page, /提交|成功/);

    const other = await otherBrowser();
    await enter('ops_audit', '/hospitalManagementAudit', other);
    await search(other, '医院名称', '苏州市骨科医院');
    await row(other, '苏州市骨科医院').getByRole('button', { name: '审核' }).focus();
    await other.keyboard.press('Enter');
    await other.getByText('由我处理').waitFor();
    await other.getByText('0512-68001234').first().waitFor();
    // What was written of the case is there after a reload.
    await other.getByLabel('意见', { exact: true }).fill('已致电总机核实');
    await other.reload();
    await other.getByText('由我处理').waitFor();
    expect(await other.getByLabel('意见', { exact: true }).inputValue()).toBe('已致电总机核实');
    // Nothing is decided until somebody decides.
    await other.keyboard.press('Control+Enter');
    await toast(other, /请先选择审核结论：A 通过/);
    await other.keyboard.press('a');
    await other.keyboard.press('Control+Enter');
    await toast(other, '修改成功!');

    await page.reload();
    await search(page, '关键字', '苏州市骨科医院');
    await row(page, '0512-68001234').waitFor();
  },
);

journey('doubles are merged by two persons and the merge is undone', async ({ page, open, otherBrowser, enter }) => {
  await enter('doctor_sh', '/hospitalManagementMaintenance?tab=duplicates');
  await page.locator('.in-pair-on').waitFor();
  await page.keyboard.press('j');
  const [first, second] = await page
    .locator('.in-pair-on b')
    .allInnerTexts()
    .then((all) => [all[0]!, all.at(-1)!]);
  await page.keyboard.press('m');
  const merging = page.getByRole('dialog', { name: '合并医院' });
  await merging.getByText(/影响：/).waitFor();
  await merging.getByRole('button', { name: '提交复核' }).click();
  await toast(page, '请填写合并原因');
  await merging.getByRole('textbox').last().fill('同一家医院重复建档');
  await merging.getByRole('button', { name: '提交复核' }).click();
  await toast(page, '已提交复核');
  await open('/hospitalManagementMaintenance?tab=merges');
  await row(page, '同一家医院重复建档').waitFor();
  // Who asked does not decide.
  expect(await row(page, '同一家医院重复建档').getByRole('button', { name: '通过' }).count()).toBe(0);

  const other = await otherBrowser();
  await enter('ops_audit', '/hospitalManagementMaintenance?tab=merges', other);
  await act(other, '同一家医院重复建档', '通过');
  await confirm(other);
  await toast(other, '修改成功!');
  await row(other, '同一家医院重复建档').getByText('已合并').waitFor();
  await act(other, '同一家医院重复建档', '撤销合并');
  await confirm(other, '核实后为两家机构');
  await toast(other, '修改成功!');
  await row(other, '同一家医院重复建档').getByText('已撤销').waitFor();
  expect([first, second]).not.toContain('');
});

journey(
  'opening hours of several drugstores are set at once with a result for each, and a licence that ends is reminded of',
  async ({ page, open, enter }) => {
    await enter('doctor_sh', '/drugstoreManagement');
    await row(page, '营业中').waitFor();
    for (const index of [1, 2]) await page.getByRole('row').nth(index).getByRole('checkbox').check();
    await page.getByRole('button', { name: '设置营业时间' }).click();
    const hours = page.getByRole('dialog').last();
    await hours
      .getByText(/营业时间/)
      .first()
      .waitFor();
    await hours
      .getByRole('button', { name: /确\s*定|保\s*存/ })
      .last()
      .click();
    const result = page.getByRole('dialog', { name: '设置营业时间结果' });
    await result.getByText('共 2 条，成功 2 条，失败 0 条').waitFor();
    await result.getByRole('button', { name: '确定' }).click();

    await open('/drugstoreManagement?tab=licences');
    await page.getByRole('row').nth(1).getByRole('checkbox').check();
    await page.getByRole('button', { name: '发送证照提醒' }).click();
    await confirm(page);
    await page.getByRole('dialog', { name: '发送证照提醒结果' }).getByText('共 1 条').waitFor();
  },
);

journey('a file that is still on its way is waited for, and one that failed is not forgotten', async ({ page, allow, enter }) => {
  allow(/ERR_FAILED/);
  await enter('admin', '/drugstoreManagement?state=OPEN');
  const name = await page.getByRole('row').nth(1).getByRole('cell').nth(2).innerText();
  await act(page, name, '证照');
  const form = dialog(page, `证照：${name}`);
  await choose(form, '证照类型', '食品经营许可');
  await form.getByLabel('证照编号', { exact: true }).fill('JY13301060099887');
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const scan = Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  );
  const puts = (url: URL) => url.pathname.includes('/files/');
  await page.route(puts, async (route) => {
    if (route.request().method() === 'PUT') await held;
    await route.continue();
  });
  await form.locator('input[type=file]').setInputFiles({ name: '许可证.pdf', mimeType: 'application/pdf', buffer: scan });
  const save = form.getByRole('button', { name: '确定', exact: true });
  await save.click();
  await form.getByText('文件正在上传，请等上传完成后再提交').waitFor();
  letGo();
  await form.getByText('文件正在上传').waitFor({ state: 'detached' });
  await form.locator('input[type=file]').setInputFiles({ name: '说明.txt', mimeType: 'text/plain', buffer: Buffer.from('文字') });
  await save.click();
  await form.getByText('有文件未上传成功，请重试或移除后再提交').waitFor();
  await form.getByRole('button', { name: '移除' }).last().click();
  await save.click();
  await toast(page, '已提交审核');
});

journey(
  'an address is typed and its pin set by hand when no tips come; a hospital opens by its address, and one that is not there is told',
  async ({ page, signIn, open }) => {
    await signIn('doctor_sh');
    await page.route(/inputTips/, (route) =>
      route.fulfill({ contentType: 'application/json', body: JSON.stringify({ code: 'SCM90099', message: '地址服务停用', data: null }) }),
    );
    await open('/hospitalManagementMaintenance');
    await page.getByRole('row').nth(1).getByRole('button', { name: '编辑' }).click();
    const form = page.getByRole('dialog').last();
    await form.getByLabel('地址', { exact: true }).fill('康桥东路289号');
    await form.getByText('地址服务停用').waitFor();
    const before = await form.getByLabel('经度', { exact: true }).inputValue();
    const map = form.getByRole('img', { name: '位置示意图' });
    await map.scrollIntoViewIfNeeded();
    await map.click({ position: { x: 300, y: 100 } });
    await expect.poll(() => form.getByLabel('经度', { exact: true }).inputValue()).not.toBe(before);
    await form.getByRole('button', { name: '确定', exact: true }).click();
    await toast(page, '修改成功!');
    await page.getByRole('row').filter({ hasText: '康桥东路289号' }).first().waitFor();
    await open('/hospitalList');
    await page.getByRole('row').nth(1).getByRole('button', { name: '详情' }).click();
    await page.waitForURL(/hospitalId=\d+/);
    await page.reload();
    await page.getByRole('dialog').filter({ hasText: '医院详情' }).getByRole('tab', { name: '变更记录' }).waitFor();
    await open('/hospitalList?hospitalId=999999999');
    await page.getByText('医院不存在或已删除').waitFor();
  },
);

journey(
  'a drugstore whose licence has ended opens again with a new one that a second person approved',
  async ({ page, otherBrowser, enter }) => {
    await enter('admin', '/drugstoreManagement?state=SUSPENDED');
    const name = await page.getByRole('row').nth(1).getByRole('cell').nth(2).innerText();
    await row(page, name).locator('[title*="证照过期"]').waitFor();
    await act(page, name, '恢复');
    await confirm(page, '已更换证照');
    await toast(page, /药品经营许可证已过期（\d{4}-\d{2}-\d{2}）/);
    await act(page, name, '证照');
    const form = dialog(page, `证照：${name}`);
    await choose(form, '证照类型', '药品经营许可证');
    await form.getByLabel('证照编号', { exact: true }).fill('12');
    await day(form, '有效期止', '2031-12-31');
    await form.getByRole('button', { name: '确定', exact: true }).click();
    await form.getByText('证照编号格式不正确').waitFor();
    await form.getByLabel('证照编号', { exact: true }).fill('浙DB5719988');
    await form.getByRole('button', { name: '确定', exact: true }).click();
    await toast(page, '已提交审核');

    const other = await otherBrowser();
    await enter('ops_audit', '/drugstoreManagement?tab=audit', other);
    await act(other, name, '通过');
    await confirm(other);
    await toast(other, '修改成功!');
    // The licence changed the store meanwhile: the list that shows the old one says so and is read again.
    const again = page.waitForResponse((response) => response.url().endsWith('/queryDrugstoreList'));
    await act(page, name, '恢复');
    await confirm(page, '新证照已审核');
    await toast(page, /该记录已被.+修改/);
    await again;
    await page.locator('.kq-grid[aria-busy=false]').first().waitFor();
    // The toast goes after a second, the sentence stays until it is read or tried again.
    const said = page.locator('.kq-notice');
    await said.getByText(/该记录已被.+修改/).waitFor();
    await act(page, name, '恢复');
    await confirm(page, '新证照已审核');
    await toast(page, '修改成功!');
    expect(await said.count()).toBe(0);
    await page.getByRole('row').filter({ hasText: name }).waitFor({ state: 'detached' });
  },
);
