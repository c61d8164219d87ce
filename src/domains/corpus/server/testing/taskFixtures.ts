import type { InputOf } from '#kernel/contract/call.ts';
import { hours, plusMs } from '#kernel/contract/time.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { addFollowTask } from '../../contract/tasks/calls.ts';
import { own } from '../database.ts';
import { makePatient } from './fixtures.ts';

/** Somebody who works on tasks. */
export const handler = (app: TestApp): Promise<TestStaff> => app.staff({ permissions: ['corpus.task.view', 'corpus.task.handle'] });
/** Somebody who gives them to others too. */
export const leader = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: ['corpus.task.view', 'corpus.task.handle', 'corpus.task.assign', 'corpus.corpus.export'] });

/** A task of a patient that waits for somebody. */
export async function makeTask(app: TestApp, wish: Partial<InputOf<typeof addFollowTask>> = {}) {
  const patientId = wish.patientId ?? (await makePatient(app));
  const { id, version } = await app.ok(
    addFollowTask,
    { taskType: 'CALL', level: 'MID', subject: '询问用药情况', dueAt: plusMs(app.clock.now(), hours(6)), ...wish, patientId },
    { as: await leader(app) },
  );
  return { id, version, patientId: String(patientId) };
}

/** The same, in somebody's hand. */
export const makeTaskOf = (app: TestApp, as: TestStaff, wish: Partial<InputOf<typeof addFollowTask>> = {}) =>
  makeTask(app, { ...wish, assigneeId: as.userId });

export const taskRow = (app: TestApp, id: string) =>
  own(app.db).selectFrom('corpusFollowTask').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
