import { jobContext } from '#testing/jobContext.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayloadOf } from '#kernel/contract/event.ts';
import { minutes, startOfDay } from '#kernel/contract/time.ts';
import { cardGranted } from '#events/card.ts';
import { claimResultNotified } from '#events/claim.ts';
import { codeScanned } from '#events/channel.ts';
import { conversationOpened } from '#events/consultation.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { openSingleChat } from '#domains/consultation/server/index.ts';
import { groupRowOf, makeInquiry } from '#domains/consultation/server/testing/inquiryWorld.ts';
import { resumeSend, stopSend } from '../../contract/engine/engineCalls.ts';
import { queryFollowSendList } from '../../contract/engine/sendCalls.ts';
import { queryWelcomeMessageDetail } from '../../contract/welcome/calls.ts';
import { own } from '../database.ts';
import { corpusFaults } from '../nightly.ts';
import { checker, engineMessages, makeText, makeTreated, maker, says, sendNow, type Treated } from '../testing/engineWorld.ts';
import { claimOthers } from '../engine/claimOthers.ts';
import { makePatient } from '../testing/fixtures.ts';
import { makeInUse, writer, type Wish } from '../testing/welcomeFixtures.ts';
import { noticeConsumers } from './notices.ts';

let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  other = await startTestApp({ beside: app });
});
afterAll(async () => {
  await other.close();
  await app.close();
});
beforeEach(async () => {
  await sql`update corpus_auto_message set state = 'DRAFT'`.execute(app.db);
  await sql`
    update corpus_follow_send
      set state = 'CANCELLED', reason_code = null, lease_until = null
      where source_kind <> 'FOLLOW' and state in ('PLANNED', 'HELD')`.execute(app.db);
});

let day = 0;
/** Another day of the future, in the hours of sending unless said otherwise. */
const clockTo = (time = '10:00') => {
  day += 1;
  app.clock.set(startOfDay(`2027-03-${String(day).padStart(2, '0')}`, time));
};

const publish = (work: Parameters<TestApp['kernel']['transactions']['run']>[1]) => app.kernel.transactions.run('test', work);

const opened = ({ patientId, conversationId, colleague }: Treated, change: Partial<PayloadOf<typeof conversationOpened>> = {}) =>
  publish((writing) =>
    writing.publish(conversationOpened, conversationId, {
      conversationId,
      groupId: null,
      kind: 'C2C',
      patientId,
      suffererOperatorId: '1',
      doctorId: null,
      assistantOperatorId: colleague.imUserId.slice(1),
      deskId: null,
      source: 'TEST',
      first: true,
      at: app.clock.now(),
      ...change,
    }),
  ).then(() => app.runDue());

const scanned = ({ patientId }: Pick<Treated, 'patientId'>, change: Partial<PayloadOf<typeof codeScanned>> = {}) =>
  publish((writing) =>
    writing.publish(codeScanned, patientId, {
      scanId: '1',
      codeId: '1',
      kind: 'CHANNEL',
      channelId: '1',
      agentId: null,
      sceneCodeId: null,
      sceneId: null,
      diseaseId: null,
      doctorId: null,
      itemId: null,
      patientId,
      patientOperatorId: null,
      deskSource: { type: 'CHANNEL', id: '1' },
      at: app.clock.now(),
      ...change,
    }),
  ).then(() => app.runDue());

const granted = (patientId: string, amount = 50_000) =>
  publish((writing) =>
    writing.publish(cardGranted, patientId, {
      grantId: '1',
      cardId: '1',
      patientId,
      cardTypeId: '1',
      cardTypeName: '用药福利卡',
      amount,
      bonus: 0,
      expireAt: '2027-12-31T00:00:00Z',
    }),
  ).then(() => app.runDue());

const sendsOf = (patientId: string) =>
  own(app.db)
    .selectFrom('corpusFollowSend')
    .selectAll()
    .where('patientId', '=', patientId)
    .where('sourceKind', '<>', 'FOLLOW')
    .orderBy('id')
    .execute();

const textsOf = async (conversationId: string) => (await engineMessages(app, conversationId)).map(({ text }) => text);
const saying = async (text: string, wish: Wish = {}) => makeInUse(app, { ...wish, materialIds: [await makeText(app, text)] });
const notice = (text: string, wish: Wish = {}) =>
  saying(text, { kind: 'NOTICE', triggerType: 'card.card.granted', quietMode: 'WINDOW', ...wish });

