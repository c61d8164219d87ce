import { expect } from 'vitest';
import { journey, withBrowser } from './journey.ts';

withBrowser();

/** Buttons of who reads only: they belong to a list, open a record or copy what is shown. */
const reading = new RegExp(`^(${[
  '', '查询', '重置', '视图', '展开', '收起', '导出', '刷新', '列设置', '清除', '详情', '查看.*', '预览.*', '下载', '打包下载', '统计', '复制', '复制链接', '变更记录', '操作轨迹', '归属轨迹', '绑定历史',
  '科室', '院区', '药品', '代表', '商品与价格', '进入会话', '失败明细', '下载PDF', '对比统计', '取消选择', '在岗人数.*', '平均负荷.*', '超负荷人数.*', '无医助医生数.*',
].join('|')})$`);

/** The list pages of the provider side, each with a word that stands there when its rows do. */
const pages: readonly (readonly [string, string])[] = [
  ['/doctorManagement', '详情'], ['/doctorManagement?tab=audit', '查看'], ['/helpDoctorManage', '绑定历史'], ['/doctorManagementService?tab=all', '元'], ['/doctorCard', '李文博'], ['/doctorService', '详情'], ['/serviceConfig', '接诊时效'],
  ['/payConsultation', '详情'], ['/doctorPatientChannelManagement', '归属轨迹'], ['/patientRealNameSwitch', '系统默认'],
  ['/hospitalManagementAudit', '查看'], ['/hospitalManagementMaintenance', '院区'], ['/hospitalList', '详情'], ['/drugstoreManagement', '详情'], ['/drugstoreManagement?tab=audit', '查看'],
  ['/agentList', '详情'], ['/pharmaceuticalEnterprises', '详情'], ['/pharmaceuticalEnterprisesProductLine', '操作轨迹'], ['/drugCategory', '心血管'], ['/medicineManagementTable', '商品与价格'],
  ['/channelVip', '详情'], ['/channelManagement', '详情'], ['/sceneCode', '复制链接'], ['/commonQRcode', '变更记录'], ['/weChatWorkManagement', '回调地址'], ['/weChatWorkManagement?tab=liveCodes', '不限'],
];

journey('who may only look finds everything and nothing to change, and the page of a form says that it is not for him', async ({ page, signIn, open }) => {
  await signIn('audit_a');
  const main = page.locator('.kq-page:visible');
  const faults: string[] = [];
  for (const [path, word] of pages) {
    // Within the product, as by a link: the pages are many.
    await page.evaluate((href) => {
      history.pushState(null, '', href);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await main.getByText(word).locator('visible=true').first().waitFor();
    // What can be done with ticked rows is shown when one is ticked.
    const box = main.getByRole('row').nth(1).getByRole('checkbox');
    if (await box.count()) await box.check();
    const shown = await main.locator('button:visible:not([disabled]):not([role=switch]):not([role=tab])').evaluateAll((buttons) => buttons.map((button) => (button.getAttribute('aria-label') ?? (button as HTMLElement).innerText).replaceAll(/\s/g, '')));
    faults.push(...new Set(shown.filter((label) => !reading.test(label)).map((label) => `${path}: ${label}`)));
    const fields = await main.locator('input[type=file]:not([disabled]), [role=switch]:visible:not([disabled])').count();
    if (fields > 0) faults.push(`${path}: ${fields} fields to fill`);
  }
  expect(faults).toEqual([]);
  await open('/editRole?roleId=1');
  await page.getByText('没有访问该页面的权限').waitFor();
  expect(page.url()).toContain('/editRole');
});
