import { jobContext } from '#testing/jobContext.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minutes, startOfDay } from '#kernel/contract/time.ts';
import { consentChanged } from '#events/patient.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { operatePatient } from '#domains/patient/contract/calls/sufferer.ts';
import { addSuggestion } from '#domains/patient/server/index.ts';
import { acting, keeper, medicine, suggestion, publishAndDeliver, upload, versionOf } from '#domains/patient/server/testing/fixtures.ts';
import { makeOn } from '#domains/pharma/server/testing/fixtures.ts';
import { queryEngineState, resumeSend, stopSend } from '../../contract/engine/engineCalls.ts';
import { addFollowRun, operateFollowRun } from '../../contract/engine/runCalls.ts';
import { retryFollowSend, skipFollowSend } from '../../contract/engine/sendCalls.ts';
import { own } from '../database.ts';
import {
  audit,
  checker,
  engineMessages,
  maker,
  makeManyTreated,
  makeText,
  makeTreated,
  publishScene,
  runsOf,
  says,
  sendNow,
  sendsOf,
} from '../testing/engineWorld.ts';
import { countKeys, manyDue } from '../testing/manyDue.ts';
import { makeEnabled } from '../testing/materialFixtures.ts';
import { claimDue } from './claim.ts';
import { deliver } from './deliver.ts';

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

const at = (day: string, time: string) => startOfDay(day, time);
const byOccurrence = (one: { occurrence: number }, other: { occurrence: number }) => one.occurrence - other.occurrence;
const clockTo = (instant: string) => app.clock.set(instant);

describe('two processes', () => {
  // Acceptance 12.
  it('send a thousand due touches once each, although one is cut off while it sends', async () => {
    clockTo(at('2026-11-21', '10:00'));
    const patients = await makeManyTreated(app, 200);
    const scene = await manyDue(app, patients, 5);
    // The first claims, sends a part and is never heard of again.
    const claimed = await claimDue(jobContext(app), 100, 300);
    expect(claimed.length).toBe(300);
    expect(await deliver(jobContext(app), claimed.slice(0, 40))).toBe(40);
    // Its last message was stored, but not that it was.
    await sql`
      update corpus_follow_send
        set state = 'SENDING', sent_at = null, last_seq = null, lease_until = ${app.clock.now()}::timestamptz + interval '1 minute',
          bubbles = jsonb_set(bubbles, '{0,seq}', 'null')
        where id = ${claimed[39]!}`.execute(app.db);
    await Promise.all([sendNow(app), sendNow(other), sendNow(other)]);
    expect(await countKeys(app, scene.scenePackageId)).toEqual({ messages: 740, keys: 740 });
    app.clock.advance(minutes(2));
    await Promise.all([sendNow(other), sendNow(app)]);
    expect(await countKeys(app, scene.scenePackageId)).toEqual({ messages: 1000, keys: 1000 });
    const { rows } = await sql`
      select 1 from corpus_follow_send where scene_package_id = ${scene.scenePackageId} and item_key = 'x' and state <> 'SENT'`.execute(
      app.db,
    );
    expect(rows).toEqual([]);
    const { rows: over } = await sql`select 1 from corpus_touch_counter where count > 20`.execute(app.db);
    expect(over).toEqual([]);
  });
});

