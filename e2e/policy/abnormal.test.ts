import { expect } from 'vitest';
import { plusDays } from '../../src/kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, dialog, row, toast } from '../steps.ts';
import { newPerson, newPolicy, passEndorsement } from './steps.ts';

withBrowser();

const CHECK = '有效保单无被保人';

journey(
  'policies without anybody are found, come to their owner, one is mended by its guide and looked at again, the other is set aside by two persons',
  async ({ page, enter, today, allow }) => {
    const [mended, ignored] = [1, 2].map((n) => `JA${today.replaceAll('-', '')}0${n}`) as [string, string];
    await enter('product_a', '/policyManage');
    for (const policyNo of [mended, ignored]) {
      await newPolicy(page, { policyNo, holder: `巡检${policyNo}公司`, from: plusDays(today, -10), to: plusDays(today, 354) });
      await dialog(page, '保单详情').getByRole('button', { name: 'Close' }).click();
    }

    // Whose findings are from the first on.
    await enter('product_r', '/abnormalPolicyData?tab=owners');
    await page.getByRole('button', { name: '新增责任人' }).click();
    const owner = dialog(page, '新增责任人');
    await owner.getByRole('button', { name: /确\s*定/ }).click();
    await owner.getByText(/请.*责任人/).waitFor();
    await choose(owner, '责任人', '程程');
    await owner.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');
    await row(page, '程程').getByText('全部保司').waitFor();
    await page.getByRole('button', { name: '立即检查' }).click();
    await toast(page, /已检查32项，发现\d+处/);

    // From where they gather to the list of them.
    await page.getByText('按检查项与保司分布').click();
    await row(page.locator('details'), CHECK).getByRole('link').last().click();
    await row(page, mended).getByText('程程').waitFor();
    await page.waitForURL(/checkCode=AB06/);
    await row(page, ignored).waitFor();
    expect(await page.locator('.kq-list .ant-table-row, .kq-table tbody tr').filter({ hasText: '人数与申报不符' }).count()).toBe(0);

    await enter('product_a', `/abnormalPolicyData?tab=mine&policyNo=${mended}`);
    await act(page, mended, '详情');
    const finding = dialog(page, '异常详情');
    await finding.getByText('至少1人在保').waitFor();
    await finding.getByRole('button', { name: '领取' }).click();
    await confirm(page);
    await toast(page, '操作成功!');
    await finding.getByText('处理中').first().waitFor();
    // Nothing was mended.
    allow(/auditFinding/);
    await finding.getByRole('button', { name: '立即复查' }).click();
    await confirm(page);
    await toast(page, '复查未通过：应为至少1人在保，实为无在保被保人');
    await finding.getByRole('button', { name: '办理批单' }).click();
    await choose(dialog(page, `批改 ${mended}`), '批单类型', '增员');
    await newPerson(page, mended, { name: '郑小红', idNo: '110101199003070046', reason: '补录被保人' });
    await enter('product_r', `/policyManage?policyNo=${mended}`);
    await act(page, mended, '详情');
    await passEndorsement(page, '补录被保人');
    await enter('product_a', `/abnormalPolicyData?tab=mine&policyNo=${mended}`);
    await act(page, mended, '立即复查');
    await confirm(page);
    await toast(page, '操作成功!');
    await enter('product_a', `/abnormalPolicyData?tab=resolved&policyNo=${mended}`);
    await row(page, mended).getByText('已解决').waitFor();

    // Set aside: asked for by one, granted by another one.
    await enter('product_a', `/abnormalPolicyData?tab=mine&policyNo=${ignored}`);
    await act(page, ignored, '申请忽略');
    const ask = dialog(page, '申请忽略');
    await ask.getByRole('button', { name: /确\s*定/ }).click();
    await ask
      .getByText(/请.*说明/)
      .first()
      .waitFor();
    await ask.getByLabel('说明').fill('投保人正在收集名单');
    await ask.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '操作成功!');
    await enter('product_a', `/abnormalPolicyData?tab=ignore&policyNo=${ignored}`);
    await row(page, ignored).getByText('待批准忽略').waitFor();
    expect(
      await row(page, ignored)
        .getByRole('button', { name: /批准忽略|更多/ })
        .count(),
    ).toBe(0);
    await enter('product_r', `/abnormalPolicyData?tab=ignore&policyNo=${ignored}`);
    await act(page, ignored, '批准忽略');
    await confirm(page);
    await toast(page, '操作成功!');
    await enter('product_r', `/abnormalPolicyData?tab=all&policyNo=${ignored}`);
    await row(page, ignored).getByText('已忽略').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: /导出/ }).first().click();
    await page
      .getByRole('dialog', { name: '选择导出列' })
      .getByRole('button', { name: /^导出（/ })
      .click();
    expect((await saved).suggestedFilename()).toMatch(/^异常保单数据_.*\.xlsx$/);

    // Who only looks sees no act; the owner is taken off again.
    await enter('audit_a', '/abnormalPolicyData?tab=all');
    await row(page, ignored).waitFor();
    expect(await page.getByRole('button', { name: /^(领取|转派|立即检查|申请忽略|立即复查)$/ }).count()).toBe(0);
    await enter('product_r', '/abnormalPolicyData?tab=owners');
    await act(page, '程程', '删除');
    await confirm(page);
    await toast(page, '删除成功!');
    await page.getByText('还没有责任人').waitFor();
  },
);
