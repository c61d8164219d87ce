import { sql } from 'kysely';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditMyInquiry, queryMyInquiry } from '#domains/consultation/contract/calls/participants.ts';
import { doctorUser, makeInquiry, type Served } from '#domains/consultation/server/testing/inquiryWorld.ts';
import { enter, issue, patientUser } from '#domains/consultation/server/testing/participantWorld.ts';
import { own } from '#domains/consultation/server/database.ts';
import { hashPassword } from '#domains/identity/server/login/passwords.ts';
import { BROWSER_FOLDER } from '../../src/server.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { launchBrowser, person as operator } from '../browser.ts';
import { PASSWORD, takeSession } from '../signIn.ts';

/**
 * Browsers with a camera that shows a moving picture, and a microphone that beeps. Few pictures are enough, and a busy machine has time
 * for them.
 */
const DEVICES = [
  '--use-fake-device-for-media-stream=fps=5',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
];
const SECOND = 1_000;

let app: TestApp;
let browser: Browser;
let address: string;
beforeAll(async () => {
  // The build that the journeys' product made when it started.
  app = await startTestApp({ browser: { folder: BROWSER_FOLDER, buildId: 'calls' } });
  address = await app.listen();
  browser = await launchBrowser(DEVICES);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const faults: string[] = [];
const contexts: BrowserContext[] = [];
/** A browser of its own, in which a console error is a fault. */
async function person(): Promise<Page> {
  const context = await browser.newContext({ ...operator, viewport: { width: 420, height: 800 } });
  contexts.push(context);
  // Nothing waits for a time to pass, so a busy machine may take its own.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
  return page;
}
/** Opens the page of a link: a demonstration link asks for no digits. */
async function opens(served: Served, imUserId: string): Promise<Page> {
  const { token } = await issue(app, served, imUserId, { demo: true });
  const page = await person();
  await page.goto(`${address}/wx/consult?ticket=${token}`);
  await page.getByRole('log', { name: '消息' }).waitFor();
  return page;
}

/** The primary assistant in a browser of his own. */
async function signsIn({ primary }: Served): Promise<Page> {
  await sql`update identity_staff_user set password_hash = ${await hashPassword(PASSWORD)} where id = ${primary.staff.userId}`.execute(
    app.db,
  );
  const page = await person();
  await page.setViewportSize({ width: 1440, height: 900 });
  await takeSession(page, address, primary.staff.userName, app.kernel.config.captchaAnswer);
  await page.goto(address);
  return page;
}

/** The picture of a partner moves: three different frames of it are painted, one after the other. */
async function seesMoving(page: Page, userID: string): Promise<void> {
  const picture = page.locator(`figure[data-user="${userID}"][data-state="connected"] video`);
  const width = await picture.evaluate(
    (video) =>
      new Promise<number>((resolve) => {
        const shown = video as HTMLVideoElement;
        let frames = 0;
        const painted = () => ((frames += 1) === 3 ? resolve(shown.videoWidth) : shown.requestVideoFrameCallback(painted));
        shown.requestVideoFrameCallback(painted);
      }),
  );
  expect(width).toBeGreaterThan(0);
}
const roomOf = (served: Served) =>
  own(app.db)
    .selectFrom('consultationVideoRoom')
    .selectAll()
    .where('groupId', '=', served.groupId)
    .orderBy('startedAt', 'desc')
    .executeTakeFirstOrThrow();

it('holds a call between three browsers: ring, moving pictures of everybody, mute, hang-up', async () => {
  const served = await makeInquiry(app);
  const [patientId, doctorId] = [patientUser(served), await doctorUser(app, served.groupId)];
  const writer = await enter(app, served, doctorId);
  const { version } = await app.ok(queryMyInquiry, { groupId: served.groupId }, writer.options);
  await app.ok(auditMyInquiry, { serverId: served.serverId, version: version ?? 0, action: 'accept' }, writer.options);
  const [doctor, patient, assistant] = await Promise.all([opens(served, doctorId), opens(served, patientId), signsIn(served)]);
  // The assistant's earlier session ended with his login; signs of that very second are refused.
  await app.runDue();
  app.clock.advance(2 * SECOND);

  await doctor.getByRole('button', { name: '视频', exact: true }).click();
  const check = doctor.getByRole('dialog', { name: '设备检测' });
  await check.getByLabel('摄像头').waitFor();
  await check.getByRole('button', { name: '开始通话' }).click();
  await doctor.getByText('等待对方接听…').waitFor();
  const invitation = patient.getByRole('alertdialog', { name: '视频通话邀请' });
  await invitation.getByRole('button', { name: '接听' }).click();
  await patient.getByRole('button', { name: '进入通话' }).click();
  await Promise.all([seesMoving(doctor, patientId), seesMoving(patient, doctorId)]);
  const room = await roomOf(served);
  expect(room).toMatchObject({ state: 'IN_CALL', callerId: doctorId, adapter: 'MESH' });
  expect(Number(room.roomId)).toBeGreaterThanOrEqual(1);
  expect(Number(room.roomId)).toBeLessThanOrEqual(4_294_967_295);

  // The assistant sees the call in the chat of the console and joins it.
  await app.runDue();
  await assistant.goto(`${address}/assistantIM?groupId=${served.groupId}`);
  await assistant.getByRole('button', { name: '加入通话' }).click();
  await assistant.getByRole('button', { name: '进入通话' }).click();
  const assistantId = served.primary.imUserId;
  await Promise.all([
    seesMoving(assistant, patientId),
    seesMoving(assistant, doctorId),
    seesMoving(patient, assistantId),
    seesMoving(doctor, assistantId),
  ]);

  await doctor.getByRole('button', { name: '静音', exact: true }).click();
  await patient.getByTitle('已静音').waitFor();
  await patient.getByRole('button', { name: '关闭摄像头' }).click();
  await doctor.locator(`figure[data-user="${patientId}"] .kq-video-cover`).waitFor();
  await patient.getByRole('button', { name: '打开摄像头' }).click();
  await doctor.locator(`figure[data-user="${patientId}"] .kq-video-cover`).waitFor({ state: 'detached' });

  app.clock.advance(30 * SECOND);
  await assistant.getByRole('button', { name: '挂断' }).click();
  await doctor.locator(`figure[data-user="${assistantId}"]`).waitFor({ state: 'detached' });
  expect(await roomOf(served)).toMatchObject({ state: 'IN_CALL' });
  await patient.getByRole('button', { name: '挂断' }).click();
  await doctor.getByText('通话已结束').waitFor();
  await app.runDue();
  await doctor.getByText('视频通话 00:30').waitFor();
  expect(await roomOf(served)).toMatchObject({ state: 'ENDED', talkSec: 30, doctorPatientSec: 30, endReason: 'HANG_UP' });
  expect(faults).toEqual([]);
}, 240_000);