describe('a scene that is taken down', () => {
  it('sends none of a thousand touches that waited, in whatever process; none of its runs goes on', async () => {
    clockTo(at('2026-11-22', '10:00'));
    const patients = await makeManyTreated(app, 10);
    const scene = await manyDue(app, patients, 100);
    await audit(app, scene, 'offline', await checker(app), { opinion: '内容有误' });
    await Promise.all([app.runDue(), sendNow(other), sendNow(app)]);
    await app.runDue();
    await Promise.all([sendNow(other), sendNow(app)]);
    // What was claimed beside the end of its run and not begun is taken up again when its lease is over, and called off.
    app.clock.advance(minutes(2));
    await Promise.all([sendNow(other), sendNow(app)]);
    await sendNow(app);
    const states = await sendsOf(app, scene.scenePackageId);
    const sent = states.filter(({ state }) => state === 'SENT').length;
    // What was claimed before its run was ended is on its way; all else is called off.
    expect(states.filter(({ state }) => state === 'CANCELLED').length).toBe(states.length - sent);
    expect(await countKeys(app, scene.scenePackageId)).toEqual({ messages: sent, keys: sent });
    expect(new Set((await runsOf(app, scene.scenePackageId)).map(({ stopReason }) => stopReason))).toEqual(new Set(['SCENE_OFFLINE']));
  });
});

describe('quiet hours', () => {
  // Acceptance 14.
  it('a touch claimed at 18:30:59 is sent, one at 18:31:00 waits for the morning; a repeat of it does too', async () => {
    const [late, tooLate, unknown] = [await makeTreated(app), await makeTreated(app), await makeTreated(app)];
    clockTo(at('2026-11-21', '18:30'));
    await manyDue(app, [late], 1);
    app.clock.advance(59_000);
    await sendNow(app);
    expect(await engineMessages(app, late.conversationId)).toHaveLength(1);
    clockTo(at('2026-11-21', '18:31'));
    const waiting = await manyDue(app, [tooLate], 1);
    await sendNow(app);
    expect((await sendsOf(app, waiting.scenePackageId))[0]).toMatchObject({
      state: 'HELD',
      reasonCode: 'QUIET',
      nextTryAt: at('2026-11-22', '08:30'),
    });
    clockTo(at('2026-11-21', '18:30'));
    const cut = await manyDue(app, [unknown], 1);
    await claimDue(jobContext(app), 10, 10);
    app.clock.advance(minutes(3));
    await sendNow(app);
    expect((await sendsOf(app, cut.scenePackageId))[0]).toMatchObject({
      state: 'HELD',
      reasonCode: 'QUIET',
      nextTryAt: at('2026-11-22', '08:30'),
    });
    clockTo(at('2026-11-22', '08:30'));
    await sendNow(app);
    expect(await engineMessages(app, tooLate.conversationId)).toHaveLength(1);
    expect(await engineMessages(app, unknown.conversationId)).toHaveLength(1);
  });
});

