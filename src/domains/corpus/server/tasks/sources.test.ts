import { jobContext } from '#testing/jobContext.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf, hours, minutes, plusMs, startOfDay } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { makeInquiry } from '#domains/consultation/server/testing/inquiryWorld.ts';
import { makeOn } from '#domains/pharma/server/testing/fixtures.ts';
import { operateFollowRun } from '../../contract/engine/runCalls.ts';
import { addSchedule, modifySchedule } from '../../contract/scheduleCalls.ts';
import { submitAnswer } from '../../contract/questionnaires/calls.ts';
import { completeFollowTask } from '../../contract/tasks/calls.ts';
import { own } from '../database.ts';
import { claimDue } from '../engine/claim.ts';
import { deliver } from '../engine/deliver.ts';
import { maker, makeTreated, prepareScene, publishScene, runsOf, says, sendNow, sendsOf } from '../testing/engineWorld.ts';
import { makePublished, reactionForm, sendForm } from '../testing/questionnaireFixtures.ts';
import { unitFacts, unitKey } from '../facts/unitFacts.ts';
import { handler, makeTask, makeTaskOf } from '../testing/taskFixtures.ts';
import { settleReplies, raiseReplies, waitsSince } from './replies.ts';

let app: TestApp;
let medicine: Awaited<ReturnType<typeof makeOn>>['medicine'];
beforeAll(async () => {
  app = await startTestApp();
  ({ medicine } = await makeOn(app));
});
afterAll(() => app.close());

const tasksOf = (patientId: string) =>
  own(app.db).selectFrom('corpusFollowTask').selectAll().where('patientId', '=', patientId).orderBy('taskType').execute();

/** A patient in a scene of a disease of its own, with a touch that was just sent to him in the morning. */
async function touched(icd10: string, day: string, time = '10:00') {
  app.clock.set(startOfDay(day, '08:00'));
  const patient = await makeTreated(app, { icd10, hba1c: '8' });
  const scene = await publishScene(app, { icd10, policy: { activeGuardMin: 0 }, items: [{ dayOffset: 0, sendTime: '09:00' }] });
  app.clock.set(startOfDay(day, '09:00'));
  await sendNow(app);
  app.clock.set(startOfDay(day, time));
  return { ...patient, scene, run: (await runsOf(app, scene.scenePackageId)).find((run) => run.patientId === patient.patientId)! };
}

describe('an answer', () => {
  it('raises one task for each kind of its alerts, of the highest level among them, and none where nothing is wrong', async () => {
    const form = await makePublished(app, {
      ...reactionForm,
      alerts: [
        ...(reactionForm.alerts ?? []),
        { key: 'q3', operator: '>=', value: 38, level: 'MID', taskType: 'ALERT' },
        { key: 'q3', operator: '>=', value: 39, level: 'HIGH', taskType: 'ALERT' },
      ],
    });
    const [ill, well] = [await sendForm(app, form.id), await sendForm(app, form.id)];
    await app.ok(submitAnswer, { token: well.token, answers: { q1: '没有', q3: 36.5 }, seconds: 5 });
    expect(await tasksOf('77')).toEqual([]);
    await app.ok(submitAnswer, { token: ill.token, answers: { q1: '严重', q2: '手臂红疹', q3: 39.5 }, seconds: 5 });
    const now = app.clock.now();
    expect(await tasksOf('77')).toMatchObject([
      { taskType: 'AE', level: 'HIGH', state: 'TODO', sourceType: 'ANSWER', dueAt: plusMs(now, hours(24)) },
      {
        taskType: 'ALERT',
        level: 'HIGH',
        state: 'TODO',
        subject: expect.stringContaining('体温：39.5；体温：39.5'),
        dueAt: plusMs(now, hours(4)),
      },
    ]);
  });
});

describe('a touch that failed for good', () => {
  it('raises a task with what the chat said, once', async () => {
    app.clock.set(startOfDay('2026-11-24', '08:00'));
    const { patientId } = await makeTreated(app, { icd10: 'N18', hba1c: '8' });
    const scene = await publishScene(app, { icd10: 'N18', items: [{ dayOffset: 0, sendTime: '09:00' }] });
    app.clock.set(startOfDay('2026-11-24', '09:00'));
    await claimDue(jobContext(app), 100, 100);
    const [send] = await sendsOf(app, scene.scenePackageId);
    // Nobody of that number may write there; this was the last try.
    await sql`update corpus_follow_send set sender_id = 987654321, attempts = 4 where id = ${send!.id}`.execute(app.db);
    expect(await deliver(jobContext(app), [send!.id])).toBe(0);
    const [run] = await runsOf(app, scene.scenePackageId);
    expect(await tasksOf(patientId)).toMatchObject([
      {
        taskType: 'SEND_FAIL',
        level: 'MID',
        sourceType: 'SEND',
        sourceId: send!.id,
        runId: run!.id,
        sceneId: scene.sceneId,
        subject: expect.stringContaining(`消息${send!.sendNo}多次发送失败：`),
      },
    ]);
  });
});

