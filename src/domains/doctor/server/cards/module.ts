import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { query } from '#kernel/server/handler.ts';
import { queryDoctorCardTask } from '../../contract/calls/cards.ts';
import { own } from '../database.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { writeCards } from './demo.ts';
import { cardArchive, fileHandlers } from './files.ts';
import { cardJobs } from './jobs.ts';
import { cardList } from './list.ts';
import { disable, generate, generateMany } from './save.ts';

type Failure = { id: string; name: string; ok: boolean; message: string };

/** Cards and posters that doctors hand out, with a code that says who brought the patient. */
export const cardsModule: FeatureModule = {
  handlers: (kernel) => [
    cardList.handler,
    query(queryDoctorCardTask, async ({ taskId }, ctx) => {
      const task = await own(ctx.db)
        .selectFrom('doctorCardTask')
        .selectAll()
        .where('id', '=', taskId)
        .where('createdBy', '=', ctx.staff.userId)
        .executeTakeFirst();
      if (!task) throw refuse(platformErrors.NOT_FOUND);
      return {
        taskId,
        taskNo: task.taskNo,
        total: task.total,
        done: task.done,
        state: task.state,
        failures: task.failures as Failure[],
      };
    }),
    generate,
    generateMany,
    disable,
    ...fileHandlers(kernel),
  ],
  jobs: cardJobs,
  exports: [cardArchive],
  demo: writeCards,
  invariants: [
    [
      '可用名片缺少图片或二维码',
      `
        select count(*)::int as n
          from doctor_card
          where state = 'READY' and num_nonnulls(card_file_id, poster_file_id, scene_code_id, source_hash) < 4`,
    ],
  ],
};