describe('a switch', () => {
  // Acceptance 17.
  it('refuses without a reason or the right; nothing starts after it, on resuming what is not over is sent or all is skipped', async () => {
    clockTo(at('2026-11-23', '10:00'));
    const [caught, skipped] = [await makeTreated(app), await makeTreated(app)];
    const first = await manyDue(app, [caught], 4);
    const [over] = (await sendsOf(app, first.scenePackageId)).filter(({ itemKey }) => itemKey === 'x');
    await sql`
      update corpus_follow_send set expires_at = ${app.clock.now()}::timestamptz + interval '5 minutes' where id = ${over!.id}`.execute(
      app.db,
    );
    const boss = await checker(app);
    const clerk = await maker(app);
    expect(await app.refused(stopSend, { scopeType: 'ENGINE', reason: '' }, { as: boss })).toMatchObject({ code: 'SCM11044' });
    expect(await app.refused(stopSend, { scopeType: 'ENGINE', reason: '误发' }, { as: clerk })).toMatchObject({ code: 'SCM90010' });
    await app.ok(stopSend, { scopeType: 'ENGINE', reason: '误发' }, { as: boss });
    await Promise.all([sendNow(app), sendNow(other)]);
    expect(await engineMessages(app, caught.conversationId)).toEqual([]);
    expect((await sendsOf(app, first.scenePackageId))[0]).toMatchObject({ state: 'HELD', reasonCode: 'KILL' });
    expect(await app.ok(queryEngineState, {}, { as: boss })).toMatchObject({ stopped: { reason: '误发', byBreaker: false }, backlog: 4 });
    app.clock.advance(minutes(6));
    await app.ok(resumeSend, { scopeType: 'ENGINE', onResume: 'CATCH_UP' }, { as: boss });
    await sendNow(app);
    expect(await engineMessages(app, caught.conversationId)).toHaveLength(3);
    expect((await sendsOf(app, first.scenePackageId)).find(({ id }) => id === over!.id)).toMatchObject({ state: 'SKIPPED' });

    const second = await manyDue(app, [skipped], 2);
    await app.ok(stopSend, { scopeType: 'PATIENT', scopeId: skipped.patientId, reason: '家属要求' }, { as: clerk });
    await sendNow(other);
    await app.ok(resumeSend, { scopeType: 'PATIENT', scopeId: skipped.patientId, onResume: 'SKIP' }, { as: clerk });
    await sendNow(app);
    expect(await engineMessages(app, skipped.conversationId)).toEqual([]);
    expect((await sendsOf(app, second.scenePackageId)).filter(({ itemKey }) => itemKey === 'x')).toMatchObject([
      { reasonCode: 'KILL_SKIP' },
      { reasonCode: 'KILL_SKIP' },
    ]);
  });

  // Acceptance 17: in five seconds at most, whatever process it was thrown in. No process keeps switches: its next claim reads them.
  it('that is thrown in one process is read by the very next claim of every other, and so is its end', async () => {
    clockTo(at('2026-11-23', '14:00'));
    const scene = await manyDue(app, await makeManyTreated(app, 2), 2);
    const boss = await checker(app);
    const waiting = async () => (await sendsOf(app, scene.scenePackageId)).filter(({ itemKey }) => itemKey === 'x');
    await other.ok(stopSend, { scopeType: 'ENGINE', reason: '内容有误' }, { as: boss });
    expect(await claimDue(jobContext(app), 100, 100)).toEqual([]);
    expect(await claimDue(jobContext(other), 100, 100)).toEqual([]);
    expect(new Set((await waiting()).map(({ reasonCode }) => reasonCode))).toEqual(new Set(['KILL']));
    await app.ok(resumeSend, { scopeType: 'ENGINE', onResume: 'CATCH_UP' }, { as: boss });
    expect(await claimDue(jobContext(other), 100, 2)).toHaveLength(2);
    await app.ok(stopSend, { scopeType: 'SCENE', scopeId: scene.sceneId, reason: '内容有误' }, { as: boss });
    expect(await claimDue(jobContext(other), 100, 100)).toEqual([]);
    expect(new Set((await waiting()).map(({ state }) => state))).toEqual(new Set(['SENDING', 'HELD']));
    await other.ok(resumeSend, { scopeType: 'SCENE', scopeId: scene.sceneId, onResume: 'SKIP' }, { as: boss });
  });

  // Acceptance 17: five hundred are due, two processes are at it.
  it('that is thrown while they are claimed lets none start after its commit', async () => {
    clockTo(at('2026-11-23', '16:00'));
    const scene = await manyDue(app, await makeManyTreated(app, 100), 5);
    const boss = await checker(app);
    const begun = async () =>
      (await sendsOf(app, scene.scenePackageId)).filter(({ state }) => state === 'SENDING' || state === 'SENT').map(({ id }) => id);
    const claims = async (on: TestApp) => {
      const ids: string[] = [];
      for (let some = await claimDue(jobContext(on), 10, 20); some.length > 0; some = await claimDue(jobContext(on), 10, 20))
        ids.push(...some);
      return ids;
    };
    const stopped = app.ok(stopSend, { scopeType: 'ENGINE', reason: '误发' }, { as: boss }).then(begun);
    const [atCommit, ...claimed] = await Promise.all([stopped, claims(app), claims(other)]);
    expect(new Set(claimed.flat())).toEqual(new Set(atCommit));
    expect(new Set(await begun())).toEqual(new Set(atCommit));
    expect((await sendsOf(app, scene.scenePackageId)).filter(({ reasonCode }) => reasonCode === 'KILL').length).toBeGreaterThan(0);
    await app.ok(resumeSend, { scopeType: 'ENGINE', onResume: 'SKIP' }, { as: boss });
    await deliver(jobContext(app), atCommit);
  });

  it('is thrown by itself where too many of the last messages fail, and told to who may resume', async () => {
    clockTo(at('2026-11-24', '10:00'));
    const patient = await makeTreated(app);
    const others = [patient];
    for (let n = 0; n < 4; n += 1) others.push(await makeTreated(app));
    const scene = await manyDue(app, others, 4);
    await sql`update corpus_engine_setting set breaker_window = 20`.execute(app.db);
    await sendNow(app);
    await sql`
      update corpus_follow_send
        set state = 'FAILED', sent_at = null, last_error = '连接超时', updated_at = ${app.clock.now()}::timestamptz + interval '1 second'
        where id in (
          select id from corpus_follow_send where scene_package_id = ${scene.scenePackageId} and state = 'SENT' order by id limit 5
        )`.execute(app.db);
    await app.runDue();
    const boss = await checker(app);
    expect(await app.ok(queryEngineState, {}, { as: boss })).toMatchObject({ stopped: { byBreaker: true } });
    const [failed] = (await sendsOf(app, scene.scenePackageId)).filter(({ state }) => state === 'FAILED');
    const clerk = await maker(app);
    expect(await app.ok(retryFollowSend, { ids: [failed!.id] }, { as: clerk })).toMatchObject([{ code: 'SCM11043' }]);
    await app.ok(resumeSend, { scopeType: 'ENGINE', onResume: 'CATCH_UP' }, { as: boss });
    expect(await app.ok(retryFollowSend, { ids: [failed!.id] }, { as: clerk })).toMatchObject([{ ok: true }]);
    await sql`update corpus_engine_setting set breaker_window = 200`.execute(app.db);
  });
});

