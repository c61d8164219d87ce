import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { journey, withBrowser } from '../journey.ts';

withBrowser();

/** Buttons of who reads only: they belong to a list, open a record or copy what is shown. */
const reading = new RegExp(
  `^(${[
    '',
    '查询',
    '清除条件',
    '重置',
    '视图',
    '展开',
    '收起',
    '导出',
    '刷新',
    '列设置',
    '清除',
    '详情',
    '查看.*',
    '预览.*',
    '下载',
    '打包下载',
    '统计',
    '复制',
    '复制链接',
    '变更记录',
    '操作轨迹',
    '归属轨迹',
    '绑定历史',
    '科室',
    '院区',
    '药品',
    '代表',
    '商品与价格',
    '进入会话',
    '失败明细',
    '下载PDF',
    '对比统计',
    '取消选择',
    '在岗人数.*',
    '平均负荷.*',
    '超负荷人数.*',
    '无医助医生数.*',
  ].join('|')})$`,
);

/** The list pages of the provider side, each with a word that stands there when its rows do. */
const pages: readonly (readonly [string, string])[] = [
  ['/doctorManagement', '详情'],
  ['/doctorManagement?tab=audit', '查看'],
  ['/helpDoctorManage', '绑定历史'],
  ['/doctorManagementService?tab=all', '元'],
  ['/doctorCard', '李文博'],
  ['/doctorService', '详情'],
  ['/serviceConfig', '接诊时效'],
  ['/payConsultation', '详情'],
  ['/doctorPatientChannelManagement', '归属轨迹'],
  ['/patientRealNameSwitch', '系统默认'],
  ['/hospitalManagementAudit', '查看'],
  ['/hospitalManagementMaintenance', '院区'],
  ['/hospitalList', '详情'],
  ['/drugstoreManagement', '详情'],
  ['/drugstoreManagement?tab=audit', '查看'],
  ['/agentList', '详情'],
  ['/pharmaceuticalEnterprises', '详情'],
  ['/pharmaceuticalEnterprisesProductLine', '操作轨迹'],
  ['/drugCategory', '心血管'],
  ['/medicineManagementTable', '商品与价格'],
  ['/channelVip', '详情'],
  ['/channelManagement', '详情'],
  ['/sceneCode', '复制链接'],
  ['/commonQRcode', '变更记录'],
  ['/weChatWorkManagement', '回调地址'],
  ['/weChatWorkManagement?tab=liveCodes', '不限'],
];

/**
 * Within the product, as by a link: the pages are many, and each is opened once. The page that is left is marked: it may stand a moment
 * longer.
 */
const goTo = (page: Page, path: string) =>
  page.evaluate((href) => {
    const shown = [...document.querySelectorAll<HTMLElement>('.kq-page')].find((one) => one.checkVisibility());
    if (shown && new URL(href, location.href).pathname !== location.pathname) shown.dataset['left'] = 'true';
    history.pushState(null, '', href);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** What a page offers beyond reading, when its rows are there and the first of them is ticked. */
async function offered(page: Page, path: string, word: string): Promise<string[]> {
  await goTo(page, path);
  const main = page.locator('.kq-page:not([data-left]):visible');
  await page.waitForFunction(
    (text) =>
      [...document.querySelectorAll<HTMLElement>('.kq-page:not([data-left])')].some(
        (one) => one.checkVisibility() && one.innerText.includes(text),
      ),
    word,
    { polling: 50 },
  );
  // What can be done with ticked rows is shown when one is ticked.
  await main.evaluate((shown) => shown.querySelector<HTMLInputElement>('[role=rowgroup] [role=row] .kq-check[type=checkbox]')?.click());
  return main.evaluate((shown, where) => {
    const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
    // Turning the page and sorting by a column are reading.
    const buttons = [...shown.querySelectorAll<HTMLButtonElement>('button:not([disabled]):not([role=switch]):not([role=tab])')].filter(
      (button) => isSeen(button) && !button.closest('.ant-pagination, [role=columnheader]'),
    );
    const fields = [
      ...shown.querySelectorAll('input[type=file]:not([disabled])'),
      ...[...shown.querySelectorAll('[role=switch]:not([disabled])')].filter(isSeen),
    ];
    return [
      ...new Set(buttons.map((button) => (button.getAttribute('aria-label') ?? button.innerText).replaceAll(/\s/g, ''))),
      ...(fields.length > 0 ? [`${fields.length} fields to fill`] : []),
    ].map((label) => `${where}: ${label}`);
  }, path);
}

journey(
  'who may only look finds everything and nothing to change, and the page of a form says that it is not for him',
  async ({ page, secondTab, signIn, open }) => {
    await signIn('audit_a');
    // Two tabs of one sign-in share the way: they wait for different things.
    const other = await secondTab();
    await open('/editRole?roleId=1', other);
    await other.getByText('没有访问该页面的权限').waitFor();
    expect(other.url()).toContain('/editRole');
    const walk = async (tab: Page, half: typeof pages) => {
      const all: string[] = [];
      for (const [path, word] of half) all.push(...(await offered(tab, path, word)));
      return all;
    };
    const half = Math.ceil(pages.length / 2);
    const all = (await Promise.all([walk(page, pages.slice(0, half)), walk(other, pages.slice(half))])).flat();
    expect(all.filter((offer) => !reading.test(offer.slice(offer.indexOf(': ') + 2)))).toEqual([]);
  },
);