describe('an item of a schedule', () => {
  const createTask = { taskType: 'CALL', dueInHours: 48 } as const;

  it('asks for a task within bounds alone', async () => {
    const scene = await prepareScene(app, { icd10: 'M05' });
    const item = { scenePackageId: scene.scenePackageId, dayOffset: 3, sendTime: '09:00', target: 'SINGLE', touchKind: 'CARE' } as const;
    const refused = await app.refused(addSchedule, { ...item, createTask: { ...createTask, dueInHours: 721 } }, { as: scene.by });
    expect(refused.fields).toEqual([{ path: 'createTask.dueInHours', message: '完成时限最多720小时' }]);
    const { id, version } = await app.ok(addSchedule, { ...item, createTask }, { as: scene.by });
    const { scenePackageId: _, ...change } = item;
    // What is not said stays; null takes it away.
    expect(await app.ok(modifySchedule, { id, version, ...change }, { as: scene.by })).toMatchObject({ createTask });
    expect(await app.ok(modifySchedule, { id, version: version + 1, ...change, createTask: null }, { as: scene.by })).toMatchObject({
      createTask: null,
    });
  });

  it('asks somebody beside its message, and instead of one, which then is enough to publish; neither twice', async () => {
    app.clock.set(startOfDay('2026-11-29', '08:00'));
    const both = await makeTreated(app, { icd10: 'K21', hba1c: '8' });
    const alone = await makeTreated(app, { icd10: 'B18', hba1c: '8' });
    const item = { dayOffset: 0, sendTime: '09:00', createTask };
    const beside = await publishScene(app, { icd10: 'K21', items: [item] });
    const instead = await publishScene(app, { icd10: 'B18', items: [item], materialIds: [] });
    app.clock.set(startOfDay('2026-11-29', '09:00'));
    await sendNow(app);
    await sendNow(app);
    const [sent] = await sendsOf(app, beside.scenePackageId);
    const [skipped] = await sendsOf(app, instead.scenePackageId);
    expect(sent).toMatchObject({ state: 'SENT' });
    expect(skipped).toMatchObject({ state: 'SKIPPED', reasonCode: 'TASK', attempts: 0 });
    const wanted = { taskType: 'CALL', level: 'MID', state: 'TODO', sourceType: 'SEND', dueAt: plusMs(app.clock.now(), hours(48)) };
    expect(await tasksOf(both.patientId)).toMatchObject([{ ...wanted, sourceId: sent!.id, sceneId: beside.sceneId }]);
    expect(await tasksOf(alone.patientId)).toMatchObject([{ ...wanted, sourceId: skipped!.id, runId: skipped!.runId }]);
    const { rows } = await sql`select 1 from corpus_touch_counter where patient_id = ${alone.patientId}`.execute(app.db);
    expect(rows).toEqual([]);
  });

  it('asks nobody about a run that is paused or over', async () => {
    app.clock.set(startOfDay('2026-11-30', '08:00'));
    const { patientId } = await makeTreated(app, { icd10: 'E78', hba1c: '8' });
    const scene = await publishScene(app, { icd10: 'E78', items: [{ dayOffset: 0, sendTime: '09:00', createTask }], materialIds: [] });
    const [run] = await runsOf(app, scene.scenePackageId);
    await app.ok(operateFollowRun, { runIds: [run!.id], action: 'pause', opinion: '患者住院' }, { as: await maker(app) });
    app.clock.set(startOfDay('2026-11-30', '09:00'));
    await sendNow(app);
    expect(await sendsOf(app, scene.scenePackageId)).toMatchObject([{ state: 'HELD', reasonCode: 'PAUSED' }]);
    await app.ok(operateFollowRun, { runIds: [run!.id], action: 'stop', opinion: '患者住院' }, { as: await maker(app) });
    await sendNow(app);
    expect(await tasksOf(patientId)).toEqual([]);
  });
});

