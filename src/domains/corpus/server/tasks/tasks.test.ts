import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf, hours, minutes, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { removeUserInfo } from '#domains/identity/contract/calls/users.ts';
import { makeOn } from '#domains/pharma/server/testing/fixtures.ts';
import {
  addFollowTask,
  assignFollowTask,
  claimFollowTask,
  claimNextFollowTask,
  closeFollowTask,
  completeFollowTask,
  queryFollowTaskDetail,
  queryFollowTaskList,
  queryTaskAssigneeOptions,
  rescheduleFollowTask,
  type TaskView,
} from '../../contract/tasks/calls.ts';
import { submitAnswer, queryQuestionnaireAnswerList } from '../../contract/questionnaires/calls.ts';
import { addTaskAnswer, queryTaskForm, queryTaskForms } from '../../contract/tasks/formCalls.ts';
import { makePatient } from '../testing/fixtures.ts';
import { editor } from '../testing/materialFixtures.ts';
import { makePublished, sendForm } from '../testing/questionnaireFixtures.ts';
import { agree, makeTreated } from '../testing/engineWorld.ts';
import { handler, leader, makeTask, makeTaskOf, taskRow } from '../testing/taskFixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const inHours = (n: number) => plusMs(app.clock.now(), hours(n));
const listed = async (view: TaskView, as: TestStaff) =>
  (await app.ok(queryFollowTaskList, { view, pageSize: 999 }, { as })).rows.map(({ id }) => id);

describe('a task that somebody makes', () => {
  const make = async (wish: object, as: TestStaff) =>
    app.refused(
      addFollowTask,
      { patientId: await makePatient(app), taskType: 'CALL', level: 'LOW', subject: '电话回访', dueAt: inHours(1), ...wish },
      { as },
    );

  it('is refused without an end to come, for another person without the right, and for who does not work on tasks', async () => {
    const as = await handler(app);
    expect((await make({ dueAt: undefined }, as)).fields).toEqual([{ path: 'dueAt', message: '截止时间须晚于当前时间' }]);
    expect((await make({ dueAt: inHours(-1) }, as)).fields).toEqual([{ path: 'dueAt', message: '截止时间须晚于当前时间' }]);
    expect(await make({ assigneeId: (await handler(app)).userId }, as)).toMatchObject({ code: 'SCM90010' });
    const other = await app.staff({ permissions: ['corpus.task.view'] });
    expect((await make({ assigneeId: other.userId }, await leader(app))).fields).toEqual([
      { path: 'assigneeId', message: '该员工不能处理随访任务' },
    ]);
  });

  it('waits for whoever claims it, in the conversation of the patient', async () => {
    const { patientId, conversationId } = await makeTreated(app);
    const as = await handler(app);
    const { id } = await makeTask(app, { patientId, level: 'HIGH' });
    expect(await taskRow(app, id)).toMatchObject({ state: 'TODO', assigneeId: null, conversationId, sourceType: 'MANUAL', sourceId: null });
    const detail = await app.ok(queryFollowTaskDetail, { id }, { as });
    expect(detail).toMatchObject({ subject: '询问用药情况', allowedActions: ['claim', 'close'] });
    expect(detail.conversationID).toMatch(/^C2CP\d+$/);
    expect(detail.task).toMatchObject({ state: 'TODO', level: 'HIGH', attemptCount: 0, isGroup: false });
  });

  it('is named to whoever lets go the person who works on it, and the leave goes on once that is confirmed', async () => {
    const worker = await handler(app);
    await makeTaskOf(app, worker);
    const { version } = (
      await sql<{ version: number }>`select version from identity_staff_user where id = ${worker.userId}`.execute(app.db)
    ).rows[0]!;
    const administrator = { as: await app.staff({ permissions: ['identity.user.remove'] }) };
    const leave = { id: worker.userId, version, opinion: '离职' };
    expect(await app.refused(removeUserInfo, leave, administrator)).toMatchObject({
      code: 'SCM01028',
      data: { openWork: [{ label: '未完成的随访任务', count: 1 }] },
    });
    await app.ok(removeUserInfo, { ...leave, confirmOpenWork: true }, administrator);
  });

  it('ends a day after it was made where it is about a suspected reaction, whatever was asked for', async () => {
    const { id } = await makeTask(app, { taskType: 'AE', dueAt: inHours(90) });
    expect((await taskRow(app, id)).dueAt).toBe(inHours(24));
  });
});