describe('what happens meanwhile', () => {
  it('a withdrawn consent stops the runs; their touches go nowhere', async () => {
    clockTo(at('2026-11-25', '10:00'));
    const patient = await makeTreated(app);
    const scene = await manyDue(app, [patient], 2);
    await publishAndDeliver(app, consentChanged, patient.patientId, {
      patientId: patient.patientId,
      consentType: 'FOLLOW_UP',
      state: 'WITHDRAWN',
      at: app.clock.now(),
    });
    await sendNow(app);
    expect(await engineMessages(app, patient.conversationId)).toEqual([]);
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([{ state: 'STOPPED', stopReason: 'CONSENT' }]);
    expect(new Set((await sendsOf(app, scene.scenePackageId)).map(({ state }) => state))).toEqual(new Set(['CANCELLED']));
  });

  // Acceptance 15.
  it('the most urgent goes first under the cap; what waits longer than it may is skipped, the rest comes in the morning', async () => {
    clockTo(at('2026-12-03', '14:00'));
    const patient = await makeTreated(app);
    const scene = await manyDue(app, [patient], 3);
    await sql`update corpus_engine_setting set cap_per_day = 1`.execute(app.db);
    const kinds = ['EDUCATION', 'EDUCATION', 'MEDICATION'] as const;
    for (const [index, touchKind] of kinds.entries())
      await sql`
        update corpus_follow_send
          set touch_kind = ${touchKind}, due_at = ${app.clock.now()}::timestamptz - make_interval(mins => ${3 - index}),
            expires_at = ${app.clock.now()}::timestamptz + make_interval(hours => ${index === 0 ? 12 : 24})
          where scene_package_id = ${scene.scenePackageId} and item_key = 'x' and occurrence = ${index + 1}`.execute(app.db);
    const due = async () => (await sendsOf(app, scene.scenePackageId)).filter(({ itemKey }) => itemKey === 'x').toSorted(byOccurrence);
    await sendNow(app);
    expect(await due()).toMatchObject([
      { state: 'SKIPPED', reasonCode: 'CAP' },
      { state: 'HELD', reasonCode: 'CAP', nextTryAt: at('2026-12-04', '08:30') },
      { state: 'SENT' },
    ]);
    clockTo(at('2026-12-04', '08:30'));
    await sendNow(app);
    expect((await due())[1]).toMatchObject({ state: 'SENT' });
    await sql`update corpus_engine_setting set cap_per_day = 20`.execute(app.db);
  });

  // Acceptance 16, R8.
  it('a reply at ten holds what is due at two; by SHIFT the plan moves by the whole days of the pause', async () => {
    clockTo(at('2026-12-05', '09:00'));
    const patient = await makeTreated(app);
    const scene = await publishScene(app, {
      launch: [],
      policy: { entryMode: 'MANUAL', activeGuardMin: 0, pauseHours: 48, resumeMode: 'SHIFT', maxDelayHours: 72 },
      items: [
        { dayOffset: 0, sendTime: '14:00' },
        { dayOffset: 4, sendTime: '09:00' },
      ],
    });
    await app.ok(addFollowRun, { scenePackageId: scene.scenePackageId, patientIds: [patient.patientId], reason: '术后' }, { as: scene.by });
    clockTo(at('2026-12-05', '10:00'));
    await says(app, patient.conversationId, 'PATIENT', '已服药');
    const [run] = await runsOf(app, scene.scenePackageId);
    expect(run).toMatchObject({ state: 'PAUSED', pauseReason: 'PATIENT_REPLY', pausedAt: at('2026-12-05', '10:00') });
    clockTo(at('2026-12-05', '14:00'));
    await sendNow(app);
    expect((await sendsOf(app, scene.scenePackageId))[0]).toMatchObject({ state: 'HELD', reasonCode: 'PAUSED' });
    clockTo(at('2026-12-07', '09:00'));
    await app.ok(operateFollowRun, { runIds: [run!.id], action: 'resume' }, { as: await maker(app) });
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([{ state: 'RUNNING', shiftDays: 2 }]);
    expect(await sendsOf(app, scene.scenePackageId)).toMatchObject([
      { state: 'PLANNED', dueAt: at('2026-12-07', '14:00') },
      { state: 'PLANNED', dueAt: at('2026-12-11', '09:00') },
    ]);
  });

  it("a patient's message pauses his runs and answers the last touch; an engine's message does neither", async () => {
    clockTo(at('2026-11-26', '10:00'));
    const patient = await makeTreated(app);
    const scene = await manyDue(app, [patient], 1);
    await sendNow(app);
    await app.runDue();
    expect((await runsOf(app, scene.scenePackageId))[0]).toMatchObject({ state: 'RUNNING' });
    app.clock.advance(minutes(5));
    await says(app, patient.conversationId, 'PATIENT', '头有点晕');
    const [run] = await runsOf(app, scene.scenePackageId);
    expect(run).toMatchObject({ state: 'PAUSED', pauseReason: 'PATIENT_REPLY', repliedCount: 1 });
    await app.advance(24 * 60 * minutes(1), ['corpus']);
    expect((await runsOf(app, scene.scenePackageId))[0]).toMatchObject({ state: 'RUNNING', pauseReason: null });
  });

  it('a material that was disabled is not sent, an operator skips what he does not want, a sent one cannot be sent again', async () => {
    clockTo(at('2026-11-28', '10:00'));
    const patient = await makeTreated(app);
    const scene = await manyDue(app, [patient], 2);
    const clerk = await maker(app);
    const [first, second] = (await sendsOf(app, scene.scenePackageId)).filter(({ itemKey }) => itemKey === 'x');
    expect(await app.refused(skipFollowSend, { ids: [first!.id], reason: '' }, { as: clerk })).toMatchObject({ code: 'SCM90020' });
    expect(await app.ok(skipFollowSend, { ids: [first!.id, '999999999'], reason: '重复' }, { as: clerk })).toMatchObject([
      { ok: true },
      { ok: false, code: 'SCM90040' },
    ]);
    const off = await makeText(app);
    await own(app.db)
      .updateTable('corpusFollowSend')
      .set({ materialIds: [off] })
      .where('id', '=', second!.id)
      .execute();
    await sql`update corpus_material set state = 'DISABLED' where id = ${off}`.execute(app.db);
    await sendNow(app);
    expect(await engineMessages(app, patient.conversationId)).toEqual([]);
    expect((await sendsOf(app, scene.scenePackageId)).filter(({ itemKey }) => itemKey === 'x')).toMatchObject([
      { reasonCode: 'MANUAL' },
      { reasonCode: 'MATERIAL_OFF' },
    ]);
    expect(await app.ok(retryFollowSend, { ids: [first!.id] }, { as: clerk })).toMatchObject([{ code: 'SCM90031' }]);
  });

  // Acceptance 18.
  it('a death stops the runs and calls off what is due; nothing is sent any more', async () => {
    clockTo(at('2026-11-29', '10:00'));
    const patient = await makeTreated(app);
    const scene = await manyDue(app, [patient], 2);
    const registrar = await keeper(app);
    await app.ok(
      operatePatient,
      {
        patientId: patient.patientId,
        version: await versionOf(app, patient.patientId),
        action: 'markDeceased',
        opinion: '家属告知',
        deceasedOn: '2026-11-28',
        fileIds: [await upload(app, registrar)],
      },
      { as: registrar },
    );
    // The gate asks too: nothing goes out before the runs are stopped.
    await sendNow(app);
    await app.runDue();
    await sendNow(app);
    expect(await engineMessages(app, patient.conversationId)).toEqual([]);
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([{ state: 'STOPPED', stopReason: 'DECEASED' }]);
    expect(new Set((await sendsOf(app, scene.scenePackageId)).map(({ state }) => state))).toEqual(new Set(['CANCELLED']));
  });

  // Acceptance 20.
  it('the card of a prescription medicine goes only to who has a valid prescription for it', async () => {
    // On the day from which its price holds.
    clockTo(at('2026-11-21', '10:00'));
    const { medicine: drug } = await makeOn(app);
    clockTo(at('2026-11-30', '10:00'));
    const [prescribed, expired, without] = await makeManyTreated(app, 3);
    const card = await makeEnabled(app, { type: 'MEDICINE_CARD', medicineId: drug.id, note: '随餐服用' });
    const prescribe = (patientId: string, validUntil: string) =>
      acting(app, (writing) =>
        addSuggestion(writing, { ...suggestion(patientId), medicines: [medicine({ medicineId: drug.id })], validUntil }),
      );
    await prescribe(prescribed!.patientId, '2026-12-20');
    await prescribe(expired!.patientId, '2026-12-01');
    const scene = await manyDue(app, [prescribed!, expired!, without!], 1);
    await sql`update corpus_follow_send set material_ids = ${[card.id]}::bigint[] where scene_package_id = ${scene.scenePackageId}`.execute(
      app.db,
    );
    await sql`update patient_medicine_suggested set valid_until = '2026-11-29' where patient_id = ${expired!.patientId}`.execute(app.db);
    await sendNow(app);
    const due = (await sendsOf(app, scene.scenePackageId)).filter(({ itemKey }) => itemKey === 'x');
    expect(new Map(due.map(({ patientId, state, reasonCode }) => [patientId, `${state} ${reasonCode ?? ''}`]))).toEqual(
      new Map([
        [prescribed!.patientId, 'SENT '],
        [expired!.patientId, 'SKIPPED RX_REQUIRED'],
        [without!.patientId, 'SKIPPED RX_REQUIRED'],
      ]),
    );
  });
});

