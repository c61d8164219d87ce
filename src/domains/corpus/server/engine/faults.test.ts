import { jobContext } from '#testing/jobContext.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minutes, startOfDay } from '#kernel/contract/time.ts';
import { consentChanged, patientMerged } from '#events/patient.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { modifyWorkCalendar } from '#domains/identity/contract/calls/system.ts';
import { publishAndDeliver } from '#domains/patient/server/testing/fixtures.ts';
import { resumeSend } from '../../contract/engine/engineCalls.ts';
import { addFollowRun } from '../../contract/engine/runCalls.ts';
import {
  agree,
  checker,
  engineMessages,
  makeText,
  makeTreated,
  prepareScene,
  publish,
  publishScene,
  runsOf,
  sendNow,
  sendsOf,
  statesOf,
  type Prepared,
  type SceneWish,
  type Treated,
} from '../testing/engineWorld.ts';
import { sendDue } from './jobs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const at = (day: string, time: string) => startOfDay(day, time);

/** Patients in a scene by hand. */
async function joined(patients: readonly Treated[], wish: SceneWish): Promise<Prepared> {
  const scene = await publishScene(app, { launch: [], ...wish, policy: { entryMode: 'MANUAL', activeGuardMin: 0, ...wish.policy } });
  const added = await app.ok(
    addFollowRun,
    { scenePackageId: scene.scenePackageId, patientIds: patients.map(({ patientId }) => patientId), reason: '试发' },
    { as: scene.by },
  );
  expect(added.every(({ ok }) => ok)).toBe(true);
  return scene;
}

/** The chat stores nothing until it is let go again. */
const breakChat = () =>
  app.database.asOwner(`
    create function chat_is_away() returns trigger language plpgsql
      as $$ begin raise exception 'connection lost' using errcode = '58030'; end $$; create trigger chat_is_away before insert
      on consultation_im_message for each row execute function chat_is_away()`);
const mendChat = () => app.database.asOwner('drop function chat_is_away() cascade');

const tick = async (times: number, everyMinutes: number) => {
  for (let n = 0; n < times; n += 1) {
    app.clock.advance(minutes(everyMinutes));
    await sendNow(app);
  }
};

const messagesOf = async (patients: readonly Treated[]) =>
  (await Promise.all(patients.map(({ conversationId }) => engineMessages(app, conversationId)))).map((messages) => messages.length);

describe('the chat is away for an hour', () => {
  it('what was due goes out once when it is back, within caps; what is stale or no longer wanted does not', async () => {
    app.clock.set(at('2026-11-23', '09:30'));
    const patients = [await makeTreated(app), await makeTreated(app), await makeTreated(app)];
    const [patient, , unwilling] = patients;
    const times = ['10:00', '10:00', '10:30', '10:30'] as const;
    const scenes = [];
    for (const [index, sendTime] of times.entries())
      scenes.push(await joined(patients, { items: [{ dayOffset: 0, sendTime }], policy: { maxDelayHours: index === 0 ? 1 : 24 } }));
    await sql`update corpus_engine_setting set same_material_gap_days = 0, breaker_window = 200`.execute(app.db);
    await breakChat();
    app.clock.set(at('2026-11-23', '10:00'));
    await sendNow(app);
    expect(await messagesOf(patients)).toEqual([0, 0, 0]);
    expect(new Set(await statesOf(app, scenes[0]!.scenePackageId))).toEqual(new Set(['UNKNOWN']));
    await tick(31, 2);
    await publishAndDeliver(app, consentChanged, unwilling!.patientId, {
      patientId: unwilling!.patientId,
      consentType: 'FOLLOW_UP',
      state: 'WITHDRAWN',
      at: app.clock.now(),
    });
    await mendChat();
    await tick(4, 1);
    // Of four the one that could wait an hour is over, and one met the three of a day while those were tried.
    expect(await messagesOf(patients)).toEqual([2, 2, 0]);
    expect(new Set((await sendsOf(app, scenes[0]!.scenePackageId)).map(({ reasonCode }) => reasonCode))).toEqual(new Set(['EXPIRED']));
    expect((await sendsOf(app, scenes[1]!.scenePackageId)).find(({ patientId }) => patientId === unwilling!.patientId)).toMatchObject({
      state: 'CANCELLED',
    });
    const { rows } = await sql<{ count: number }>`
      select count from corpus_touch_counter where patient_id = ${patient!.patientId} and day = '2026-11-23'`.execute(app.db);
    expect(rows).toEqual([{ count: 2 }]);
    await tick(3, 1);
    expect(await messagesOf(patients)).toEqual([2, 2, 0]);
    app.clock.set(at('2026-11-24', '08:30'));
    await sendNow(app);
    expect(await messagesOf(patients)).toEqual([3, 3, 0]);
  });
});

