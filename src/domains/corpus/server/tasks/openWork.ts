import type { OpenWorkCounter } from '#domains/identity/server/index.ts';
import { own } from '../database.ts';

/** Follow-up tasks that somebody took up or was given. */
export const openTasks: OpenWorkCounter = {
  label: '未完成的随访任务',
  async count(db, userId) {
    const { n } = await own(db)
      .selectFrom('corpusFollowTask')
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .where('assigneeId', '=', userId)
      .where('state', 'in', ['TODO', 'DOING'])
      .executeTakeFirstOrThrow();
    return Number(n);
  },
};