describe('the queue', () => {
  it('gives what is urgent first, each task to one of those who ask at once, until there is none', async () => {
    const other = await startTestApp();
    try {
      const soon = plusMs(other.clock.now(), minutes(20));
      const late = plusMs(other.clock.now(), hours(30));
      const wishes = [
        { level: 'LOW', dueAt: soon },
        { level: 'HIGH', dueAt: late },
        { level: 'MID', dueAt: late },
        { level: 'HIGH', dueAt: soon },
      ] as const;
      const ids: string[] = [];
      for (const wish of wishes) ids.push((await makeTask(other, wish)).id);
      const [low, highLate, mid, highSoon] = ids;
      const first = await handler(other);
      expect((await other.ok(claimNextFollowTask, {}, { as: first })).id).toBe(highSoon);
      const people = await Promise.all([1, 2, 3, 4, 5].map(() => handler(other)));
      const answers = await Promise.all(people.map((as) => other.send(claimNextFollowTask, {}, { as })));
      const taken = answers.flatMap(({ envelope }) =>
        envelope.code === '0' || envelope.data ? [(envelope.data as { id: string }).id] : [],
      );
      // Who skips all that others have in hand gets none; nothing is given twice.
      expect(new Set(taken).size).toBe(taken.length);
      for (const as of people) await other.send(claimNextFollowTask, {}, { as });
      expect(await other.refused(claimNextFollowTask, {}, { as: first })).toMatchObject({ code: 'SCM11081', message: '暂无可领取的任务' });
      for (const id of [low!, highLate!, mid!]) expect((await taskRow(other, id)).state).toBe('DOING');
    } finally {
      await other.close();
    }
  });

  it('gives a task that two people claim to one, and names him to the other', async () => {
    const { id } = await makeTask(app);
    const people = await Promise.all([1, 2].map(() => handler(app)));
    const answers = await Promise.all(people.map((as) => app.send(claimFollowTask, { id }, { as })));
    const refused = answers.findIndex(({ envelope }) => envelope.code === 'SCM11080');
    expect(refused).toBeGreaterThanOrEqual(0);
    const winner = people[1 - refused]!;
    expect(answers[refused]!.envelope.message).toBe(`任务已由${winner.displayName}领取`);
    expect(await taskRow(app, id)).toMatchObject({ state: 'DOING', assigneeId: winner.userId });
  });

  it('shows whose task what is, and what is nearly over', async () => {
    const [mine, as] = [await handler(app), await handler(app)];
    const { id: doing } = await makeTaskOf(app, mine, { dueAt: inHours(3) });
    const { id: waiting } = await makeTask(app, { dueAt: inHours(5) });
    expect(await listed('MINE', mine)).toEqual([doing]);
    expect(await listed('MINE', as)).toEqual([]);
    expect(await listed('WAITING', as)).toContain(waiting);
    expect(await listed('WAITING', as)).not.toContain(doing);
    expect(await listed('SOON', as)).toContain(doing);
    expect(await listed('SOON', as)).not.toContain(waiting);
  });

  it('shows a patient of another region to nobody outside of it', async () => {
    const { id } = await makeTask(app);
    const far = await app.staff({ permissions: ['corpus.task.view', 'corpus.task.handle'], scope: { region: ['650000'] } });
    expect(await app.refused(queryFollowTaskDetail, { id }, { as: far })).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(claimFollowTask, { id }, { as: far })).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(claimNextFollowTask, {}, { as: far })).toMatchObject({ code: 'SCM11081' });
    expect((await app.ok(queryFollowTaskList, {}, { as: far })).total).toBe(0);
  });
});

describe('assigning', () => {
  it('gives a task to somebody who may work on it, also from the hand of another', async () => {
    const [boss, first, second] = [await leader(app), await handler(app), await handler(app)];
    const { id } = await makeTask(app);
    const outsider = await app.staff({ permissions: ['corpus.task.view'] });
    expect((await app.refused(assignFollowTask, { id, assigneeId: outsider.userId, version: 1 }, { as: boss })).fields).toEqual([
      { path: 'assigneeId', message: '该员工不能处理随访任务' },
    ]);
    // Whoever does not see the patient could not open it.
    const far = await app.staff({ permissions: ['corpus.task.handle'], scope: { region: ['650000'] } });
    expect((await app.refused(assignFollowTask, { id, assigneeId: far.userId, version: 1 }, { as: boss })).fields).toEqual([
      { path: 'assigneeId', message: '该员工不能查看此患者，请选择其他负责人' },
    ]);
    expect(await app.ok(assignFollowTask, { id, assigneeId: first.userId, version: 1 }, { as: boss })).toMatchObject({ state: 'DOING' });
    expect(await app.refused(assignFollowTask, { id, assigneeId: second.userId, version: 1 }, { as: boss })).toMatchObject({
      code: 'SCM90030',
    });
    await app.ok(assignFollowTask, { id, assigneeId: second.userId, version: 2 }, { as: boss });
    expect(await app.refused(completeFollowTask, { id, result: 'CONNECTED', version: 3 }, { as: first })).toMatchObject({
      code: 'SCM11080',
      message: `任务已由${second.displayName}领取`,
    });
    const options = await app.ok(queryTaskAssigneeOptions, { keyword: second.opNo }, { as: boss });
    expect(options).toEqual([{ value: second.userId, label: `${second.displayName}（${second.opNo}）` }]);
  });
});

