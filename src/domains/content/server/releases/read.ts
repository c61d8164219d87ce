import { sql } from 'kysely';
import { query } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { diffOfFloors } from '../../contract/floors/rules.ts';
import { previewPage, queryPageReleaseDiff, queryPageReleaseList } from '../../contract/releases/calls.ts';
import { own } from '../database.ts';
import { contentOf, draftOf } from '../floors/layout.ts';
import { resolveFor } from './resolve.ts';
import { requireSnapshot, snapshotOf } from './snapshots.ts';

const NEWEST = 100;
const nameOf = (column: string) => sql<string | null>`(select u.display_name from identity_staff_user u where u.id = ${sql.ref(column)})`;

export const releaseList = query(queryPageReleaseList, async ({ pageCode }, ctx) => {
  const rows = await own(ctx.db)
    .selectFrom('contentPageRelease as r')
    .select(['r.id', 'r.seq', 'r.state', 'r.contentHash', 'r.effectiveAt', 'r.submittedAt', 'r.submittedBy', 'r.auditedAt', 'r.opinion'])
    .select((eb) => eb.fn<number>('jsonb_array_length', ['r.snapshot']).as('floors'))
    .select([nameOf('r.submitted_by').as('submittedByName'), nameOf('r.audited_by').as('auditedByName')])
    .where('r.pageCode', '=', pageCode)
    .orderBy('r.seq', 'desc')
    .limit(NEWEST)
    .execute();
  return rows.map(({ submittedBy, ...row }) => ({ ...row, mine: submittedBy === ctx.staff.userId }));
});

export const releaseDiff = query(queryPageReleaseDiff, async ({ pageCode, from, to }, ctx) =>
  diffOfFloors((await requireSnapshot(ctx.db, pageCode, from)).floors, (await requireSnapshot(ctx.db, pageCode, to)).floors),
);

export const preview = (kernel: Kernel) =>
  query(previewPage, async ({ pageCode, source, at }, ctx) => {
    const floors =
      source === 'DRAFT'
        ? contentOf(await draftOf(ctx.db, pageCode))
        : source === 'LIVE'
          ? ((await snapshotOf(ctx.db, pageCode, 'LIVE'))?.floors ?? [])
          : (await requireSnapshot(ctx.db, pageCode, source)).floors;
    return resolveFor(kernel, ctx.db, ctx.staff, floors, at ?? ctx.now, ctx.now);
  });
