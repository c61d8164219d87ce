import { evaluate, type Evaluation } from '#kernel/contract/rules/evaluate.ts';
import type { Condition, Facts } from '#kernel/contract/rules/rule.ts';
import type { ExplainedCondition } from './explained.ts';
import type { FrozenRow, PackageSnapshot } from './snapshot.ts';

export type { ExplainedCondition } from './explained.ts';

const conditionsOf = (rows: readonly FrozenRow[]): Condition[] =>
  rows.map((row) => ({
    variableCode: row.variableCode,
    operator: row.operatorValue,
    value: row.conditionValue,
    groupNo: row.groupNo,
    effective: row.checked === 1,
  }));

/** Judges frozen rows. Pure. */
export function judgeRows(
  rows: readonly FrozenRow[],
  facts: Facts,
  set: ExplainedCondition['set'] = 'own',
): Evaluation & { explain: ExplainedCondition[] } {
  const evaluation = evaluate(conditionsOf(rows), facts);
  return {
    ...evaluation,
    explain: evaluation.rows.map(({ index, verdict, value, at, source }) => {
      const { groupNo, role, variableName, operatorValue, conditionValue, checked } = rows[index]!;
      return { set, groupNo, role, variableName, operatorValue, conditionValue, checked, verdict, value, at, source };
    }),
  };
}

/**
 * Whether a patient in his conversation meets the launch conditions (R1, R2): the own rows hold, and for a child scene those of the
 * main scene; a main scene without effective rows lets everybody through. Pure: engine, dry run and simulation call it alike.
 */
export function evaluateUnit(
  snapshot: Pick<PackageSnapshot, 'launch' | 'mainLaunch'>,
  facts: Facts,
): { holds: boolean; explain: ExplainedCondition[] } {
  const own = judgeRows(snapshot.launch, facts);
  if (snapshot.mainLaunch === null) return { holds: own.held, explain: own.explain };
  const main = judgeRows(snapshot.mainLaunch, facts, 'main');
  return { holds: own.held && (main.held || main.empty), explain: [...main.explain, ...own.explain] };
}

/** Whether stop conditions end a run; a set without effective rows never does. */
export const evaluateStop = (snapshot: Pick<PackageSnapshot, 'stop'>, facts: Facts): { holds: boolean; explain: ExplainedCondition[] } => {
  const { held, explain } = judgeRows(snapshot.stop, facts);
  return { holds: held, explain };
};

/** Why somebody who meets the conditions does not enter. */
export const blockReasons = {
  NO_CONSENT: '未授权随访触达',
  NOT_ARMED: '条件持续满足，未曾变为不满足',
  NEVER: '不可重复进入',
  TOO_EARLY: '未到再次进入时间',
  SIBLING: '已在同一主场景的其他子场景中',
  MANUAL_ONLY: '场景仅人工加入',
} as const;
export type BlockReason = keyof typeof blockReasons;

/** What stands of a unit beside its facts. */
export interface UnitState {
  consent: boolean;
  /** The conditions were false since the last entry, or there was none. */
  armed: boolean;
  live: boolean;
  /** End of the last run of this package; null where there was none. */
  lastEndedAt: string | null;
  /** Lives in another child of the main scene, which lets only one in at a time. */
  sibling: boolean;
}

export type Verdict = { result: 'ENTER' | 'LIVE' | 'NOT'; reason: null } | { result: 'BLOCKED'; reason: BlockReason };

/** Decides about an entry. @param reentryAt when the package would let the unit in again. Pure. */
export function decideEntry(
  policy: Pick<PackageSnapshot['policy'], 'entryMode' | 'reentry' | 'reentryDays'>,
  holds: boolean,
  unit: UnitState,
  now: string,
): Verdict {
  if (unit.live) return { result: 'LIVE', reason: null };
  if (!holds) return { result: 'NOT', reason: null };
  const blocked = (reason: BlockReason): Verdict => ({ result: 'BLOCKED', reason });
  if (policy.entryMode === 'MANUAL') return blocked('MANUAL_ONLY');
  if (!unit.consent) return blocked('NO_CONSENT');
  if (!unit.armed) return blocked('NOT_ARMED');
  if (unit.lastEndedAt !== null) {
    if (policy.reentry === 'NEVER') return blocked('NEVER');
    if (reentryAt(policy, unit.lastEndedAt)! > now) return blocked('TOO_EARLY');
  }
  if (unit.sibling) return blocked('SIBLING');
  return { result: 'ENTER', reason: null };
}

/** When a unit may enter again; null: never. */
export const reentryAt = (policy: Pick<PackageSnapshot['policy'], 'reentry' | 'reentryDays'>, lastEndedAt: string): string | null =>
  policy.reentry === 'NEVER' ? null : new Date(Date.parse(lastEndedAt) + (policy.reentryDays ?? 0) * 86_400_000).toISOString();
