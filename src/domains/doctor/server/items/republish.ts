import { job } from '#kernel/server/jobs/declaration.ts';
import type { Writing } from '#kernel/server/context.ts';
import { own } from '../database.ts';
import { publishOpening } from '../openings/publish.ts';

const CHUNK = 200;

/** Tells the other domains anew what the openings of an item are: its name or its shelf changed. */
export const republishItemJob = job<{ itemId: string }>({
  name: 'doctor.republishItem',
  label: '发布服务项目变化',
  async run({ itemId }, ctx) {
    for (let after = '0'; ;) {
      const rows = await own(ctx.db)
        .selectFrom('doctorServiceOpening')
        .select('id')
        .where('itemId', '=', itemId)
        .where('state', 'in', ['ON', 'PAUSED'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(CHUNK)
        .execute();
      if (rows.length === 0) return;
      await ctx.transaction(async (writing) => {
        for (const { id } of rows) await publishOpening(writing, id);
      });
      after = rows.at(-1)!.id;
    }
  },
});

export const republishItem = (writing: Pick<Writing, 'enqueue'>, itemId: string): Promise<void> =>
  writing.enqueue(republishItemJob, { itemId });
