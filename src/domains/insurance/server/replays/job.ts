import { sql } from 'kysely';
import { job } from '#kernel/server/jobs/declaration.ts';
import { ReplayRun } from './batch.ts';

/** A run gives the worker back after so long, and goes on as a job of its own: a killed one is taken up within the expiry. */
const TURN_MS = 20_000;

export const replayJob = job<{ replayId: string }>({
  name: 'insurance.runReplay',
  label: '历史回放',
  expireSeconds: 90,
  retryLimit: 5,
  subject: ({ replayId }) => replayId,
  async run({ replayId }, ctx) {
    await sql`
      update insurance_rule_replay
        set state = 'RUNNING', started_at = coalesce(started_at, ${ctx.now}::timestamptz), updated_at = ${ctx.now}
        where id = ${replayId} and state = 'QUEUED'`.execute(ctx.db);
    const run = new ReplayRun(ctx.db, ctx.transaction);
    const until = performance.now() + TURN_MS;
    try {
      while (await run.next(replayId, ctx.kernel.clock.now())) {
        if (performance.now() < until && !ctx.signal.aborted) continue;
        await ctx.transaction(({ enqueue }) => enqueue(replayJob, { replayId }, { singletonKey: replayId }));
        return;
      }
    } catch (error) {
      // Cases are judged one by one and cannot fail the run; what does is the database, and the queue tries again.
      ctx.kernel.log.error({ error, replayId }, 'a replay stopped');
      throw error;
    }
  },
});
