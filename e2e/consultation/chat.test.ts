import { sql } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCannedReply } from '#domains/consultation/contract/calls/canned.ts';
import { own } from '#domains/consultation/server/database.ts';
import { doctorUser, makeColleague, makeInquiry, makePractice, say } from '#domains/consultation/server/testing/inquiryWorld.ts';
import { enter } from '#domains/consultation/server/testing/participantWorld.ts';
import { auditMyInquiry, queryMyInquiry } from '#domains/consultation/contract/calls/participants.ts';
import { makeAnswered, makeConfirmed, knowIcd } from '#domains/consultation/server/testing/visitWorld.ts';
import { makeInspection } from '#domains/patient/server/testing/fixtures.ts';
import { hashPassword } from '#domains/identity/server/login/passwords.ts';
import { BROWSER_FOLDER } from '../../src/server.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { launchBrowser, PATIENCE, person } from '../browser.ts';
import { PASSWORD, takeSession } from '../signIn.ts';
import { dialog, toast } from '../steps.ts';

let app: TestApp;
let browser: Browser;
let address: string;
beforeAll(async () => {
  // The build that the journeys' product made when it started.
  app = await startTestApp({ browser: { folder: BROWSER_FOLDER, buildId: 'chat' } });
  await knowIcd(app);
  address = await app.listen();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const SECOND = 1_000;
async function signsIn(page: Page, { userId, userName }: { userId: string; userName: string }): Promise<void> {
  await sql`update identity_staff_user set password_hash = ${await hashPassword(PASSWORD)} where id = ${userId}`.execute(app.db);
  await takeSession(page, address, userName, app.kernel.config.captchaAnswer);
  // His earlier session ended with this login; signs of that very second are refused.
  await app.runDue();
  app.clock.advance(2 * SECOND);
}

it('history to its beginning, a prepared reply, a recall with its original, follow-ups, and a logout that asks', async () => {
  const lead = await makeColleague(app, { lead: true });
  const practice = await makePractice(app, {}, lead);
  const former = await makeConfirmed(app);
  const served = await makeAnswered(app, practice);
  const patient = `P${served.sufferer.operatorId}`;
  const { lastSeq } = await own(app.db)
    .selectFrom('consultationImConversation as c')
    .innerJoin('consultationMedicalGroup as g', 'g.convId', 'c.convId')
    .select('c.lastSeq')
    .where('g.groupId', '=', served.groupId)
    .executeTakeFirstOrThrow();
  for (let seq = Number(lastSeq) + 1; seq <= 38; seq += 1) {
    app.clock.advance(SECOND);
    await say(app, served.groupId, patient, `第${seq}句`);
  }
  for (let report = 0; report < 10; report += 1) await makeInspection(app, former.sufferer.patientId);
  for (let report = 0; report < 9; report += 1) await makeInspection(app, served.sufferer.patientId);
  await app.ok(
    addCannedReply,
    { scope: 'PUBLIC', category: '问候', shortcut: 'wh', title: '问候', content: '{{患者姓名}}您好，我是{{医助姓名}}' },
    { as: lead.staff },
  );
  const reply = await own(app.db).selectFrom('consultationCannedReply').select('id').where('shortcut', '=', 'wh').executeTakeFirstOrThrow();

  const faults: string[] = [];
  const context = await browser.newContext(person);
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
  const asked: Record<string, unknown>[] = [];
  page.on(
    'request',
    (request) => request.url().endsWith('/findEhrMedicineSuggested') && asked.push(request.postDataJSON() as Record<string, unknown>),
  );
  await signsIn(page, lead.staff);
  await page.goto(`${address}/assistantIM?groupId=${served.groupId}`);
  await page.locator('[data-seq="38"]').waitFor();

  // The panel asks for ten rows of each part; nine are all.
  const panel = page.locator('.im-panel-body');
  await panel.getByText('血生化').first().waitFor();
  await expect
    .poll(() => asked.find(({ moduleCode }) => moduleCode === 'modular003'))
    .toMatchObject({
      pageNo: 1,
      pageSize: 10,
      orderBy: 'order_time desc',
      moduleCode: 'modular003',
      paragraphCode: '',
      pageCode: 'IM_PANEL',
      preciseKeyValue: { status: '' },
    });
  expect(await panel.getByText('血生化').count()).toBe(9);
  expect(await panel.getByRole('button', { name: '加载更多' }).count()).toBe(0);

  // Upwards fifteen at a time; the message at the top keeps its place, and at the beginning one is told so.
  const list = page.locator('.im-messages').first();
  const loaded = () =>
    page.locator('[data-seq]').evaluateAll((items) => Math.min(...items.map((item) => Number((item as HTMLElement).dataset['seq']))));
  await expect.poll(loaded).toBe(24);
  for (const first of [9, 1]) {
    const top = await loaded();
    const placeOf = () => page.locator(`[data-seq="${top}"]`).evaluate((item) => item.getBoundingClientRect().top);
    await list.evaluate((element) => element.scrollTo({ top: 0 }));
    const before = await placeOf();
    await expect.poll(loaded).toBe(first);
    await expect.poll(async () => Math.abs((await placeOf()) - before)).toBeLessThan(60);
  }
  await list.evaluate((element) => element.scrollTo({ top: 0 }));
  await toast(page, '没有更多历史消息了');

  const field = page.getByLabel('回复内容');
  // Chosen by a click, the conversation takes what is typed; from the list too, which keys still walk.
  const rows = page.getByRole('listbox', { name: '会话' });
  await rows.getByRole('option').first().click();
  await page.keyboard.type('在');
  await expect.poll(() => field.inputValue()).toBe('在');
  await rows.focus();
  await page.keyboard.press('ArrowDown');
  expect(await rows.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('ArrowUp');
  await rows.focus();
  await page.keyboard.type('吗');
  await expect.poll(() => field.inputValue()).toBe('在吗');
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  await field.fill('/wh');
  await page.getByRole('option', { name: /问候/ }).waitFor();
  await page.keyboard.press('Enter');
  const { name } = await own(app.db)
    .selectFrom('consultationAssistantDuty')
    .select('name')
    .where('assistantId', '=', lead.assistantId)
    .executeTakeFirstOrThrow();
  await expect.poll(() => field.inputValue()).toBe(`${served.sufferer.name}您好，我是${name}`);
  const uses = async () =>
    (await own(app.db).selectFrom('consultationCannedReply').select('useCount').where('id', '=', reply.id).executeTakeFirstOrThrow())
      .useCount;
  expect(await uses()).toBe(0);
  await field.press('Enter');
  await expect.poll(uses).toBe(1);
  await field.fill('{{医院}}稍后联系您');
  await field.press('Enter');
  await toast(page, '请先补全变量');
  await field.fill('');

  const target = page.locator('.im-item', { hasText: '第38句' }).locator('.im-bubble');
  await target.click({ button: 'right' });
  await page.getByText('管理员撤回', { exact: true }).click();
  const recall = dialog(page, '管理员撤回');
  await recall.getByRole('button', { name: '撤回', exact: true }).click();
  await recall.getByText('请输入撤回原因').waitFor();
  await recall.getByLabel('撤回原因').fill('含隐私信息');
  await recall.getByRole('button', { name: '撤回', exact: true }).click();
  const line = page.locator('.im-tip', { hasText: '管理员撤回了一条消息（含隐私信息）' });
  await line.waitFor();
  await line.getByRole('button', { name: '查看原文' }).click();
  await dialog(page, '消息原文').getByRole('cell', { name: '第38句' }).waitFor();
  await page.keyboard.press('Escape');

  // Ten rows may have more behind them; 随访 of the patient who is to come again.
  await page.goto(`${address}/assistantIM?groupId=${former.groupId}`);
  await panel.getByRole('button', { name: '加载更多' }).click();
  await panel.getByRole('button', { name: '加载更多' }).waitFor({ state: 'detached' });
  expect(asked.at(-1)).toMatchObject({ moduleCode: 'modular004', pageNo: 2 });
  await page.getByRole('button', { name: '随访' }).click();
  await page.getByText('待复诊', { exact: true }).waitFor();

  // A message that the service does not have yet: whoever leaves is asked.
  await page.goto(`${address}/assistantIM?groupId=${served.groupId}`);
  await page.locator('[data-seq="37"]').waitFor();
  await context.setOffline(true);
  await page.getByLabel('回复内容').fill('网络断了吗');
  await page.getByLabel('回复内容').press('Enter');
  await page.getByText('发送中').waitFor();
  await page.getByRole('banner').getByRole('button', { name: '设置' }).click();
  await page.getByText('退出登录', { exact: true }).first().click();
  const leaving = dialog(page, '还有1条消息未发送，退出后将丢失，是否继续？');
  await leaving.getByRole('button', { name: '取消', exact: true }).click();
  await page.getByText('发送中').waitFor();
  await context.setOffline(false);
  await context.close();
  expect(faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
}, 180_000);

it('conversations chosen faster than they answer, and what one decides about a conversation', async () => {
  const primary = await makeColleague(app);
  const practice = await makePractice(app, {}, primary);
  const [first, second, third] = [
    await makeInquiry(app, { practice }),
    await makeInquiry(app, { practice }),
    await makeAnswered(app, practice),
  ];
  for (const [served, words] of [
    [first, '第一位的话'],
    [second, '第二位的话'],
    [third, '第三位的话'],
  ] as const)
    await say(app, served.groupId, `P${served.sufferer.operatorId}`, words);
  const writer = await enter(app, first, await doctorUser(app, first.groupId));

  const faults: string[] = [];
  const context = await browser.newContext({ ...person, viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));

  // What the first conversation answers is held: its messages on the socket, its panel on the way back.
  const gate = Promise.withResolvers<void>();
  const heldFrames: (() => void)[] = [];
  let holdsFrames = true;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    const service = socket.connectToServer();
    socket.onMessage((frame) => service.send(frame));
    service.onMessage((frame) =>
      holdsFrames && String(frame).includes('第一位的话') && String(frame).includes('isCompleted')
        ? heldFrames.push(() => socket.send(frame))
        : socket.send(frame),
    );
  });
  await signsIn(page, primary.staff);
  await page.goto(`${address}/assistantIM`);
  const rowOf = ({ sufferer }: typeof first) => page.locator('.im-row', { hasText: sufferer.name });
  for (const served of [first, second, third]) await rowOf(served).waitFor();
  const asked: string[] = [];
  let held = 0;
  await page.route(/\/(queryInquiryDetail|queryInquiryIdByGroupId)$/, async (route) => {
    const { groupId } = route.request().postDataJSON() as { groupId: string };
    asked.push(groupId);
    if (groupId !== first.groupId) return route.continue();
    held += 1;
    const answer = await route.fetch();
    await gate.promise;
    return route.fulfill({ response: answer });
  });
  await rowOf(first).click();
  await expect.poll(() => held).toBe(2);
  await expect.poll(() => heldFrames.length).toBeGreaterThan(0);
  // By keyboard onwards within half a second: the one in between is asked nothing.
  await rowOf(second).click();
  await rowOf(third).click();
  const [log, panel, bar] = [page.getByRole('log', { name: '消息' }), page.locator('.im-panel-body'), page.locator('.im-inquiry')];
  await log.getByText('第三位的话').waitFor();
  await bar.getByText('问诊中', { exact: true }).waitFor();
  await panel.getByText(third.sufferer.name).first().waitFor();
  holdsFrames = false;
  const late = page.waitForResponse(
    (response) =>
      response.url().endsWith('/queryInquiryIdByGroupId') &&
      (response.request().postDataJSON() as { groupId: string }).groupId === first.groupId,
  );
  for (const release of heldFrames) release();
  gate.resolve();
  await (await late).finished();
  // Heard on the same socket after everything that was held.
  await say(app, third.groupId, `P${third.sufferer.operatorId}`, '第三位又说');
  await log.getByText('第三位又说').waitFor();
  for (const place of [log, panel, page.locator('.im-head')])
    for (const other of [first, second]) expect(await place.innerText()).not.toMatch(new RegExp(`${other.sufferer.name}|第[一二]位的话`));
  expect(asked).not.toContain(second.groupId);
  await bar.getByText('问诊中', { exact: true }).waitFor();

  // A double click decides once; who may not write is told so at once.
  const pick = async (menu: string, item: string, title: string | RegExp) => {
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    return dialog(page, title);
  };
  const tags = await pick('更多操作', '标签', '会话标签');
  await tags.getByRole('combobox').fill('重点随访');
  await page.keyboard.press('Enter');
  await tags.getByRole('button', { name: '确定' }).dblclick();
  await toast(page, '标签已更新');
  await page.locator('.im-head').getByText('重点随访').waitFor();
  // One line, also with a tag.
  expect((await page.locator('.im-head-line').boundingBox())!.height).toBeLessThan(48);
  const mute = await pick('更多操作', '限制发言', '限制发言');
  await mute.getByText('7天').click();
  await mute.getByRole('textbox').fill('辱骂医务人员');
  await mute.getByRole('button', { name: '确定' }).click();
  await toast(page, '已更新发言限制');
  expect(await say(app, third.groupId, `P${third.sufferer.operatorId}`, '喂')).toMatchObject({ refused: 'MUTED' });

  // What the service says no to stands in the dialog; a version that others made meanwhile is shown before it is overwritten.
  await bar.getByRole('button', { name: '延长时长' }).click();
  const extend = dialog(page, '延长时长');
  await extend.getByLabel('原因').fill('等待检查结果');
  const versions = own(app.db)
    .updateTable('consultationInquiry')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', third.serverId);
  await versions.execute();
  await extend.getByRole('button', { name: '确定' }).click();
  await dialog(page, '记录已被他人修改').getByRole('button', { name: '保留我的内容' }).click();
  await extend.getByRole('button', { name: '确定' }).dblclick();
  await toast(page, '已延长');
  expect(
    await own(app.db)
      .selectFrom('consultationInquiry')
      .select(['extendCount', 'extendedHours'])
      .where('id', '=', third.serverId)
      .executeTakeFirstOrThrow(),
  ).toEqual({ extendCount: 1, extendedHours: 24 });

  await bar.getByRole('button', { name: '结束问诊' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '结束问诊' }).dblclick();
  await page.getByRole('tab', { name: '就诊小结', selected: true }).waitFor();
  await page.goto(`${address}/assistantIM?groupId=${first.groupId}`);
  await log.getByText('第一位的话').waitFor();
  await bar.getByText('待接诊', { exact: true }).waitFor();
  // The doctor takes it meanwhile: the bar follows.
  const { version } = await app.ok(queryMyInquiry, { groupId: first.groupId }, writer.options);
  await app.ok(auditMyInquiry, { serverId: first.serverId, version: version ?? 0, action: 'accept' }, writer.options);
  await app.runDue();
  await bar.getByText('问诊中', { exact: true }).waitFor();

  const release = await pick('处理方式', '退回队列', '退回队列');
  await release.getByRole('textbox').fill('暂时外出');
  await release.getByRole('button', { name: '退回', exact: true }).dblclick();
  await toast(page, '已退回队列');
  await page.locator('.im-head').getByText('待接入').waitFor();
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from consultation_group_board where group_id = ${first.groupId} and action = 'RELEASED'`.execute(app.db);
  expect(rows[0]!.n).toBe(1);
  await context.close();
  expect(faults).toEqual([]);
}, 180_000);
