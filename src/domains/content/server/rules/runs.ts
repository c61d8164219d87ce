import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { queryMarkRuleRunDetail, queryMarkRuleRunList, sampleRows } from '../../contract/rules/runCalls.ts';
import type { Db } from '#kernel/server/context.ts';
import { own } from '../database.ts';
import { typeOf } from '../marks/objects.ts';
import { requireRuleRight } from './access.ts';
import { openGroups } from './list.ts';

const seen = (db: Db, has: (permission: { code: string }) => boolean) =>
  own(db)
    .selectFrom('contentMarkRuleRun as x')
    .innerJoin('contentMarkRule as r', 'r.id', 'x.ruleId')
    .innerJoin('contentTagGroup as g', 'g.id', 'r.groupId')
    .where(openGroups(has));

const columns = [
  'x.id',
  'x.ruleId',
  'x.seq',
  'x.kind',
  'x.startedAt',
  'x.finishedAt',
  'x.total',
  'x.evaluated',
  'x.toAdd',
  'x.toRemove',
  'x.added',
  'x.removed',
  'x.fault',
  'x.state',
] as const;
const starter = sql<string | null>`(select u.display_name from identity_staff_user u where u.id = x.started_by)`.as('startedByName');

export const runList = listOf(queryMarkRuleRunList)
  .from(({ db, has }) => seen(db, has))
  .with({
    where: { ruleId: 'x.ruleId', kind: 'x.kind' },
    id: 'x.id',
    unsorted: 'the runs of a rule in its drawer, the newest first',
    order: [['x.startedAt', 'desc']],
    select: (rows) => rows.select(columns).select(starter),
    present: (rows) => rows,
  });

export const runDetail = (kernel: Kernel) =>
  query(queryMarkRuleRunDetail, async ({ runId }, ctx) => {
    requireRuleRight(ctx);
    const row = await seen(ctx.db, ctx.has)
      .select(columns)
      .select([starter, 'x.sample', 'r.objectType'])
      .where('x.id', '=', runId)
      .executeTakeFirst();
    if (!row) throw refuse(platformErrors.NOT_FOUND, { message: '执行记录不存在' });
    const { sample, objectType, ...run } = row;
    const rows = sampleRows.parse(sample);
    const labels = await typeOf(kernel, objectType).labels(
      ctx.db,
      ctx.staff,
      rows.map(({ objectId }) => objectId),
      ctx.now,
    );
    const byId = new Map(labels.map((label) => [label.id, label]));
    return {
      run,
      // Objects outside the viewer's scope stay unnamed and unexplained.
      sample: rows.flatMap((one) => {
        const label = byId.get(one.objectId);
        return label ? [{ ...one, no: label.no, name: label.name }] : [];
      }),
    };
  });
