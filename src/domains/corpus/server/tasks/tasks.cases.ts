import { hours, plusMs } from '#kernel/contract/time.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import {
  addFollowTask,
  assignFollowTask,
  claimFollowTask,
  claimNextFollowTask,
  closeFollowTask,
  completeFollowTask,
  exportFollowTaskList,
  queryFollowTaskDetail,
  queryFollowTaskList,
  queryTaskAssigneeOptions,
  rescheduleFollowTask,
} from '../../contract/tasks/calls.ts';
import { addTaskAnswer, queryTaskForm, queryTaskForms } from '../../contract/tasks/formCalls.ts';
import { makePatient } from '../testing/fixtures.ts';
import { makePublished } from '../testing/questionnaireFixtures.ts';
import { handler, makeTask, makeTaskOf, taskRow } from '../testing/taskFixtures.ts';

const NONE = '999999999';
/** Somebody with a task in hand. */
const inHand = { permissions: ['corpus.task.handle'] };

/** Cases of 人工任务. */
export const taskCases: readonly CallCase[] = [
  callCase(queryFollowTaskList, async () => ({})),
  callCase(exportFollowTaskList, async (app) => ({ taskNo: (await taskRow(app, (await makeTask(app)).id)).taskNo })),
  callCase(queryFollowTaskDetail, async (app) => ({ id: (await makeTask(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(
    addFollowTask,
    async (app) => ({
      patientId: await makePatient(app),
      taskType: 'CALL' as const,
      level: 'HIGH' as const,
      subject: '询问用药情况',
      dueAt: plusMs(app.clock.now(), hours(2)),
    }),
    { foreign: async () => ({ patientId: NONE, taskType: 'CALL' as const, level: 'HIGH' as const, subject: '询问用药情况' }) },
  ),
  callCase(claimFollowTask, async (app) => ({ id: (await makeTask(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(claimNextFollowTask, async (app) => {
    await makeTask(app, { level: 'HIGH' });
    return {};
  }),
  callCase(assignFollowTask, async (app) => ({ id: (await makeTask(app)).id, assigneeId: (await handler(app)).userId, version: 1 }), {
    foreign: async () => ({ id: NONE, assigneeId: NONE, version: 1 }),
  }),
  callCase(queryTaskAssigneeOptions, async () => ({})),
  callCase(
    completeFollowTask,
    async (app, as) => ({ id: (await makeTaskOf(app, as!)).id, result: 'CONNECTED' as const, note: '按时服药', version: 1 }),
    { as: inHand, foreign: async () => ({ id: NONE, result: 'CONNECTED' as const, version: 1 }) },
  ),
  callCase(
    rescheduleFollowTask,
    async (app, as) => ({ id: (await makeTaskOf(app, as!)).id, nextFollowAt: plusMs(app.clock.now(), hours(3)), version: 1 }),
    { foreign: async (app) => ({ id: NONE, nextFollowAt: plusMs(app.clock.now(), hours(3)), version: 1 }) },
  ),
  callCase(queryTaskForms, async (app) => ({ id: (await makeTask(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(queryTaskForm, async (app, as) => ({ id: (await makeTaskOf(app, as!)).id, questionnaireId: (await makePublished(app)).id }), {
    as: inHand,
    foreign: async () => ({ id: NONE, questionnaireId: NONE }),
  }),
  callCase(
    addTaskAnswer,
    async (app, as) => ({ id: (await makeTaskOf(app, as!)).id, questionnaireId: (await makePublished(app)).id, answers: { q1: '没有' } }),
    { as: inHand, foreign: async () => ({ id: NONE, questionnaireId: NONE, answers: {} }) },
  ),
  callCase(closeFollowTask, async (app) => ({ id: (await makeTask(app)).id, opinion: '患者已转院', version: 1 }), {
    foreign: async () => ({ id: NONE, opinion: '患者已转院', version: 1 }),
  }),
];
