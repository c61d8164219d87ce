import { ruleTexts } from '#kernel/contract/rules/texts.ts';
import type { Condition, RuleVariable } from '#kernel/contract/rules/rule.ts';
import { faultOfCondition } from '#kernel/contract/rules/validate.ts';
import type { ConditionRow, ConditionRowIn, VariableRow } from './conditionCalls.ts';
import { corpusErrors } from './errors.ts';

export const ruleVariableOf = (variable: VariableRow): RuleVariable => ({
  code: variable.variableCode,
  name: variable.variableName,
  valueType: variable.valueType,
  operators: variable.operators,
  unit: variable.unit,
  decimals: variable.decimals,
  options: variable.options,
});

/** A faulty row: which field, the text to show, and the code where the fault has one of its own. */
export interface RowFault {
  index: number;
  field: keyof ConditionRowIn;
  code: string | null;
  text: string;
}

const faultOfRow = (row: ConditionRowIn, variable: VariableRow | undefined): Omit<RowFault, 'index'> | null => {
  const missing = (['role', 'variableId', 'operatorValue', 'conditionValue', 'checked'] as const).find(
    (field) => row[field] === null || row[field] === '',
  );
  if (missing) return { field: missing, code: corpusErrors.INCOMPLETE.code, text: corpusErrors.INCOMPLETE.text };
  if (!variable || variable.userType !== row.role || variable.variableInfoFlag === 2) {
    return { field: 'variableId', code: corpusErrors.VARIABLE_ROLE.code, text: corpusErrors.VARIABLE_ROLE.text };
  }
  const fault = faultOfCondition(ruleVariableOf(variable), row.operatorValue, row.conditionValue);
  if (fault === null) return null;
  const field = fault === 'OPERATOR' ? 'operatorValue' : 'conditionValue';
  const code = fault in corpusErrors ? corpusErrors[fault as keyof typeof corpusErrors].code : null;
  return { field, code, text: ruleTexts[fault] };
};

/** All faults of a set of rows, one per row, in the order of the rows; server and page judge by it alike. */
export function faultsOfRows(rows: readonly ConditionRowIn[], variableOf: (variableId: string) => VariableRow | undefined): RowFault[] {
  return rows.flatMap((row, index) => {
    const fault = faultOfRow(row, row.variableId === null ? undefined : variableOf(row.variableId));
    return fault ? [{ index, ...fault }] : [];
  });
}

/** Turns checked rows into a rule of the kernel's engine. */
export function ruleOf(
  rows: readonly Pick<ConditionRow, 'variableId' | 'operatorValue' | 'conditionValue' | 'groupNo' | 'checked'>[],
  variableOf: (variableId: string) => VariableRow | undefined,
): Condition[] {
  return rows.map((row) => ({
    variableCode: variableOf(row.variableId)?.variableCode ?? '',
    operator: row.operatorValue,
    value: row.conditionValue,
    groupNo: row.groupNo,
    effective: row.checked === 1,
  }));
}
