import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, dialog, row, search, toast } from '../steps.ts';

withBrowser();

const paper = {
  name: '合作协议.png',
  mimeType: 'image/png',
  buffer: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
};

journey('a channel is added, a batch of codes is made with progress and fetched as ZIP', async ({ page, enter }) => {
  await enter('admin', '/channelManagement');
  await page.getByRole('button', { name: '新增', exact: true }).click();
  const form = dialog(page, '新增渠道');
  await form
    .getByRole('button', { name: /保\s*存|确\s*定|提\s*交/ })
    .last()
    .click();
  await form.getByText('请输入渠道名称').waitFor();
  await choose(form, '渠道类型', '活动');
  await form.getByLabel('渠道名称', { exact: true }).fill('冬季义诊周');
  await form
    .getByRole('button', { name: /保\s*存|确\s*定|提\s*交/ })
    .last()
    .click();
  await toast(page, '成功');
  await search(page, '名称', '冬季义诊周');
  await act(page, '冬季义诊周', '生成二维码');

  const wizard = dialog(page, '批量生成二维码');
  await wizard.getByLabel('批次名称').fill('义诊易拉宝');
  await wizard
    .getByPlaceholder(/https:/)
    .first()
    .fill('https://not-allowed.example/page');
  for (let step = 0; step < 2; step += 1) await wizard.getByRole('button', { name: '下一步' }).click();
  await wizard.getByLabel('数量').fill('30');
  await wizard.getByRole('button', { name: '下一步' }).click();
  await wizard.getByRole('button', { name: '开始生成' }).click();
  // The wizard goes back to the step of the fault.
  await wizard.getByText('跳转地址不在允许的域名内').first().waitFor();
  await wizard
    .getByPlaceholder(/https:/)
    .first()
    .fill('https://event.kangqiao.example/winter');
  for (let step = 0; step < 3; step += 1) await wizard.getByRole('button', { name: '下一步' }).click();
  await wizard.getByRole('button', { name: '开始生成' }).click();
  await toast(page, '已开始生成');
  await row(page, '义诊易拉宝').getByText('30/30').waitFor();
  await row(page, '义诊易拉宝').getByText('已完成').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), act(page, '义诊易拉宝', '下载')]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
});

journey('a VIP budget needs its contract and a second person', async ({ page, open, otherBrowser, enter }) => {
  await enter('admin', '/channelVip');
  await page.getByRole('button', { name: '新增', exact: true }).click();
  const form = dialog(page, '新增VIP渠道');
  await choose(form, '渠道', '成都健康险', '健康险');
  await form.getByLabel('出资方').fill('康桥基金会');
  await form.getByLabel('总预算').fill('5000');
  await form
    .getByRole('button', { name: /保\s*存|确\s*定|提\s*交/ })
    .last()
    .click();
  await toast(page, '成功');
  await act(page, '康桥基金会', '提交');
  await toast(page, '请上传合作协议');
  await act(page, '康桥基金会', '编辑');
  const edit = dialog(page, '编辑VIP');
  await edit.locator('input[type=file]').setInputFiles(paper);
  await edit.getByRole('button', { name: '合作协议.png' }).waitFor();
  await edit
    .getByRole('button', { name: /保\s*存|确\s*定|提\s*交/ })
    .last()
    .click();
  await toast(page, '修改成功!');
  await act(page, '康桥基金会', '提交');
  await toast(page, '提交成功');

  const other = await otherBrowser();
  await enter('ops_audit', '/channelVip?tab=forMe', other);
  await act(other, '康桥基金会', '审核');
  await dialog(other, '康桥基金会')
    .getByRole('button', { name: /通\s*过/ })
    .click();
  await other
    .getByRole('dialog')
    .last()
    .getByRole('button', { name: /确\s*定/ })
    .click()
    .catch(() => {});
  await toast(other, '审核完成');
  await open('/channelVip?tab=live', other);
  await row(other, '康桥基金会').getByText('生效中').waitFor();
});

journey('scene codes are previewed per pair of channel and doctor before they are made', async ({ page, enter }) => {
  await enter('admin', '/sceneCode');
  await page.getByRole('button', { name: '新增', exact: true }).click();
  const form = dialog(page, '新增场景码');
  await choose(form, '场景', '血压管理', '血压管理');
  await choose(form, '渠道', '上海合作项目', '上海合作');
  await form.getByRole('button', { name: '预览组合' }).click();
  await form.getByText('将新增 1 个，已存在 0 个，不可生成 0 个').waitFor();
  await form.getByRole('button', { name: /生成$/ }).click();
  await toast(page, '新增 1 个');
  await row(page, '血压管理').waitFor();
});

journey('a live code with a daily limit asks for a backup', async ({ page, enter }) => {
  await enter('admin', '/weChatWorkManagement?tab=liveCodes');
  await page.getByRole('button', { name: /新增/ }).first().click();
  const form = dialog(page, '新增活码');
  await choose(form, '企业', '本地模拟');
  await form.getByLabel('名称', { exact: true }).fill('门诊加好友');
  await choose(form, '渠道', '上海合作项目', '上海合作');
  await choose(form, '成员', '李', '李');
  await form.getByLabel('每日上限（0不限）').fill('20');
  await form
    .getByRole('button', { name: /保\s*存|确\s*定|提\s*交/ })
    .last()
    .click();
  await page.getByText('请设置备用成员').first().waitFor();
  await form.getByRole('button', { name: '添加成员' }).click();
  await choose(form, '成员', '王', '王');
  await form.getByLabel('备用').last().check();
  await form
    .getByRole('button', { name: /保\s*存|确\s*定|提\s*交/ })
    .last()
    .click();
  await toast(page, '成功');
  await row(page, '门诊加好友').waitFor();
});

