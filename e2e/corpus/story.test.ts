import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hours, plusMs, startOfDay } from '#kernel/contract/time.ts';
import { digitsOf, issue, patientUser } from '#domains/consultation/server/testing/participantWorld.ts';
import { makeInquiry, type Served } from '#domains/consultation/server/testing/inquiryWorld.ts';
import { row } from '#domains/corpus/server/testing/fixtures.ts';
import { agree, makeText, prepareScene, type Prepared } from '#domains/corpus/server/testing/engineWorld.ts';
import { hashPassword } from '#domains/identity/server/login/passwords.ts';
import { makeDiagnosis, publishAndDeliver } from '#domains/patient/server/testing/fixtures.ts';
import { orderPaid } from '#events/order.ts';
import { BROWSER_FOLDER } from '../../src/server.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { launchBrowser, person } from '../browser.ts';
import { act } from '../steps.ts';
import { PASSWORD, takeSession } from '../signIn.ts';

let app: TestApp;
let browser: Browser;
let address: string;
beforeAll(async () => {
  app = await startTestApp({ browser: { folder: BROWSER_FOLDER, buildId: 'story' } });
  address = await app.listen();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const daysLeft = { variableName: '剩余用药天数', variableId: '6' };
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const confirm = (page: Page) => page.getByRole('dialog').last().getByRole('button', { name: '确定', exact: true }).click();

/** A window of its own of somebody who has signed in; the session of the day before is over. */
async function enter(userName: string, path: string): Promise<Page> {
  const page = await (await browser.newContext(person)).newPage();
  await takeSession(page, address, userName, '8888');
  await page.goto(address + path);
  return page;
}

/** Does what falls due until the page shows it. */
const worked = (shown: Locator) =>
  expect
    .poll(async () => {
      await app.runDue();
      return shown.count();
    })
    .toBeGreaterThan(0);

let orders = 0;
/** 28 days of 奥希替尼, as the order domain tells. */
async function buy(patientId: string, at: string): Promise<void> {
  orders += 1;
  const orderId = String(910_000 + orders);
  await publishAndDeliver(app, orderPaid, orderId, {
    orderId,
    orderNo: `DD20261121${orders}`,
    bizLine: 'OWN',
    orderType: 'B2C',
    patientId,
    contractId: null,
    claimOrderId: null,
    drugstoreId: null,
    drugstoreName: null,
    suggestNo: null,
    payFen: 1_530_000,
    orderTime: at,
    statusCode: 'PAID',
    statusName: '已支付',
    at,
    selfPayAmount: 1_530_000,
    cardAmount: 0,
    lines: [
      {
        orderLineId: orderId,
        lineNo: 1,
        medicineId: '71',
        goodsCode: 'G1',
        goodsName: '甲磺酸奥希替尼片',
        spec: '80mg×30片',
        quantity: 1,
        daysSupply: 28,
        amount: 1_530_000,
        benefitShare: 0,
        cardShare: 0,
        couponShare: 0,
        selfPayShare: 1_530_000,
        freightShare: 0,
        taxCode: null,
        taxRateBp: null,
        taxScheme: null,
        traceCodes: [],
      },
    ],
  });
  await app.runDue();
}

/** 张建国, whose medicine lasts for five more days, and a scene that reminds of it. */
async function prepare(): Promise<{ served: Served; scene: Prepared; maker: TestStaff; checker: TestStaff }> {
  const served = await makeInquiry(app);
  const { patientId } = served.sufferer;
  await app.database.asOwner(`update patient_patient set name = '张建国' where id = ${patientId}`);
  await makeDiagnosis(app, patientId, { icd10: 'C34.9' });
  await agree(app, patientId);
  await buy(patientId, plusMs(app.clock.now(), -hours(24 * 24)));
  const maker = await app.staff({ role: 'CORPUS_OPS', password: PASSWORD, userName: 'story_maker' });
  const checker = await app.staff({ role: 'MEDICAL_AUDIT', password: PASSWORD, userName: 'story_checker' });
  const scene = await prepareScene(app, {
    group: true,
    icd10: 'C34',
    launch: [row('<=', '5', daysLeft)],
    stop: [row('>', '20', daysLeft)],
    items: [0, 3].map((dayOffset) => ({ dayOffset, sendTime: '11:00', touchKind: 'MEDICATION' as const })),
    materialIds: [await makeText(app, '{{患者称呼:您}}，您的药还可服用约{{剩余用药天数:几}}天，请提前续方购药')],
    policy: { goal: 'ORDER_PAID', goalWindowDays: 7 },
  });
  return { served, scene, maker, checker };
}

it('张建国 is reminded before his medicine runs out, reads it, buys, and the reminder counts as what made him', async () => {
  const { served, scene, maker, checker } = await prepare();
  const { patientId } = served.sufferer;
  const at = `/corpus?diseaseId=${scene.diseaseId}&sceneId=${scene.sceneId}`;

  const ops = await enter(maker.userName, `${at}&tab=preview`);
  await ops.getByRole('button', { name: '试运行', exact: true }).click();
  await worked(ops.getByText('张**'));
  await ops.getByText('近14天对比', { exact: true }).click();
  await ops.getByRole('button', { name: '对比近14天' }).click();
  await worked(ops.getByRole('button', { name: '重新对比' }).and(ops.locator(':enabled')));
  await tab(ops, '版本').click();
  await ops.getByRole('button', { name: '提交审核' }).click();
  await ops.getByRole('dialog').last().getByLabel('意见').fill('肺癌靶向药复购提醒');
  await confirm(ops);
  await ops.getByText('待审核').first().waitFor();

  const audit = await enter(checker.userName, at);
  await tab(audit, '版本').click();
  await act(audit, 'V1', '通过并发布');
  await confirm(audit);
  await worked(audit.getByLabel('发布状态').getByText('V1'));

  const { token } = await issue(app, served, patientUser(served));
  const phone = await (await browser.newContext({ ...person, viewport: { width: 420, height: 800 } })).newPage();
  await phone.goto(`${address}/wx/consult?ticket=${token}`);
  await phone.getByRole('textbox').fill(await digitsOf(app, patientUser(served)));
  await phone.getByRole('button').last().click();
  await phone.getByRole('log', { name: '消息' }).waitFor();
  app.clock.set(startOfDay('2026-11-21', '11:00'));
  await app.runDue();
  await phone.getByText(/您的药还可服用约\d+天，请提前续方购药/).waitFor();

  app.clock.advance(hours(5));
  await buy(patientId, app.clock.now());
  // Facts of a person are judged together after half a minute.
  await app.advance(60_000);
  const after = await enter(maker.userName, at);
  await tab(after, '随访实例').click();
  const line = after.getByRole('row', { name: /张\*\*/ }).first();
  await line.getByText('已终止').waitFor();
  await line.getByRole('button', { name: '详情' }).click();
  const drawer = after.getByRole('dialog', { name: '随访详情' });
  await drawer.getByText('满足停止条件').first().waitFor();
  await drawer.getByText('转化时间').waitFor();
  await drawer.getByText('2026-11-21 16:00').first().waitFor();
  expect(await drawer.getByText(/剩余用药天数/).count()).toBeGreaterThan(0);
  await after.keyboard.press('Escape');
  await tab(after, '数据').click();
  const funnel = after.getByRole('list', { name: '随访漏斗' });
  await funnel.getByRole('listitem').filter({ hasText: '转化' }).getByText('100.00%').waitFor();
  await after.getByText('按素材', { exact: true }).click();
  await after.getByRole('row', { name: /素材/ }).nth(0).waitFor();

  // Beside the conversation the assistant reads what was sent, and why.
  const { staff } = served.primary;
  await app.database.asOwner(`update identity_staff_user set password_hash = '${await hashPassword(PASSWORD)}' where id = ${staff.userId}`);
  const desk = await enter(staff.userName, `/assistantIM?groupId=${served.groupId}`);
  const panel = desk.locator('.im-panel-body');
  await panel.getByRole('button', { name: '随访' }).click();
  await panel.locator('.kq-follow-entry').filter({ hasText: '已发送' }).first().click();
  const why = desk.getByRole('dialog', { name: '随访详情' });
  await why.getByText('为什么进入').waitFor();
  await why.getByRole('button', { name: '展开' }).first().click();
  await why.getByText(/您的药还可服用约\d+天，请提前续方购药/).waitFor();
});
