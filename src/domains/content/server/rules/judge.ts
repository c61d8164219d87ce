import { sql } from 'kysely';
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { evaluate } from '#kernel/contract/rules/evaluate.ts';
import type { Fact } from '#kernel/contract/rules/rule.ts';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { ObjectRules } from '#kernel/server/objectTypes.ts';
import { conditionRow, type ConditionRow, conditionsOf } from '../../contract/rules/conditions.ts';
import { BLOCKED_DAYS, planOf, type MarkState } from '../../contract/rules/plan.ts';
import type { SampleRow } from '../../contract/rules/runCalls.ts';
import type { ContentMarkRule } from '../tables.ts';

const storedRows = z.array(conditionRow);

/** Conditions as the database holds them. */
export const readConditions = (stored: unknown): ConditionRow[] => storedRows.parse(stored);

interface Content {
  markId: string;
  conditions: readonly ConditionRow[];
  removeWhenFalse: boolean;
}

/** What a dry run judges: a change of any of it asks for another one. When a rule runs is no part of it. */
export const hashOf = ({ markId, conditions, removeWhenFalse }: Content): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        markId,
        removeWhenFalse,
        conditions.map(({ variableCode, operator, value, groupNo }) => [variableCode, operator, value, groupNo]),
      ]),
    )
    .digest('hex');

/** A rule as it judges objects. */
export interface JudgedRule extends Content {
  id: string;
  groupId: string;
  objectType: ContentMarkRule['objectType'];
  selectMode: ContentMarkRule['selectMode'];
}

/** What a rule finds of one object: whether its conditions hold, and by which values. */
export interface Judged {
  held: boolean;
  explain: SampleRow['explain'];
}

/** Judges objects by the facts of their owner. */
export async function judge(
  db: Db | Tx,
  owner: ObjectRules,
  rule: JudgedRule,
  ids: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, Judged>> {
  const codes = [...new Set(rule.conditions.map(({ variableCode }) => variableCode))];
  const facts = new Map<string, Map<string, Fact>>(ids.map((id) => [id, new Map()]));
  for (const { id, code, value, at } of await owner.facts(db, ids, codes, now)) facts.get(id)?.set(code, { value, at, source: '' });
  const conditions = conditionsOf(rule.conditions);
  return new Map(
    ids.map((id) => {
      const { held, rows } = evaluate(conditions, facts.get(id) ?? new Map());
      const explain = rows.map(({ index, verdict, value: fact, at }) => ({ ...rule.conditions[index]!, verdict, fact, at }));
      return [id, { held, explain }];
    }),
  );
}

interface Group {
  maxPerObject: number | null;
}

interface Found extends Omit<MarkState, 'held' | 'full' | 'rival'> {
  objectId: string;
  inGroup: number;
  byPeople: boolean;
  byRule: boolean;
}

/** What the objects carry of the mark and its group, and whom people keep the rule from. */
async function markStates(db: Db | Tx, rule: JudgedRule, group: Group, ids: readonly string[], now: Instant) {
  const since = plusMs(now, -days(BLOCKED_DAYS));
  const { rows } = await sql<Found>`
    select o.id::text as object_id, count(b.id)::int as in_group, coalesce(bool_or(b.mark_id = ${rule.markId}), false) as carried,
        coalesce(bool_or(b.mark_id = ${rule.markId} and b.source = 'RULE' and b.source_id = ${rule.id}), false) as own,
        coalesce(bool_or(b.mark_id <> ${rule.markId} and b.source <> 'RULE'), false) as by_people,
        coalesce(bool_or(b.mark_id <> ${rule.markId} and b.source = 'RULE'), false) as by_rule,
        exists (
          select from content_mark_binding e
            where e.mark_id = ${rule.markId}
              and e.object_id = o.id
              and e.object_type = ${rule.objectType}
              and e.end_reason = 'MANUAL'
              and e.ended_at > ${since}::timestamptz
        ) as blocked
      from unnest(${[...ids]}::bigint[]) o (id)
      left join content_mark_binding b on b.object_type = ${rule.objectType}
        and b.object_id = o.id
        and b.group_id = ${rule.groupId}
        and b.ended_at is null
      group by o.id
      order by o.id`.execute(db);
  return rows.map(({ objectId, inGroup, byPeople, byRule, ...rest }) => {
    const rival: MarkState['rival'] = rule.selectMode === 'MULTI' ? 'NONE' : byPeople ? 'PERSON' : byRule ? 'RULE' : 'NONE';
    const full = rule.selectMode === 'MULTI' && group.maxPerObject !== null && inGroup >= group.maxPerObject;
    return { objectId, state: { ...rest, rival, full } };
  });
}

export interface Planned {
  objectId: string;
  change: 'ADD' | 'REMOVE';
}

/** What the rule does to objects that were judged. A run that changes them holds the lock of the group meanwhile. */
export async function planAll(
  db: Db | Tx,
  rule: JudgedRule,
  group: Group,
  judged: ReadonlyMap<string, Pick<Judged, 'held'>>,
  now: Instant,
): Promise<Planned[]> {
  const found = await markStates(db, rule, group, [...judged.keys()], now);
  return found.flatMap(({ objectId, state }) => {
    const change = planOf({ ...state, held: judged.get(objectId)?.held ?? false }, rule.removeWhenFalse);
    return change === null ? [] : [{ objectId, change }];
  });
}