describe('working on a task', () => {
  it('is done with a result, which is told', async () => {
    const as = await handler(app);
    const { id } = await makeTaskOf(app, as);
    for (const result of [undefined, 'NO_ANSWER', 'LOST'] as const)
      expect(await app.refused(completeFollowTask, { id, result, version: 1 }, { as })).toMatchObject({
        code: 'SCM11082',
        message: '请填写随访结果',
      });
    await app.ok(completeFollowTask, { id, result: 'CONNECTED', note: '按时服药，无不适', version: 1 }, { as });
    expect(await taskRow(app, id)).toMatchObject({
      state: 'DONE',
      result: 'CONNECTED',
      note: '按时服药，无不适',
      endedAt: app.clock.now(),
    });
    expect(await app.refused(completeFollowTask, { id, result: 'CONNECTED', version: 2 }, { as })).toMatchObject({ code: 'SCM90031' });
    expect(await app.refused(claimFollowTask, { id }, { as })).toMatchObject({ code: 'SCM90031' });
  });

  it('is put off where nobody answers, and the third time the patient is lost', async () => {
    const as = await handler(app);
    const { id } = await makeTaskOf(app, as);
    const later = (version: number, n: number) =>
      app.ok(rescheduleFollowTask, { id, nextFollowAt: inHours(n), note: `第${version}次`, version }, { as });
    expect((await app.refused(rescheduleFollowTask, { id, nextFollowAt: inHours(-1), version: 1 }, { as })).fields).toEqual([
      { path: 'nextFollowAt', message: '下次随访时间须晚于当前时间' },
    ]);
    expect(await later(1, 8)).toMatchObject({ state: 'DOING' });
    expect(await taskRow(app, id)).toMatchObject({ result: 'NO_ANSWER', nextFollowAt: inHours(8), dueAt: inHours(8) });
    expect(await later(2, 9)).toMatchObject({ state: 'DOING' });
    expect(await later(3, 10)).toMatchObject({ state: 'CLOSED', allowedActions: [] });
    const detail = await app.ok(queryFollowTaskDetail, { id }, { as });
    expect(detail.task).toMatchObject({ state: 'CLOSED', result: 'LOST', attemptCount: 3, nextFollowAt: null });
    expect(detail.attempts.map(({ result, note }) => `${result}${note}`)).toEqual(['NO_ANSWER第1次', 'NO_ANSWER第2次', 'NO_ANSWER第3次']);
    expect(detail.trail.map(({ action }) => action)).toEqual(['raise', 'reschedule', 'reschedule', 'reschedule', 'lose']);
  });

  it('is closed with a reason, by who has it or who gives tasks to others', async () => {
    const [mine, as] = [await handler(app), await handler(app)];
    const { id } = await makeTaskOf(app, mine);
    expect((await app.refused(closeFollowTask, { id, version: 1 }, { as: mine })).fields).toEqual([
      { path: 'opinion', message: '请填写意见' },
    ]);
    expect(await app.refused(closeFollowTask, { id, opinion: '重复', version: 1 }, { as })).toMatchObject({ code: 'SCM11080' });
    expect(await app.ok(closeFollowTask, { id, opinion: '重复', version: 1 }, { as: await leader(app) })).toMatchObject({
      state: 'CLOSED',
    });
  });
});

describe('a suspected reaction', () => {
  it('is never done without its report, and is told to the pharmacovigilance with it', async () => {
    const { medicine } = await makeOn(app);
    const as = await handler(app);
    const { patientId } = await makeTreated(app, { consent: false });
    await agree(app, patientId);
    const { id } = await makeTaskOf(app, as, { patientId, taskType: 'AE' });
    const full = {
      medicineId: medicine.id,
      symptom: '3级皮疹',
      onsetOn: dayOf(app.clock.now()),
      seriousness: 'SERIOUS' as const,
      outcome: '好转',
    };
    const done = { id, result: 'RESOLVED' as const, version: 1 };
    const lacking = [
      undefined,
      { ...full, medicineId: undefined },
      { ...full, medicineId: '999999999' },
      { ...full, symptom: ' ' },
      { ...full, onsetOn: undefined },
      { ...full, onsetOn: '2099-01-01' },
      { ...full, seriousness: undefined },
      { ...full, outcome: '' },
    ];
    for (const aeReport of lacking)
      expect(await app.refused(completeFollowTask, { ...done, aeReport }, { as })).toMatchObject({
        code: 'SCM11083',
        message: '请完整填写不良反应信息',
      });
    await app.ok(completeFollowTask, { ...done, aeReport: full }, { as });
    const detail = await app.ok(queryFollowTaskDetail, { id }, { as });
    expect(detail.aeReport).toEqual({ ...full, medicineName: medicine.genericName });
    await app.runDue();
    const { rows } = await sql`select seriousness, patient_id as patient from pharma_adverse_report where source_task_id = ${id}`.execute(
      app.db,
    );
    expect(rows).toEqual([{ seriousness: 'SERIOUS', patient: patientId }]);
  });
});

