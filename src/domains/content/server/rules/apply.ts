import { sql } from 'kysely';
import { markBound } from '#events/content.ts';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { ownTx } from '../database.ts';
import { endBindings, publishUnbound, type EndedBinding } from '../marks/bindings/end.ts';
import { type JudgedRule, planAll, type Judged } from './judge.ts';

type Ctx = Pick<Writing, 'tx' | 'publishMany'> & { now: Instant };

/** The mark of a rule with its group, the group locked; undefined where one of them is out of use. */
export async function lockUsable({ tx }: Pick<Writing, 'tx'>, rule: Pick<JudgedRule, 'markId' | 'groupId'>) {
  const group = await ownTx(tx)
    .selectFrom('contentTagGroup')
    .select(['state', 'maxPerObject'])
    .where('id', '=', rule.groupId)
    .forUpdate()
    .executeTakeFirst();
  const mark = await ownTx(tx)
    .selectFrom('contentMark')
    .select(['id', 'markCode', 'state', 'defaultDays'])
    .where('id', '=', rule.markId)
    .executeTakeFirst();
  return group?.state === 'ENABLED' && mark?.state === 'ENABLED' ? { group, mark } : undefined;
}

type Mark = NonNullable<Awaited<ReturnType<typeof lockUsable>>>['mark'];

async function add(ctx: Ctx, rule: JudgedRule, mark: Mark, objectIds: readonly string[]): Promise<void> {
  if (objectIds.length === 0) return;
  if (rule.selectMode === 'SINGLE') {
    const { rows } = await sql<EndedBinding>`
      update content_mark_binding b set ended_at = ${ctx.now}, end_reason = 'REPLACED'
        from content_mark m where m.id = b.mark_id and b.group_id = ${rule.groupId} and b.ended_at is null and b.source = 'RULE'
         and b.object_type = ${rule.objectType} and b.object_id = any(${[...objectIds]}::bigint[])
      returning b.mark_id::text, m.mark_code, b.object_type, b.object_id::text, b.source`.execute(ctx.tx);
    await publishUnbound(ctx, rows);
  }
  const expireAt = mark.defaultDays === null ? null : plusMs(ctx.now, days(mark.defaultDays));
  await sql`
    insert into content_mark_binding (mark_id, group_id, object_type, select_mode, object_id, source, source_id, bound_at, expire_at)
    select ${rule.markId}::bigint, ${rule.groupId}::bigint, ${rule.objectType}, ${rule.selectMode}, o.id, 'RULE', ${rule.id}::bigint,
      ${ctx.now}::timestamptz, ${expireAt}::timestamptz
      from unnest(${[...objectIds]}::bigint[]) o (id)`.execute(ctx.tx);
  await ctx.publishMany(
    markBound,
    objectIds.map((objectId) => ({
      aggregateId: `${rule.objectType}:${objectId}:${rule.markId}`,
      payload: { markId: rule.markId, markCode: mark.markCode, objectType: rule.objectType, objectId, source: 'RULE', at: ctx.now },
    })),
  );
}

/** Puts marks on objects and takes them away as the rule says now, under the lock of the group. @returns how many of each. */
export async function applyRule(
  ctx: Ctx,
  rule: JudgedRule,
  judged: ReadonlyMap<string, Pick<Judged, 'held'>>,
): Promise<{ added: number; removed: number }> {
  const usable = await lockUsable(ctx, rule);
  if (!usable) return { added: 0, removed: 0 };
  const plan = await planAll(ctx.tx, rule, usable.group, judged, ctx.now);
  const of = (change: 'ADD' | 'REMOVE') => plan.filter((one) => one.change === change).map(({ objectId }) => objectId);
  const [adds, removes] = [of('ADD'), of('REMOVE')];
  await add(ctx, rule, usable.mark, adds);
  if (removes.length > 0) await endBindings(ctx, { markIds: [rule.markId], objectIds: removes, sources: ['RULE'] }, 'RULE');
  return { added: adds.length, removed: removes.length };
}
