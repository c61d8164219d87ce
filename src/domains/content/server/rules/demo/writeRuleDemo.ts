import { sql } from 'kysely';
import { dayOf, days, hours, minutes, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { ruleErrors } from '../../../contract/rules/errors.ts';
import type { SampleRow } from '../../../contract/rules/runCalls.ts';
import { typeOf } from '../../marks/objects.ts';
import { hashOf, type JudgedRule } from '../judge.ts';
import { judge } from '../judge.ts';
import { demoRules, type DemoRule } from './texts.ts';

/** Objects that the samples of dry runs are taken from. */
const LOOKED_AT = 400;
const SAMPLED = 30;
/** Objects among which a rule finds whom to mark. */
const MOST_CARRIERS = 5_000;
const SECONDS = 1_000;

interface Placed {
  markId: string;
  groupId: string;
  selectMode: JudgedRule['selectMode'];
}

async function placeOf(tx: Tx, rule: DemoRule): Promise<Placed | undefined> {
  const { rows } = await sql<Placed>`
    select m.id::text as mark_id, g.id::text as group_id, g.select_mode from content_mark m join content_tag_group g on g.id = m.group_id
     where g.object_type = ${rule.objectType} and g.group_name = ${rule.group} and m.mark_name = ${rule.mark}`.execute(tx);
  return rows[0];
}

/** Some objects for which the conditions hold now, explained as a dry run does. */
async function sampleOf(kernel: DemoContext['kernel'], tx: Tx, rule: JudgedRule, now: Instant): Promise<SampleRow[]> {
  const type = typeOf(kernel, rule.objectType);
  if (!type.rules) return [];
  const judged = await judge(tx, type.rules, rule, await type.after(tx, '0', LOOKED_AT, now), now);
  return [...judged]
    .filter(([, { held }]) => held)
    .slice(0, SAMPLED)
    .map(([objectId, { explain }]) => ({ objectId, change: 'ADD', explain }));
}

/** What a night changes when nothing is special. */
const usual = (night: number): readonly [number, number] => [(night * 5) % 7, (night * 3) % 5];

/** The runs of a rule up to last night: the dry run in the afternoon before the first one. */
function runsOf(rule: DemoRule, facts: { ruleId: string; hash: string; total: number; sample: SampleRow[] }, last: Instant) {
  const first = plusMs(last, -days(Math.max(0, rule.runs - 2)));
  return Array.from({ length: rule.runs }, (_, place) => {
    const dry = place === 0;
    const startedAt = dry ? plusMs(first, -hours(11)) : plusMs(first, days(place - 1) + (rule.failed === place ? -minutes(5) : 0));
    const night = place - 2;
    const [toAdd, toRemove] = place <= 1 ? [rule.foreseen, 0] : (rule.nights?.[night] ?? usual(night + 1));
    const state = rule.aborted === place ? 'ABORTED' : rule.failed === place ? 'FAILED' : 'DONE';
    const done = state === 'DONE' && !dry;
    return {
      ruleId: facts.ruleId,
      seq: place + 1,
      kind: dry ? 'DRY' : 'RUN',
      contentHash: facts.hash,
      startedAt,
      finishedAt: plusMs(startedAt, (8 + (place % 5)) * SECONDS),
      total: facts.total,
      evaluated: state === 'FAILED' ? Math.floor(facts.total / 2) : facts.total,
      toAdd: state === 'ABORTED' ? rule.foreseen * 2 + 5 : state === 'FAILED' ? 0 : toAdd,
      toRemove: state === 'FAILED' ? 0 : toRemove,
      added: done ? toAdd : 0,
      removed: done ? toRemove : 0,
      state,
      fault: state === 'ABORTED' ? ruleErrors.DRIFT.text : state === 'FAILED' ? '执行时发生错误，将自动重试' : null,
      sample: dry ? facts.sample : [],
    };
  });
}

type DemoRun = ReturnType<typeof runsOf>[number];

/** What a rule put and took away, run by run, on people who carry no mark of its group: what its mark counts is what its runs tell. */
async function bindByRuns(kernel: DemoContext['kernel'], tx: Tx, rule: JudgedRule, runs: readonly DemoRun[], now: Instant): Promise<void> {
  const all = await typeOf(kernel, rule.objectType).after(tx, '0', MOST_CARRIERS, now);
  const { rows } = await sql<{ id: string }>`
    select distinct object_id::text as id
      from content_mark_binding
      where group_id = ${rule.groupId} and object_type = ${rule.objectType} and ended_at is null`.execute(tx);
  const carrying = new Set(rows.map(({ id }) => id));
  const free = all.filter((id) => !carrying.has(id));
  const bindings: { objectId: string; boundAt: Instant; endedAt: Instant | null }[] = [];
  for (const { startedAt, added, removed } of runs) {
    const ended = bindings.filter(({ endedAt }) => endedAt === null).slice(0, removed);
    for (const binding of ended) binding.endedAt = startedAt;
    for (const objectId of free.splice(0, added)) bindings.push({ objectId, boundAt: startedAt, endedAt: null });
  }
  const ids = await reserve(tx, 'content_mark_binding', bindings.length);
  await bulk(
    tx,
    'content_mark_binding',
    bindings.map((binding, index) => ({
      id: ids[index]!,
      markId: rule.markId,
      groupId: rule.groupId,
      objectType: rule.objectType,
      selectMode: rule.selectMode,
      source: 'RULE',
      sourceId: rule.id,
      note: '',
      endReason: binding.endedAt === null ? null : 'RULE',
      ...binding,
    })),
  );
}

/** content.md §Demo data: rules, their runs, and what they have marked. */
export async function writeRuleDemo({ kernel, now, transaction }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    const { rows: there } = await sql`select 1 from content_mark_rule limit 1`.execute(tx);
    if (there.length > 0) return;
    const tonight = startOfDay(dayOf(now), '03:00');
    const last = tonight < plusMs(now, -minutes(30)) ? tonight : plusMs(tonight, -days(1));
    const ids = await reserve(tx, 'content_mark_rule', demoRules.length);
    const runs: Record<string, unknown>[] = [];
    for (const [index, rule] of demoRules.entries()) {
      const place = await placeOf(tx, rule);
      if (!place) continue;
      const id = ids[index]!;
      const removeWhenFalse = rule.removeWhenFalse ?? true;
      const judged: JudgedRule = { id, ...place, objectType: rule.objectType, conditions: rule.conditions, removeWhenFalse };
      const hash = hashOf(judged);
      const published = rule.state !== 'DRAFT';
      const createdAt = plusMs(last, -days(rule.runs + 2));
      await bulk(tx, 'content_mark_rule', [
        {
          id,
          ruleNo: await nextSerial(tx, 'GZ', 5),
          ...place,
          objectType: rule.objectType,
          conditions: rule.conditions,
          removeWhenFalse,
          schedule: rule.schedule,
          contentHash: hash,
          state: rule.state,
          publishedSeq: published ? 1 : 0,
          publishedAt: published ? plusMs(last, -days(Math.max(0, rule.runs - 2)) - hours(10)) : null,
          version: published ? 2 : 1,
          createdAt,
          updatedAt: createdAt,
        },
      ]);
      const total = await typeOf(kernel, rule.objectType).count(tx, now);
      const sample = rule.runs > 0 ? await sampleOf(kernel, tx, judged, now) : [];
      const own = runsOf(rule, { ruleId: id, hash, total: Math.max(total, rule.foreseen), sample }, last);
      runs.push(...own);
      if (rule.nights) await bindByRuns(kernel, tx, judged, own, now);
      else if (published)
        await sql`update content_mark_binding set source = 'RULE', source_id = ${id}::bigint, bound_by = null
          where mark_id = ${place.markId} and ended_at is null and id % 3 <> 0`.execute(tx);
    }
    const runIds = await reserve(tx, 'content_mark_rule_run', runs.length);
    await bulk(
      tx,
      'content_mark_rule_run',
      runs.map((run, index) => ({ id: runIds[index]!, ...run })),
    );
  });
}
