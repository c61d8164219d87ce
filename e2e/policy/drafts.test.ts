import { expect } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, dialog, row, toast } from '../steps.ts';
import { listed } from './listFile.ts';
import { paper } from './paper.ts';
import { addPolicy, fillPerson, openPolicy, passEndorsement } from './policySteps.ts';

withBrowser();

const REASON = '补录漏报员工';

journey(
  'an endorsement is kept as a draft, left, gone on with where it was, sent back, mended and passed',
  async ({ page, enter, allow, today }) => {
    allow(/addEndorsement|400|409|422/);
    const policyNo = `CG${today.replaceAll('-', '')}01`;
    const newcomer = listed('周三鸣', 771);
    const kept = `现为 ${newcomer.idNo.slice(0, 3)}***********${newcomer.idNo.slice(-4)}，不填则不变`;
    await enter('product_a', '/policyManage');
    await addPolicy(page, { policyNo, holder: '巡检纺织有限公司', start: today, end: plusDays(today, 364) });
    const policy = dialog(page, '保单详情');
    await policy.getByRole('tab', { name: '批单' }).click();
    await policy.getByText('还没有批单').waitFor();
    const begin = async () => {
      await policy.getByRole('button', { name: '批改' }).click();
      await page.getByRole('menuitem', { name: '增员' }).click();
    };
    await begin();
    const change = dialog(page, `批改 ${policyNo}`);
    // Half a form is no draft: what is missing is told.
    await change.getByRole('button', { name: '保存草稿' }).click();
    await change.getByText('请填写批改原因').first().waitFor();
    await fillPerson(change, { ...newcomer, mobile: '13900001234' });
    await change.getByLabel('批改原因').fill(REASON);
    await change.locator('input[type=file]').setInputFiles(paper('入职证明.pdf'));
    await change.getByRole('button', { name: '入职证明.pdf' }).waitFor();
    await change.getByText('365.00').first().waitFor();
    await change.getByRole('button', { name: '保存草稿' }).click();
    await toast(page, '草稿已保存');
    await change.waitFor({ state: 'hidden' });
    await row(policy, REASON).getByText('待提交').waitFor();
    // One of a kind waits at a time: the draft is gone on with, not made again.
    await begin();
    await fillPerson(change, listed('周四鸣', 773));
    await change.getByLabel('批改原因').fill('另一名员工');
    await change.getByRole('button', { name: '保存草稿' }).click();
    await page
      .getByText(/该保单已有待提交的增员批单PD\d+，请先提交或作废/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '放弃修改' }).click();
    await change.waitFor({ state: 'hidden' });

    // Whoever checks it wrote none of it.
    await enter('product_r', `/policyManage?policyNo=${policyNo}`);
    await openPolicy(page, policyNo, '批单');
    await row(policy, REASON).getByText('待提交').waitFor();
    for (const name of ['修改', '审核', '提交']) expect(await row(policy, REASON).getByRole('button', { name }).count()).toBe(0);

    // Another day: the form is as it was left, its numbers masked and kept.
    await enter('product_a', `/policyManage?policyNo=${policyNo}`);
    await openPolicy(page, policyNo, '批单');
    await act(page, REASON, '修改');
    const goingOn = dialog(page, /修改批单 PD\d+/);
    expect(await goingOn.getByLabel('姓名').inputValue()).toBe(newcomer.name);
    expect(await goingOn.getByLabel('证件号').inputValue()).toBe('');
    await goingOn.getByText(kept).waitFor();
    await goingOn.getByText('现为 139****1234，不填则不变').waitFor();
    await goingOn.getByText('入职证明.pdf').waitFor();
    await goingOn.getByText('365.00').first().waitFor();
    expect(await goingOn.getByLabel('批单类型').isDisabled()).toBe(true);
    await choose(goingOn, '计划', 'P2 二档');
    await goingOn.getByText('688.00').first().waitFor();
    // What could not be saved while a file is on its way leaves nothing behind: the next hand-in is one.
    let arrives = () => {};
    const stored = new Promise<void>((resolve) => (arrives = resolve));
    const isUpload = (url: URL) => url.pathname.includes('/files/put/');
    await page.route(isUpload, async (route) => {
      await stored;
      await route.fallback();
    });
    await goingOn.locator('input[type=file]').setInputFiles(paper('工资单.pdf'));
    await goingOn.getByText('工资单.pdf').waitFor();
    await goingOn.getByRole('button', { name: '保存草稿' }).click();
    await goingOn.getByText('文件正在上传，请等上传完成后再提交').waitFor();
    arrives();
    await goingOn.getByRole('button', { name: '工资单.pdf' }).waitFor();
    await page.unroute(isUpload);
    await goingOn.getByRole('button', { name: '提交审核' }).click();
    await toast(page, '提交成功!');
    await row(policy, REASON).getByText('待审核').waitFor();

    await enter('product_r', `/policyManage?policyNo=${policyNo}`);
    await openPolicy(page, policyNo, '批单');
    await act(page, REASON, '审核');
    const check = dialog(page, '审核批单');
    await check.getByText('¥688.00').first().waitFor();
    await check.getByLabel('复核意见').fill('该员工应为一档');
    await check.getByRole('button', { name: '驳回' }).click();
    await toast(page, '审核完成!');

    await enter('product_a', `/policyManage?policyNo=${policyNo}`);
    await openPolicy(page, policyNo, '批单');
    await row(policy, REASON).getByText('已驳回').waitFor();
    await act(page, REASON, '修改');
    await goingOn.getByText('苏琳驳回：该员工应为一档').waitFor();
    await choose(goingOn, '计划', 'P1 一档');
    await goingOn.getByText('365.00').first().waitFor();
    await goingOn.getByRole('button', { name: '仅保存' }).click();
    await toast(page, '保存成功!');
    await goingOn.waitFor({ state: 'hidden' });
    await row(policy, REASON).getByText('365.00').waitFor();
    await act(page, REASON, '提交');
    await confirm(page);
    await toast(page, '操作成功!');

    await enter('product_r', `/policyManage?policyNo=${policyNo}`);
    await openPolicy(page, policyNo, '批单');
    await passEndorsement(page, REASON);
    await row(policy, REASON).getByText('已生效').waitFor();
    await policy.getByRole('tab', { name: '被保人' }).click();
    const person = row(policy, newcomer.name);
    await person.getByText('保障中').waitFor();
    expect(await person.innerText()).toContain('139****1234');
  },
);
