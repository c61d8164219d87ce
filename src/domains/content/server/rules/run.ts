import { type Selectable, sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { ruleErrors } from '../../contract/rules/errors.ts';
import { isAdrift } from '../../contract/rules/plan.ts';
import { ruleStates } from '../../contract/rules/states.ts';
import { own, ownTx } from '../database.ts';
import type { ContentMarkRuleRun } from '../tables.ts';
import { type LockedRule, RULE_TARGET } from './access.ts';
import { applyRule, lockUsable } from './apply.ts';
import { readConditions, type JudgedRule } from './judge.ts';
import { CHUNK, survey, type Survey } from './survey.ts';

type Run = Selectable<ContentMarkRuleRun>;
type Patch = Partial<Pick<Run, 'total' | 'evaluated' | 'toAdd' | 'toRemove' | 'added' | 'removed' | 'state' | 'finishedAt' | 'fault'>> & {
  sample?: string;
};

const patch = (ctx: JobContext, id: string, set: Patch) =>
  ctx.transaction(({ tx }) => ownTx(tx).updateTable('contentMarkRuleRun').set(set).where('id', '=', id).execute());

async function ruleOf(ctx: JobContext, id: string) {
  const row = await own(ctx.db).selectFrom('contentMarkRule').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const judged: JudgedRule = { ...row, conditions: readConditions(row.conditions) };
  return { row, judged };
}
type Rule = Awaited<ReturnType<typeof ruleOf>>;

/** The newest dry run of the content, which the first run after it is measured by; later runs follow the days. */
async function foreseen(ctx: JobContext, { row }: Rule, run: Run) {
  const newest = (kind: 'DRY' | 'RUN') =>
    own(ctx.db)
      .selectFrom('contentMarkRuleRun')
      .select(['seq', 'toAdd', 'toRemove'])
      .where('ruleId', '=', row.id)
      .where('kind', '=', kind)
      .where('state', '=', 'DONE')
      .where('contentHash', '=', run.contentHash)
      .where('seq', '<', run.seq)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
  const [dry, last] = [await newest('DRY'), await newest('RUN')];
  return dry && (!last || last.seq < dry.seq) ? dry : null;
}

async function change(ctx: JobContext, rule: Rule, run: Run, found: Survey): Promise<void> {
  const ids = [...found.changes.keys()];
  let [added, removed] = [0, 0];
  for (let start = 0; start < ids.length; start += CHUNK) {
    if (ctx.signal.aborted) throw new Error('the process stops');
    const part = new Map(ids.slice(start, start + CHUNK).map((id) => [id, found.changes.get(id)!]));
    const done = await ctx.transaction(async (writing) => {
      const counts = await applyRule({ tx: writing.tx, publishMany: writing.publishMany, now: ctx.now }, rule.judged, part);
      await ownTx(writing.tx)
        .updateTable('contentMarkRuleRun')
        .set((eb) => ({ added: eb('added', '+', counts.added), removed: eb('removed', '+', counts.removed) }))
        .where('id', '=', run.id)
        .execute();
      return counts;
    });
    added += done.added;
    removed += done.removed;
  }
  await ctx.transaction(async (writing) => {
    await ownTx(writing.tx)
      .updateTable('contentMarkRuleRun')
      .set({ state: 'DONE', finishedAt: ctx.now })
      .where('id', '=', run.id)
      .execute();
    const rule2 = await ownTx(writing.tx)
      .selectFrom('contentMarkRule')
      .selectAll()
      .where('id', '=', rule.row.id)
      .forUpdate()
      .executeTakeFirst();
    if (rule2?.schedule !== 'ONCE' || rule2.state !== 'RUNNING') return;
    await moveState(asSystem(writing, ctx), ruleStates, {
      targetType: RULE_TARGET,
      targetId: rule2.id,
      targetNo: rule2.ruleNo,
      action: 'finish',
      from: rule2.state,
      differences: [{ path: 'added', label: '新增与移除', before: null, after: `+${added} −${removed}` }],
    });
    await ownTx(writing.tx)
      .updateTable('contentMarkRule')
      .set({ state: 'ENDED', version: rule2.version + 1, ...updatedColumns({ now: ctx.now, userId: null }) })
      .where('id', '=', rule2.id)
      .execute();
  });
}

const abort = (ctx: JobContext, run: Run, fault: string) => patch(ctx, run.id, { state: 'ABORTED', finishedAt: ctx.now, fault });

async function perform(ctx: JobContext, run: Run): Promise<void> {
  const rule = await ruleOf(ctx, run.ruleId);
  if (rule.row.contentHash !== run.contentHash) return void (await abort(ctx, run, '规则已修改'));
  if (run.kind === 'RUN' && rule.row.state !== 'RUNNING') return void (await abort(ctx, run, '规则已不在运行中'));
  const usable = await ctx.transaction((writing) => lockUsable(writing, rule.judged));
  if (!usable) return void (await abort(ctx, run, '标签或标签组已停用'));
  const found = await survey(rule.judged, { ...ctx, progress: (evaluated) => patch(ctx, run.id, { evaluated }) });
  const { evaluated, toAdd, toRemove } = found;
  await patch(ctx, run.id, { evaluated, toAdd, toRemove, sample: JSON.stringify(found.sample) });
  if (run.kind === 'DRY') return void (await patch(ctx, run.id, { state: 'DONE', finishedAt: ctx.now }));
  const dry = await foreseen(ctx, rule, run);
  if (dry && isAdrift(found, dry)) return void (await abort(ctx, run, ruleErrors.DRIFT.text));
  await change(ctx, rule, run, found);
}

/** Does a run or a dry run that a command or the night has started. A failed one is taken up again by the queue. */
export const runRule = job<{ runId: string }>({
  name: 'content.runMarkRule',
  label: '执行打标规则',
  subject: ({ runId }) => runId,
  expireSeconds: 3600,
  async run({ runId }, ctx) {
    const run = await own(ctx.db).selectFrom('contentMarkRuleRun').selectAll().where('id', '=', runId).executeTakeFirst();
    if (!run || run.state === 'DONE' || run.state === 'ABORTED') return;
    const type = await own(ctx.db)
      .selectFrom('contentMarkRule')
      .select('objectType')
      .where('id', '=', run.ruleId)
      .executeTakeFirstOrThrow();
    const total = (await ctx.kernel.registry.objectTypes.get(type.objectType)?.count(ctx.db, ctx.now)) ?? 0;
    await patch(ctx, runId, { state: 'RUNNING', finishedAt: null, fault: null, total });
    try {
      await perform(ctx, run);
    } catch (error) {
      await patch(ctx, runId, { state: 'FAILED', finishedAt: ctx.now, fault: '执行时发生错误，将自动重试' });
      throw error;
    }
  },
});

type Starting = Pick<Writing, 'tx' | 'enqueue'> & { now: Instant; staffOrNull?: { userId: string } | null };

/** Begins a run of a locked rule. @returns its id; null where one is under way. */
async function startRun(ctx: Starting, rule: LockedRule, kind: ContentMarkRuleRun['kind']): Promise<string | null> {
  const open = await ownTx(ctx.tx)
    .selectFrom('contentMarkRuleRun')
    .select('id')
    .where('ruleId', '=', rule.id)
    .where('state', '=', 'RUNNING')
    .executeTakeFirst();
  if (open) return null;
  const { id } = await ownTx(ctx.tx)
    .insertInto('contentMarkRuleRun')
    .values({
      ruleId: rule.id,
      seq: sql<number>`(select coalesce(max(seq), 0) + 1 from content_mark_rule_run where rule_id = ${rule.id})`,
      kind,
      contentHash: rule.contentHash,
      startedAt: ctx.now,
      startedBy: ctx.staffOrNull?.userId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.enqueue(runRule, { runId: id });
  return id;
}

/** The same, refused while a run is under way. */
export async function startRunOrRefuse(ctx: Starting, rule: LockedRule, kind: ContentMarkRuleRun['kind']): Promise<string> {
  const id = await startRun(ctx, rule, kind);
  if (id === null) throw refuse(platformErrors.WRONG_STATE, { state: '执行中' });
  return id;
}

/** Starts a run of every rule that runs by night; one that is under way is left alone. */
export const nightlyRules = job({
  name: 'content.startMarkRules',
  label: '每日打标规则',
  cron: '0 3 * * *',
  async run(_data, ctx) {
    const rules = await own(ctx.db)
      .selectFrom('contentMarkRule')
      .select('id')
      .where('state', '=', 'RUNNING')
      .where('schedule', '=', 'DAILY')
      .orderBy('id')
      .execute();
    for (const { id } of rules) {
      await ctx.transaction(async (writing) => {
        const rule = await ownTx(writing.tx)
          .selectFrom('contentMarkRule')
          .selectAll()
          .where('id', '=', id)
          .where('state', '=', 'RUNNING')
          .forUpdate()
          .executeTakeFirst();
        if (rule) await startRun({ tx: writing.tx, enqueue: writing.enqueue, now: ctx.now }, rule, 'RUN');
      });
    }
  },
});