describe('a questionnaire that is filled in for the patient', () => {
  it('is refused to whoever has not the task in hand, for what he was not sent, and with each fault at its question', async () => {
    const [as, other] = [await handler(app), await handler(app)];
    const form = await makePublished(app);
    const task = await makeTaskOf(app, as);
    const stranger = await sendForm(app, form.id);
    const fill = (wish: object, by: TestStaff) =>
      app.refused(addTaskAnswer, { id: task.id, questionnaireId: form.id, answers: { q1: '没有' }, ...wish }, { as: by });
    expect(await fill({}, other)).toMatchObject({ code: 'SCM11080' });
    expect(await fill({ id: (await makeTask(app)).id }, as)).toMatchObject({ code: 'SCM90031' });
    expect(await fill({}, await app.staff({ permissions: ['corpus.task.view'] }))).toMatchObject({ code: 'SCM90010' });
    expect(await fill({ sendId: stranger.sendId }, as)).toMatchObject({ code: 'SCM90040', message: '问卷不存在或已停用' });
    expect(await fill({ questionnaireId: '999999999' }, as)).toMatchObject({ code: 'SCM90040' });
    expect((await fill({ answers: { q1: '轻微' } }, as)).fields).toEqual([{ path: 'answers.q2', message: '请填写此题' }]);
    const { token, sendId } = await sendForm(app, form.id, 7, task.patientId);
    await app.ok(submitAnswer, { token, answers: { q1: '没有' }, seconds: 4 });
    expect(await fill({ sendId }, as)).toMatchObject({ code: 'SCM11092' });
    expect(await app.ok(queryTaskForms, { id: task.id }, { as })).toMatchObject({ sent: [], filled: [] });
  });

  it('answers what he was sent, or is asked without that; it says who filled it, raises its alerts, and closes his link', async () => {
    const as = await handler(app);
    const form = await makePublished(app);
    const task = await makeTaskOf(app, as, { taskType: 'FORM' });
    const { token, sendId } = await sendForm(app, form.id, 7, task.patientId);
    const asked = { id: task.id, questionnaireId: form.id };
    const before = await app.ok(queryTaskForms, { id: task.id }, { as });
    expect(before.sent).toMatchObject([{ sendId, questionnaireId: form.id }]);
    expect(before.others.map(({ questionnaireId }) => questionnaireId)).not.toContain(form.id);
    expect((await app.ok(queryTaskForm, { ...asked, sendId }, { as })).questions[0]).toMatchObject({ options: ['没有', '轻微', '严重'] });
    const answers = { q1: '严重', q2: '手臂红疹' };
    const { id: answerId } = await app.ok(addTaskAnswer, { ...asked, sendId, answers }, { as });
    expect(await app.refused(submitAnswer, { token, answers: { q1: '没有' }, seconds: 4 })).toMatchObject({ code: 'SCM11092' });
    await app.ok(addTaskAnswer, { ...asked, answers: { q1: '没有' } }, { as });
    expect(await app.refused(addTaskAnswer, { ...asked, answers: { q1: '没有' } }, { as })).toMatchObject({ code: 'SCM11092' });
    const { filled, sent } = await app.ok(queryTaskForms, { id: task.id }, { as });
    const by = { filledByName: (await app.ok(queryFollowTaskDetail, { id: task.id }, { as })).task.assigneeName };
    expect({ filled, sent }).toMatchObject({
      sent: [],
      filled: [
        { score: 0, ...by },
        { answerId, score: 3, alertText: '高', ...by },
      ],
    });
    const { rows } = await app.ok(queryQuestionnaireAnswerList, { questionnaireId: form.id }, { as: await editor(app) });
    expect(rows).toMatchObject([by, by]);
    const raised =
      await sql`select 1 from corpus_follow_task where source_type = 'ANSWER' and source_id = ${answerId} and task_type = 'AE'`.execute(
        app.db,
      );
    expect(raised.rows).toHaveLength(1);
  });
});