describe('sending again', () => {
  // Acceptance 13.
  it('is refused while nobody knows whether the chat has the message; the engine finds it there and sends it once', async () => {
    clockTo(at('2026-12-01', '10:00'));
    const patient = await makeTreated(app);
    const scene = await manyDue(app, [patient], 1);
    const clerk = await maker(app);
    const [id] = await claimDue(jobContext(app), 10, 10);
    expect(await deliver(jobContext(app), [id!])).toBe(1);
    // The chat has it, its answer came too late.
    await sql`
      update corpus_follow_send
        set state = 'UNKNOWN', sent_at = null, last_seq = null, last_error = '连接超时',
          lease_until = ${app.clock.now()}::timestamptz + interval '30 seconds', bubbles = jsonb_set(bubbles, '{0,seq}', 'null')
        where id = ${id!}`.execute(app.db);
    expect(await app.ok(retryFollowSend, { ids: [id!] }, { as: clerk })).toMatchObject([
      { ok: false, code: 'SCM11040', message: '发送结果确认中，请稍后再试' },
    ]);
    expect(await app.ok(skipFollowSend, { ids: [id!], reason: '重复' }, { as: clerk })).toMatchObject([{ code: 'SCM11040' }]);
    const thatSend = async () => (await sendsOf(app, scene.scenePackageId)).find((send) => send.id === id);
    await sendNow(app);
    expect(await thatSend()).toMatchObject({ state: 'UNKNOWN' });
    app.clock.advance(30_000);
    await Promise.all([sendNow(app), sendNow(other)]);
    expect(await thatSend()).toMatchObject({ state: 'SENT', lastError: null });
    expect(await engineMessages(app, patient.conversationId)).toHaveLength(1);
    expect(await app.ok(retryFollowSend, { ids: [id!] }, { as: clerk })).toMatchObject([{ ok: false, code: 'SCM11041' }]);
    expect(await engineMessages(app, patient.conversationId)).toHaveLength(1);
  });

  // Acceptance 21.
  it('takes two hundred at once and says of each whether it may; they keep their keys, what is over stays', async () => {
    clockTo(at('2026-12-02', '10:00'));
    const scene = await manyDue(app, await makeManyTreated(app, 40), 5);
    const due = async () => (await sendsOf(app, scene.scenePackageId)).filter(({ itemKey }) => itemKey === 'x');
    // The chat refused each to the last try.
    expect(await claimDue(jobContext(app), 100, 200)).toHaveLength(200);
    await sql`
      update corpus_follow_send
        set state = 'FAILED', lease_until = null, attempts = 4, last_error = '连接超时'
        where scene_package_id = ${scene.scenePackageId} and item_key = 'x'`.execute(app.db);
    const failed = await due();
    expect(failed).toHaveLength(200);
    const over = failed[7]!.id;
    await sql`update corpus_follow_send set expires_at = ${app.clock.now()}::timestamptz - interval '1 second' where id = ${over}`.execute(
      app.db,
    );
    const ids = failed.map(({ id }) => id);
    const clerk = await maker(app);
    expect(await app.refused(retryFollowSend, { ids: [...ids, '1'] }, { as: clerk })).toMatchObject({ code: 'SCM90020' });
    const answers = await app.ok(retryFollowSend, { ids }, { as: clerk });
    expect(answers.map(({ id }) => id)).toEqual(ids);
    expect(answers.filter(({ ok }) => !ok)).toMatchObject([{ id: over, code: 'SCM11042', message: '该消息已超过有效期，不能重发' }]);
    await sendNow(app);
    expect((await due()).map(({ id, dedupeKey, state }) => [id, dedupeKey, state])).toEqual(
      failed.map(({ id, dedupeKey }) => [id, dedupeKey, id === over ? 'FAILED' : 'SENT']),
    );
    expect(await countKeys(app, scene.scenePackageId)).toEqual({ messages: 199, keys: 199 });
  });
});