describe('a break-down that many feel', () => {
  it('throws the switch; what waited goes out after it is set back, and the rest waits for the morning', async () => {
    app.clock.set(at('2026-11-24', '18:20'));
    await sql`update corpus_engine_setting set breaker_window = 20`.execute(app.db);
    const patients = [];
    for (let n = 0; n < 24; n += 1) patients.push(await makeTreated(app));
    const scene = await joined(patients, { items: [{ dayOffset: 0, sendTime: '18:30' }] });
    await breakChat();
    app.clock.set(at('2026-11-24', '18:30'));
    await app.runDue();
    // What was claimed before is repeated as it was; after a minute it passes the gates again.
    await tick(2, 1);
    await mendChat();
    await tick(2, 1);
    expect((await messagesOf(patients)).every((count) => count === 0)).toBe(true);
    expect(new Set((await sendsOf(app, scene.scenePackageId)).map(({ reasonCode }) => reasonCode))).toEqual(new Set(['KILL']));
    const boss = await checker(app);
    await app.ok(resumeSend, { scopeType: 'ENGINE', onResume: 'CATCH_UP' }, { as: boss });
    await tick(3, 1);
    expect((await messagesOf(patients)).every((count) => count === 0)).toBe(true);
    expect(new Set((await sendsOf(app, scene.scenePackageId)).map(({ reasonCode }) => reasonCode))).toEqual(new Set(['QUIET']));
    app.clock.set(at('2026-11-25', '08:30'));
    await sendNow(app);
    expect((await messagesOf(patients)).every((count) => count === 1)).toBe(true);
    await sql`update corpus_engine_setting set breaker_window = 200`.execute(app.db);
  });
});

describe('the calendar', () => {
  it('a workday’s touch that falls into a holiday goes out on the first workday after it; over midnight nothing is sent', async () => {
    app.clock.set(at('2026-09-30', '17:00'));
    const patient = await makeTreated(app, { consent: false });
    await agree(app, patient.patientId, 'FOLLOW_UP', '2026-09-01T00:00:00Z');
    await joined([patient], {
      items: [
        { dayOffset: 0, sendTime: '18:30' },
        { dayOffset: 1, sendTime: '09:00' },
      ],
      policy: { calendarMode: 'WORKDAY', maxDelayHours: 24 },
    });
    app.clock.set(at('2026-09-30', '18:31'));
    await sendNow(app);
    app.clock.set(at('2026-10-01', '00:00'));
    await sendNow(app);
    app.clock.set(at('2026-10-01', '09:00'));
    await sendNow(app);
    expect(await messagesOf([patient])).toEqual([0]);
    app.clock.set(at('2026-10-08', '08:59'));
    await sendNow(app);
    expect(await messagesOf([patient])).toEqual([0]);
    app.clock.set(at('2026-10-08', '09:00'));
    await sendNow(app);
    expect(await messagesOf([patient])).toEqual([1]);
  });
});

