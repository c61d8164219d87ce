import { asSystem } from '#kernel/server/command/acting.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { pageCodes } from '../../contract/floors/clientPages.ts';
import { own } from '../database.ts';
import { lockRelease, putLive } from './release.ts';

/** Releases whose time has come take the place of those before them, in the order of their times. */
export const activateReleases = job({
  name: 'content.activateReleases',
  label: '页面版本定时生效',
  cron: '* * * * *',
  expireSeconds: 300,
  async run(_data, ctx) {
    const due = await own(ctx.db)
      .selectFrom('contentPageRelease')
      .select(['id', 'pageCode'])
      .where('state', '=', 'SCHEDULED')
      .where('effectiveAt', '<=', ctx.now)
      .orderBy('effectiveAt')
      .orderBy('seq')
      .execute();
    for (const { id, pageCode: code } of due) {
      const pageCode = pageCodes.schema.parse(code);
      await ctx.transaction(async (writing) => {
        const release = await lockRelease(writing, pageCode, id);
        if (release.state === 'SCHEDULED') await putLive(asSystem(writing, ctx), pageCode, release, 'activate');
      });
    }
  },
});
