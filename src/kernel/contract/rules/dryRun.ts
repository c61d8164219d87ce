import type { Evaluation } from './evaluate.ts';
import { evaluate } from './evaluate.ts';
import type { Condition, Facts } from './rule.ts';

interface DryRunRow<Key> {
  key: Key;
  evaluation: Evaluation;
}

export interface DryRun<Key> {
  judged: number;
  held: number;
  /** Per row of the rule: how many records it kept out, those without a value apart. */
  perRow: readonly { index: number; excluded: number; noData: number }[];
  rows: readonly DryRunRow<Key>[];
}

/** Judges many records without any effect; equal input gives equal output, in the order given. */
export function dryRun<Key>(conditions: readonly Condition[], records: Iterable<{ key: Key; facts: Facts }>): DryRun<Key> {
  const perRow = conditions.map((_, index) => ({ index, excluded: 0, noData: 0 }));
  const rows: DryRunRow<Key>[] = [];
  let held = 0;
  for (const { key, facts } of records) {
    const evaluation = evaluate(conditions, facts);
    if (evaluation.held) held += 1;
    for (const row of evaluation.rows) {
      if (!row.effective) continue;
      if (row.verdict === 'NOT_HELD') perRow[row.index]!.excluded += 1;
      if (row.verdict === 'NO_DATA') perRow[row.index]!.noData += 1;
    }
    rows.push({ key, evaluation });
  }
  return { judged: rows.length, held, perRow, rows };
}