describe('a greeting', () => {
  it('is sent once to who opens a conversation, at night and without his consent to be followed up', async () => {
    clockTo('23:10');
    await saying('欢迎您', { triggerType: 'SINGLE_OPEN' });
    const treated = await makeTreated(app, { consent: false });
    await sendNow(app);
    expect(await textsOf(treated.conversationId)).toEqual(['欢迎您']);
    await opened(treated);
    await sendNow(app);
    expect(await textsOf(treated.conversationId)).toHaveLength(1);
    const [send] = await sendsOf(treated.patientId);
    expect(send).toMatchObject({ state: 'SENT', dedupeKey: `FW:SINGLE_OPEN:${treated.conversationId}:${treated.patientId}` });
    expect(await sql`select 1 from corpus_touch_counter where patient_id = ${treated.patientId}`.execute(app.db)).toMatchObject({
      rows: [],
    });
    expect(await corpusFaults(app.db, app.clock.now())).toEqual([]);
  });

  it('is sent once although two processes claim it at the same moment', async () => {
    clockTo();
    await saying('欢迎', { triggerType: 'SINGLE_OPEN' });
    const people = [];
    for (let n = 0; n < 6; n += 1) people.push(await makeTreated(app));
    await Promise.all([claimOthers(jobContext(app), 100, 100), claimOthers(jobContext(other), 100, 100), sendNow(app), sendNow(other)]);
    app.clock.set(app.clock.now());
    await app.advance(minutes(2));
    await sendNow(app);
    for (const { conversationId } of people) expect(await textsOf(conversationId)).toEqual(['欢迎']);
  });

  it('waits for its delay, and for the morning where it may only be sent by day', async () => {
    clockTo('20:00');
    await saying('早上好', { triggerType: 'SINGLE_OPEN', quietMode: 'WINDOW', delaySec: 30 });
    const { patientId, conversationId } = await makeTreated(app);
    await sendNow(app);
    expect((await sendsOf(patientId))[0]).toMatchObject({ state: 'PLANNED' });
    await app.advance(30_000);
    await sendNow(app);
    expect((await sendsOf(patientId))[0]).toMatchObject({ state: 'HELD', reasonCode: 'QUIET' });
    clockTo('08:30');
    await sendNow(app);
    expect(await textsOf(conversationId)).toEqual(['早上好']);
  });

  it('stops by the switch, and is not sent to who came long ago, again, or to a desk that is not his', async () => {
    clockTo();
    await saying('您好', { triggerType: 'SINGLE_OPEN' });
    const as = await checker(app);
    await app.ok(stopSend, { scopeType: 'ENGINE', scopeId: '', reason: '演练' }, { as });
    const { patientId, conversationId } = await makeTreated(app);
    await sendNow(app);
    expect((await sendsOf(patientId))[0]).toMatchObject({ state: 'HELD', reasonCode: 'KILL' });
    await app.ok(resumeSend, { scopeType: 'ENGINE', scopeId: '', onResume: 'CATCH_UP' }, { as });
    await sendNow(app);
    expect(await textsOf(conversationId)).toEqual(['您好']);
    await sql`update corpus_auto_message set state = 'DRAFT'`.execute(app.db);
    const late = await makeTreated(app);
    await saying('您好', { triggerType: 'SINGLE_OPEN' });
    await opened(late, { at: '2020-01-01T00:00:00Z' });
    await opened(late, { first: false });
    expect(await sendsOf(late.patientId)).toEqual([]);
  });

  it('answers a scan where the patient is written to; a reply counts for the message', async () => {
    clockTo();
    const { id } = await saying('扫码欢迎', { triggerType: 'CHANNEL_SCAN' });
    const nobody = await makePatient(app);
    await scanned({ patientId: nobody });
    expect(await sendsOf(nobody)).toEqual([]);
    const treated = await makeTreated(app);
    await scanned(treated);
    await scanned(treated);
    await sendNow(app);
    expect(await textsOf(treated.conversationId)).toEqual(['扫码欢迎']);
    await says(app, treated.conversationId, 'PATIENT', '谢谢');
    const as = await writer(app);
    expect((await app.ok(queryWelcomeMessageDetail, { id }, { as })).message.recent).toBe('1 / 100.00%');
    const listed = await app.ok(queryFollowSendList, { patientId: treated.patientId }, { as: await maker(app) });
    expect(listed.rows).toMatchObject([{ sceneName: '欢迎语', runId: null, runNo: null, state: 'SENT', bubbles: ['扫码欢迎'] }]);
  });
});