describe('a changed calendar', () => {
  const planned = async (scene: string) =>
    (await sendsOf(app, scene)).map(({ itemKey, occurrence, state, dueAt }) => [itemKey === 'cycle' ? occurrence : -1, state, dueAt]);

  it('moves the touches of runs under way, there and back; what meets on one slot is one touch, and nothing is lost', async () => {
    app.clock.set(at('2026-11-12', '10:00'));
    const editor = await app.staff({ permissions: ['identity.calendar.edit'] });
    const patient = await makeTreated(app);
    const scene = await prepareScene(app, {
      launch: [],
      items: [{ dayOffset: 1, sendTime: '09:00' }],
      policy: { entryMode: 'MANUAL', calendarMode: 'WORKDAY', activeGuardMin: 0 },
    });
    await sql`
      insert into corpus_package_cycle (
        scene_package_id, time_option, send_time, age, play_mode, material_ids, target, touch_kind, created_at, updated_at
      )
        values (
          ${scene.scenePackageId}, 'EVERY_DAY', '14:00', 10, 'SAME', ${[await makeText(app)]}::bigint[], 'SINGLE', 'CARE',
          ${app.clock.now()}, ${app.clock.now()}
        )`.execute(app.db);
    await publish(app, scene);
    await app.ok(addFollowRun, { scenePackageId: scene.scenePackageId, patientIds: [patient.patientId], reason: '试发' }, { as: scene.by });
    const before = await planned(scene.scenePackageId);
    expect(before).toContainEqual([-1, 'PLANNED', at('2026-11-13', '09:00')]);
    // Friday and the next Monday become rest days: two in a row besides the weekend.
    const days = (isWorkday: boolean) =>
      ['2026-11-13', '2026-11-16'].map((day) => ({ day, isWorkday, isBankday: isWorkday, note: isWorkday ? '' : '停业' }));
    await app.ok(modifyWorkCalendar, { days: days(false) }, { as: editor });
    await app.runDue();
    const moved = (await planned(scene.scenePackageId)).filter(([, state]) => state === 'PLANNED');
    expect(moved).toContainEqual([-1, 'PLANNED', at('2026-11-17', '09:00')]);
    expect(new Set(moved.map(([, , dueAt]) => dueAt)).size).toBe(moved.length);
    expect(moved.filter(([, , dueAt]) => dueAt === at('2026-11-17', '14:00'))).toEqual([[5, 'PLANNED', at('2026-11-17', '14:00')]]);
    await app.ok(modifyWorkCalendar, { days: days(true) }, { as: editor });
    await app.runDue();
    expect(await planned(scene.scenePackageId)).toEqual(before);
    await app.ok(modifyWorkCalendar, { days: days(false) }, { as: editor });
    await app.runDue();
    app.clock.set(at('2026-11-16', '09:00'));
    await sendNow(app);
    expect(await messagesOf([patient])).toEqual([0]);
    app.clock.set(at('2026-11-17', '09:00'));
    await sendNow(app);
    expect(await messagesOf([patient])).toEqual([1]);
  });
});

describe('two records of one person', () => {
  it('are one after they were merged: the younger run of a scene stops, the elder goes on', async () => {
    app.clock.set(at('2026-11-26', '10:00'));
    const [elder, younger] = [await makeTreated(app), await makeTreated(app)];
    const scene = await joined([elder], { items: [{ dayOffset: 1, sendTime: '09:00' }] });
    app.clock.advance(minutes(10));
    await app.ok(addFollowRun, { scenePackageId: scene.scenePackageId, patientIds: [younger.patientId], reason: '试发' }, { as: scene.by });
    await publishAndDeliver(app, patientMerged, elder.patientId, { fromId: younger.patientId, intoId: elder.patientId });
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([{ state: 'RUNNING' }, { state: 'STOPPED', stopReason: 'MERGED' }]);
    app.clock.set(at('2026-11-27', '09:00'));
    await sendNow(app);
    expect(await messagesOf([elder, younger])).toEqual([1, 0]);
  });
});

describe('somebody for whom nothing can be claimed', () => {
  it('holds up nobody else, and is tried again later', async () => {
    app.clock.set(at('2026-12-07', '09:30'));
    await sql`update corpus_send_switch set ended_at = ${app.clock.now()}::timestamptz where ended_at is null`.execute(app.db);
    const patients = [await makeTreated(app), await makeTreated(app), await makeTreated(app)];
    await joined(patients, { items: [{ dayOffset: 0, sendTime: '10:00' }] });
    const wrong = patients[1]!;
    await app.database.asOwner(`
      create function cannot_be_claimed() returns trigger language plpgsql as $$ begin
        if new.patient_id = ${wrong.patientId} and new.state = 'SENDING' then raise exception 'cannot be claimed'; end if;
        return new; end $$;
      create trigger cannot_be_claimed before update on corpus_follow_send for each row execute function cannot_be_claimed()`);
    app.clock.set(at('2026-12-07', '10:00'));
    const failures = isolateFailures({ kernel: app.kernel, traceId: 'test', signal: new AbortController().signal });
    await sendDue(jobContext(app), failures);
    expect(() => failures.throwIfAny()).toThrow(`1项处理失败，其余已处理：患者${wrong.patientId}。`);
    expect(await messagesOf(patients)).toEqual([1, 0, 1]);
    // It does not come first every second.
    await sendNow(app);
    await app.database.asOwner('drop function cannot_be_claimed() cascade');
    await sendNow(app);
    expect(await messagesOf(patients)).toEqual([1, 0, 1]);
    app.clock.advance(minutes(11));
    await sendNow(app);
    expect(await messagesOf(patients)).toEqual([1, 1, 1]);
  });
});