describe('a patient who wrote', () => {
  it.each([
    ['nobody ever wrote', { PATIENT: '3', DOCTOR: null, ASSISTANT: null }, '2'],
    ['they wrote before only', { PATIENT: '3', DOCTOR: '1', ASSISTANT: '1' }, '2'],
    ['somebody answered', { PATIENT: '3', DOCTOR: null, ASSISTANT: '4' }, null],
    ['he wrote again after it', { PATIENT: '5', DOCTOR: '4', ASSISTANT: null }, '5'],
  ])('waits since the pause began or since he wrote last: %s', (_what, last, since) => {
    expect(waitsSince('2', last)).toBe(since);
  });

  it('pauses his run; half an hour of window hours later his assistant is told, once', async () => {
    const { patientId, conversationId, scene, colleague, run } = await touched('J45', '2026-11-25');
    await says(app, conversationId, 'PATIENT', '头有点晕');
    expect((await runsOf(app, scene.scenePackageId))[0]).toMatchObject({ state: 'PAUSED', pauseReason: 'PATIENT_REPLY' });
    app.clock.advance(minutes(29));
    await raiseReplies(jobContext(app));
    expect(await tasksOf(patientId)).toEqual([]);
    app.clock.advance(minutes(1));
    await Promise.all([raiseReplies(jobContext(app)), raiseReplies(jobContext(app))]);
    await raiseReplies(jobContext(app));
    expect(await tasksOf(patientId)).toMatchObject([
      {
        taskType: 'REPLY',
        level: 'HIGH',
        runId: run.id,
        conversationId,
        sourceType: 'SEND',
        state: 'DOING',
        assigneeId: colleague.staff.userId,
      },
    ]);
    await settleReplies(jobContext(app));
    expect(await tasksOf(patientId)).toMatchObject([{ state: 'DOING' }]);
    app.clock.advance(minutes(5));
    await says(app, conversationId, 'ASSISTANT', '先坐下休息，血压多少？');
    await Promise.all([settleReplies(jobContext(app)), settleReplies(jobContext(app))]);
    expect(await tasksOf(patientId)).toMatchObject([{ taskType: 'REPLY', state: 'CLOSED', result: null }]);
  });

  it('is left alone where a person answered, at night, and while his run goes on', async () => {
    const day = '2026-11-26';
    const { patientId, conversationId } = await touched('L40', day);
    await says(app, conversationId, 'PATIENT', '好的');
    app.clock.advance(minutes(10));
    await says(app, conversationId, 'ASSISTANT', '注意休息');
    app.clock.advance(hours(2));
    await raiseReplies(jobContext(app));
    expect(await tasksOf(patientId)).toEqual([]);
    // Written ten minutes before the end of the day: the rest of the half hour is counted from the next morning on.
    app.clock.set(startOfDay(day, '18:21'));
    await says(app, conversationId, 'PATIENT', '还是头晕');
    app.clock.set(startOfDay('2026-11-27', '08:49'));
    await raiseReplies(jobContext(app));
    expect(await tasksOf(patientId)).toEqual([]);
    app.clock.set(startOfDay('2026-11-27', '08:50'));
    await raiseReplies(jobContext(app));
    expect(await tasksOf(patientId)).toMatchObject([{ taskType: 'REPLY' }]);
  });
});

describe('what an assistant has in hand', () => {
  it('is a fact of the conversations that he answers for', async () => {
    app.clock.set(startOfDay('2026-11-28', '08:00'));
    const { patientId, conversationId, colleague } = await makeTreated(app, { icd10: 'M06' });
    const read = async () => {
      const unit = { patientId, conversationId, doctorId: null };
      return (await unitFacts(app.db, [unit], ['assistant.openTasks'], app.clock.now())).get(unitKey(unit))?.get('assistant.openTasks')
        ?.value;
    };
    const before = Number(await read());
    await makeTaskOf(app, colleague.staff);
    await makeTask(app);
    expect(Number(await read())).toBe(before + 1);
  });
});

describe('a serious reaction', () => {
  it('is told to the doctor in the group by the system, once it is reported', async () => {
    app.clock.set(startOfDay('2026-11-28', '10:00'));
    const { sufferer, groupId } = await makeInquiry(app);
    const as = await handler(app);
    const told = async () =>
      (
        await sql<{ sender: string; text: string }>`
          select m.sender_id as sender, m.payload ->> 'text' as text
            from consultation_im_message m
            join consultation_medical_group g on g.conv_id = m.conv_id
            where g.group_id = ${groupId} and m.source_ref like 'corpus:task:%'`.execute(app.db)
      ).rows;
    const report = async (seriousness: 'GENERAL' | 'SERIOUS') => {
      const { id } = await makeTaskOf(app, as, { patientId: sufferer.patientId, taskType: 'AE' });
      const aeReport = { medicineId: medicine.id, symptom: '3级皮疹', onsetOn: dayOf(app.clock.now()), seriousness, outcome: '未好转' };
      await app.ok(completeFollowTask, { id, result: 'RESOLVED', aeReport, version: 1 }, { as });
    };
    await report('GENERAL');
    expect(await told()).toEqual([]);
    await report('SERIOUS');
    expect(await told()).toEqual([
      { sender: expect.not.stringMatching(/^[PDA]\d/), text: expect.stringContaining(`3级皮疹（怀疑药品：${medicine.genericName}）`) },
    ]);
  });
});