/** Names a weekday that is neither this day nor the next. */
const otherDay = (today: string) => '一二三四五六日'[(new Date(today).getUTCDay() + 2) % 7]!;

journey(
  'a live code shows who is on duty, the backup when his limit is reached, and greets who adds',
  async ({ page, today, open, otherBrowser, enter }) => {
    await enter('admin', '/weChatWorkManagement?tab=liveCodes');
    await page.getByRole('button', { name: '新增活码' }).click();
    const form = dialog(page, '新增活码');
    await choose(form, '企业', '本地模拟');
    await form.getByLabel('名称', { exact: true }).fill('晚间接待码');
    await choose(form, '渠道', '上海合作项目', '上海合作');
    await choose(form, '成员', '李', '李');
    await form.getByLabel('每日上限（0不限）').fill('1');
    // The second is off today: only the backup follows the first.
    await form.getByRole('button', { name: '添加成员' }).click();
    await choose(form, '成员', '陈', '陈');
    await form
      .getByRole('button', { name: `周${otherDay(today)}`, exact: true })
      .last()
      .click();
    await form.getByRole('button', { name: '添加成员' }).click();
    await choose(form, '成员', '王', '王');
    await form.getByLabel('备用').last().check();
    await form.getByLabel('欢迎语', { exact: true }).fill('您好');
    for (const word of ['{客户昵称}', '{成员姓名}']) await form.getByRole('button', { name: word }).click();
    await form.getByRole('button', { name: '确定', exact: true }).click();
    await row(page, '晚间接待码').getByText('使用中').waitFor();
    await row(page, '晚间接待码').getByRole('button', { name: '预览' }).click();
    const link = await page.getByRole('dialog').last().locator('.kq-number').innerText();
    const address = new URL(link).pathname;

    const first = await otherBrowser();
    await open(address, first);
    await first.getByText('长按识别二维码，添加企业微信好友').waitFor();
    const onDuty = await first.locator('h1').innerText();
    expect(onDuty).toMatch(/^李/);
    await first.getByRole('button', { name: '添加' }).click();
    await first.getByText(new RegExp(`^您好访客.{4}${onDuty}$`)).waitFor();
    const second = await otherBrowser();
    await open(address, second);
    await second.locator('h1', { hasText: /^王/ }).waitFor();
    await open('/weChatWorkManagement?tab=contacts');
    await row(page, onDuty).waitFor();
  },
);

journey(
  'a printed code opens its stored target and nothing else; stopped it says so, and a wrong one is no code',
  async ({ page, open, otherBrowser, allow, enter }) => {
    allow(/status of 4(04|10)/);
    await enter('admin', '/commonQRcode?name=海报');
    const shown = row(page, '使用中');
    await shown.waitFor();
    const token = (await shown.innerText()).match(/[0-9A-Z]{10}/)![0];
    const visitor = await otherBrowser();
    // Where a code leads is outside of the product: the way there is read, not gone.
    const target = async (path: string) =>
      (await visitor.request.get(new URL(path, page.url()).href, { maxRedirects: 0 })).headers()['location'];
    expect(await target(`/q/${token.toLowerCase()}?url=https://evil.example/`)).toMatch(/^https:\/\/\w+\.kangqiao\.example\/.*[?&]st=/);
    await open(`/q/${token.slice(0, 9)}${token.endsWith('Y') ? 'X' : 'Y'}`, visitor);
    await visitor.getByText('二维码无效').first().waitFor();
    await act(page, token, '停用');
    await confirm(page);
    await row(page, token).getByText('已停用').waitFor();
    await open(`/q/${token}`, visitor);
    await visitor.getByText('二维码已停用').first().waitFor();
    await act(page, token, '启用');
    await confirm(page);
    await row(page, token).getByText('使用中').waitFor();
    expect(await target(`/q/${token}`)).toMatch(/kangqiao\.example/);
    // What was scanned is seen at once.
    await open(`/commonQRcode?tab=scans&token=${token}`);
    await page.getByRole('row').filter({ hasText: '已停用' }).first().waitFor();
    expect(await page.getByRole('row').filter({ hasText: '成功' }).count()).toBeGreaterThanOrEqual(2);
  },
);

journey('whoever may only look at channels finds nothing to change', async ({ page, enter }) => {
  await enter('chan_view', '/channelManagement');
  await search(page, '名称', '浙一心内科地推');
  await row(page, '浙一心内科地推').getByRole('button', { name: '详情', exact: true }).waitFor();
  const changes = [
    '新增',
    '导入',
    '编辑',
    '新增下级',
    '生成二维码',
    '场景码',
    '升级VIP',
    '停用',
    '启用',
    '删除',
    '更多',
    '批量停用',
    '批量调整代表',
  ];
  for (const name of changes) expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
});
