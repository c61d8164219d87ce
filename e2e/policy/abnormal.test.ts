import { expect } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { act, confirm, day, dialog, row, toast } from '../steps.ts';
import { listed } from './listFile.ts';
import { addPolicy, fillPerson, openPolicy, passEndorsement } from './policySteps.ts';

withBrowser();

journey(
  'what the checks find is taken over, mended by its guide and looked at again; what is set aside two people set aside',
  async ({ page, enter, allow, today }) => {
    // A check that still finds it refuses to call it solved.
    allow(/auditFinding|400|409|422/);
    const policyNo = `YC${today.replaceAll('-', '')}01`;
    const findings = `/abnormalPolicyData?policyNo=${policyNo}`;
    await enter('product_a', '/policyManage');
    await addPolicy(page, {
      policyNo,
      holder: '巡检精密仪器（江苏）股份有限公司南京江北新区分公司',
      start: plusDays(today, -10),
      end: plusDays(today, 354),
      declared: '3',
    });

    await enter('product_r', '/abnormalPolicyData');
    await page.getByRole('button', { name: '立即检查' }).click();
    await toast(page, /已检查32项，发现\d+处，新增\d+条/);
    await page.getByText('按检查项与保司分布').click();
    const heat = page.getByRole('table').first();
    const cells = heat.getByRole('row').filter({ hasText: '有效保单无被保人' });
    await cells.getByRole('link', { name: /^\d+$/ }).first().click();
    await row(page, policyNo).getByText('待处理').waitFor();
    expect(await row(page, policyNo).innerText()).toContain('无在保被保人');
    // Who runs the checks mends nothing himself.
    expect(await row(page, policyNo).getByRole('button', { name: '领取' }).count()).toBe(0);

    await enter('product_a', findings);
    await act(page, policyNo, '领取');
    await confirm(page);
    await toast(page, '操作成功!');
    await row(page, policyNo).getByText('处理中').waitFor();
    expect(await row(page, policyNo).innerText()).toContain('程程');
    await act(page, policyNo, '立即复查');
    await confirm(page);
    await page.getByText('复查未通过：应为至少1人在保，实为无在保被保人').first().waitFor();

    // The guide leads to the endorsement that mends it, of its kind and on its policy.
    await act(page, policyNo, '详情');
    const finding = dialog(page, '异常详情');
    await finding.getByText('向保司或投保人索取被保人清单').waitFor();
    await finding.getByRole('button', { name: '办理增员批单' }).click();
    const change = dialog(page, `批改 ${policyNo}`);
    await fillPerson(change, listed('周一鸣', 751));
    await change.getByText('补收').waitFor();
    await change.getByLabel('批改原因').fill('按异常数据指引补录');
    await change.getByRole('button', { name: '提交审核' }).click();
    await toast(page, '提交成功!');
    // It says what was done, before that took effect.
    await finding.getByRole('button', { name: /^处\s*理$/ }).click();
    const saying = dialog(page, '提交处理');
    await saying.getByRole('textbox').fill('已办理增员批单');
    await saying.getByRole('button', { name: '确定', exact: true }).click();
    await page.getByText('复查未通过：应为至少1人在保，实为无在保被保人').first().waitFor();
    await finding.getByText('处理中').first().waitFor();

    await enter('product_r', `/policyManage?policyNo=${policyNo}`);
    await openPolicy(page, policyNo, '批单');
    await passEndorsement(page, '按异常数据指引补录');

    await enter('product_a', findings);
    await act(page, policyNo, '处理');
    await dialog(page, '提交处理').getByRole('textbox').fill('增员批单已生效');
    await dialog(page, '提交处理').getByRole('button', { name: '确定', exact: true }).click();
    await toast(page, '操作成功!');
    await row(page, policyNo).waitFor({ state: 'detached' });
    await enter('product_a', `${findings}&tab=resolved`);
    await row(page, policyNo).getByText('已解决').waitFor();

    // One person is covered now, three were declared.
    await enter('product_r', '/abnormalPolicyData?tab=checks');
    await row(page, 'AB07').getByRole('button', { name: '运行检查' }).click();
    await toast(page, /发现\d+处，新增[1-9]\d*条/);

    await enter('product_a', findings);
    await row(page, policyNo).getByText('在保1人').waitFor();
    await act(page, policyNo, '申请忽略');
    const asking = dialog(page, '申请忽略');
    await asking.getByLabel('说明').fill('投保人按季更新申报人数');
    // The key that ends a day hands the question in.
    await day(asking, '忽略至', plusDays(today, 91));
    await asking.getByText('忽略期限须在90天以内').first().waitFor();
    await day(asking, '忽略至', plusDays(today, 60));
    await toast(page, '操作成功!');
    await enter('product_a', `${findings}&tab=ignore`);
    await row(page, policyNo).getByText('待批准忽略').waitFor();
    // Nobody grants his own wish.
    expect(await row(page, policyNo).getByRole('button', { name: '批准忽略' }).count()).toBe(0);

    await enter('product_r', `${findings}&tab=ignore`);
    await act(page, policyNo, '批准忽略');
    await confirm(page, '同意，下季度复核');
    await toast(page, '操作成功!');
    await row(page, policyNo).waitFor({ state: 'detached' });
    await enter('product_r', `${findings}&tab=all`);
    await row(page, '在保1人').getByText('已忽略').waitFor();
    await act(page, '在保1人', '详情');
    await finding.getByText(`${plusDays(today, 60)}，程程申请`).waitFor();
  },
);
