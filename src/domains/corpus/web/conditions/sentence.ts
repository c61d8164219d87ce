import { sentenceOf } from '#kernel/contract/rules/sentence.ts';
import type { VariableRow } from '../../contract/conditionCalls.ts';
import { faultsOfRows, ruleOf, ruleVariableOf } from '../../contract/conditionRows.ts';
import { roleLabels } from '../../contract/dictionaries.ts';
import { rowInOf, type DraftRow } from './draft.ts';

/** The rule in words: `患者.距上次购药天数 ≥ 25 天 且 …`; rows that are not complete yet are left out. */
export function sentenceOfRows(rows: readonly DraftRow[], byId: ReadonlyMap<string, VariableRow>): string {
  const variableOf = (id: string) => byId.get(id);
  const right = rows.filter((row) => faultsOfRows([rowInOf(row)], variableOf).length === 0);
  const complete = right.flatMap(({ operatorValue, ...row }) =>
    operatorValue === '' ? [] : [{ ...row, operatorValue, checked: row.checked === 1 ? (1 as const) : (0 as const) }],
  );
  const byCode = new Map([...byId.values()].map((variable) => [variable.variableCode, variable]));
  return sentenceOf(
    ruleOf(complete, variableOf),
    (code) => {
      const variable = byCode.get(code);
      return variable && ruleVariableOf(variable);
    },
    (variable) => `${roleLabels[byCode.get(variable.code)!.userType]}.${variable.name}`,
  );
}
