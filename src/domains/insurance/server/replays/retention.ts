import { sql } from 'kysely';
import { dayOf } from '#kernel/contract/time.ts';
import { job } from '#kernel/server/jobs/declaration.ts';

/** Snapshots are kept for 36 months. */
export const snapshotRetention = job({
  name: 'insurance.dropOldSnapshots',
  label: '清理过期理算快照',
  cron: '40 3 * * *',
  async run(_data, ctx) {
    await sql`delete from insurance_claim_snapshot where decided_at < ${dayOf(ctx.now)}::date - interval '36 months'`.execute(ctx.db);
  },
});