describe('a notice', () => {
  it('goes to the single chat with what the event tells, once however often the event is delivered', async () => {
    clockTo();
    await notice('{{权益卡名称:权益卡}}已到账{{金额:若干}}元，{{到期日期:到期}}前有效，运单{{运单编号:无}}');
    const { patientId, conversationId } = await makeTreated(app);
    await granted(patientId);
    const [first] = await sendsOf(patientId);
    const again = noticeConsumers.find(({ event }) => event.name === cardGranted.name)!;
    const payload = {
      grantId: '1',
      cardId: '1',
      patientId,
      cardTypeId: '1',
      cardTypeName: '卡',
      amount: 1,
      bonus: 0,
      expireAt: '2027-01-01',
    };
    const eventId = first!.dedupeKey.split(':')[1]!;
    await publish((writing) =>
      again.run(
        { eventId, name: cardGranted.name, at: app.clock.now(), aggregateId: patientId, seq: 1, payload },
        { ...writing, kernel: app.kernel, now: app.clock.now(), traceId: 'test' },
      ),
    );
    await sendNow(app);
    expect(await textsOf(conversationId)).toEqual(['用药福利卡已到账500.00元，2027-12-31前有效，运单无']);
    expect(await sendsOf(patientId)).toHaveLength(1);
  });

  // Acceptance 23.
  it('of a claim goes to the single chat alone, also of who is in a group', async () => {
    clockTo();
    await notice('理赔{{理赔编号:无}}：{{办理说明:请登录查看}}', { triggerType: 'claim.case.resultNotified' });
    const { sufferer, primary, groupId } = await makeInquiry(app);
    const { patientId, operatorId } = sufferer;
    const single = await app.kernel.transactions.run('test', (writing) =>
      openSingleChat(
        app.kernel,
        writing,
        { assistantOperatorId: primary.imUserId.slice(1), suffererOperatorId: operatorId },
        app.clock.now(),
      ),
    );
    const payload = { claimId: '1', claimNo: 'LP1', patientId, applicantWording: '已结案', dueAt: null };
    const told = noticeConsumers.find(({ event }) => event.name === claimResultNotified.name)!;
    const envelope = { eventId: '810001', name: claimResultNotified.name, at: app.clock.now(), aggregateId: '1', seq: 1, payload };
    for (let times = 0; times < 2; times += 1)
      await publish((writing) => told.run(envelope, { ...writing, kernel: app.kernel, now: app.clock.now(), traceId: 'test' }));
    await sendNow(app);
    expect(await textsOf(single)).toEqual(['理赔LP1：已结案']);
    expect(await textsOf((await groupRowOf(app, groupId)).convId)).toEqual([]);
    expect(await sendsOf(patientId)).toMatchObject([{ state: 'SENT', conversationId: single }]);
  });

  it('is told twice of two events within the days in which follow-ups do not repeat themselves', async () => {
    clockTo();
    await notice('到账{{金额:若干}}元');
    const { patientId, conversationId } = await makeTreated(app);
    await granted(patientId, 100);
    await granted(patientId, 200);
    await sendNow(app);
    expect(await textsOf(conversationId)).toEqual(['到账1.00元', '到账2.00元']);
  });

  it('goes by text message to who has no chat, and is skipped without one', async () => {
    clockTo();
    const sms = () => sql<{ n: number }>`select count(*)::int as n from identity_sms_outbox`.execute(app.db).then(({ rows }) => rows[0]!.n);
    await notice('卡已到账', { smsText: '{{患者称呼:您}}好，卡内有{{金额:若干}}元' });
    const before = await sms();
    const patientId = await makePatient(app);
    await sql`update patient_patient set mobile_cipher = ${app.kernel.secrets.encrypt('13900001234')} where id = ${patientId}`.execute(
      app.db,
    );
    await granted(patientId);
    await sendNow(app);
    await sendNow(app);
    const [send] = await sendsOf(patientId);
    expect(send).toMatchObject({ state: 'SENT', conversationId: null });
    expect(JSON.stringify(send!.bubbles)).toContain('卡内有500.00元');
    expect(await sms()).toBe(before + 1);
    await sql`update corpus_auto_message set state = 'DRAFT'`.execute(app.db);
    await notice('卡已到账');
    const silent = await makePatient(app);
    await granted(silent);
    await sendNow(app);
    expect((await sendsOf(silent))[0]).toMatchObject({ state: 'SKIPPED', reasonCode: 'NO_CHANNEL' });
    expect(await sms()).toBe(before + 1);
  });
});
