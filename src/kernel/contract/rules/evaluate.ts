import { compareDecimals, isDecimal } from './decimal.ts';
import type { Condition, Fact, Facts, Operator } from './rule.ts';
import { listOf } from './validate.ts';

/** `NO_DATA`: the record has no value, so the row does not hold. */
type Verdict = 'HELD' | 'NOT_HELD' | 'NO_DATA';

/** Why a row did or did not hold. */
interface ExplainedRow {
  /** Place of the row in the rule. */
  index: number;
  groupNo: number;
  /** False: shown, but without weight. */
  effective: boolean;
  verdict: Verdict;
  value: string | null;
  at: string | null;
  source: string | null;
  sourceRoute: string | null;
}

export interface Evaluation {
  /** Whether any group with an effective row holds; false for a rule without effective rows. */
  held: boolean;
  /** Numbers of the groups that hold. */
  heldGroups: readonly number[];
  /** No row takes effect; the domain decides what that means. */
  empty: boolean;
  rows: readonly ExplainedRow[];
}

const same = (left: string, right: string) => (isDecimal(left) && isDecimal(right) ? compareDecimals(left, right) === 0 : left === right);

const compares = (fact: string, value: string, accept: (order: -1 | 0 | 1) => boolean) =>
  isDecimal(fact) && isDecimal(value) && accept(compareDecimals(fact, value));

/** Whether a known value answers one condition. */
export const holds: Readonly<Record<Operator, (fact: string, value: string) => boolean>> = {
  '=': same,
  '>': (fact, value) => compares(fact, value, (order) => order > 0),
  '<': (fact, value) => compares(fact, value, (order) => order < 0),
  '>=': (fact, value) => compares(fact, value, (order) => order >= 0),
  '<=': (fact, value) => compares(fact, value, (order) => order <= 0),
  // closed on both sides: a <= x <= b
  range: (fact, value) => {
    const [left = '', right = ''] = value.split(',');
    return compares(fact, left, (order) => order >= 0) && compares(fact, right, (order) => order <= 0);
  },
  in: (fact, value) => listOf(value).some((item) => same(fact, item)),
  'not in': (fact, value) => !listOf(value).some((item) => same(fact, item)),
  contains: (fact, value) => fact.includes(value),
  'not contains': (fact, value) => !fact.includes(value),
};

const verdictOf = (condition: Condition, fact: Fact | undefined): Verdict => {
  if (fact === undefined || fact.value === null || fact.value === '') return 'NO_DATA';
  return holds[condition.operator](fact.value, condition.value) ? 'HELD' : 'NOT_HELD';
};

/**
 * Judges one record: a group holds when all its effective rows hold, the rule when any group holds.
 * Pure, so that a trial, a dry run and the engine that acts give the same answer.
 */
export function evaluate(conditions: readonly Condition[], facts: Facts): Evaluation {
  const rows = conditions.map((condition, index): ExplainedRow => {
    const fact = facts.get(condition.variableCode);
    return {
      index,
      groupNo: condition.groupNo,
      effective: condition.effective,
      verdict: verdictOf(condition, fact),
      value: fact?.value ?? null,
      at: fact?.at ?? null,
      source: fact?.source ?? null,
      sourceRoute: fact?.sourceRoute ?? null,
    };
  });
  const counted = rows.filter((row) => row.effective);
  const groups = [...new Set(counted.map((row) => row.groupNo))].sort((a, b) => a - b);
  const heldGroups = groups.filter((groupNo) => counted.every((row) => row.groupNo !== groupNo || row.verdict === 'HELD'));
  return { held: heldGroups.length > 0, heldGroups, empty: counted.length === 0, rows };
}
