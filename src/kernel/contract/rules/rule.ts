/** Given operators (specification section 9) and those that a domain may add for its own variables. */
export const basicOperators = ['>', '<', '=', '>=', '<=', 'range'] as const;
export const extendedOperators = [...basicOperators, 'in', 'not in', 'contains', 'not contains'] as const;
export type Operator = (typeof extendedOperators)[number];

type ValueType = 'NUMBER' | 'OPTION' | 'TEXT';

/** What a condition can be about. */
export interface RuleVariable {
  /** Unique among the variables of one rule; facts are looked up by it. */
  code: string;
  name: string;
  valueType: ValueType;
  operators: readonly Operator[];
  unit: string;
  /** Digits behind the dot in which the value is shown; comparison is exact regardless. */
  decimals: number;
  /** OPTION only: the stored digits and their labels. */
  options: readonly { value: string; label: string }[];
}

/** One row: a variable, an operator and a value. */
export interface Condition {
  variableCode: string;
  operator: Operator;
  value: string;
  /** Rows of one group are joined with AND, groups with OR. */
  groupNo: number;
  /** A row that does not take effect is explained but never counts. */
  effective: boolean;
}

/** A value known about the judged record, and where it came from. */
export interface Fact {
  /** Decimal text, option digits or text; null when the record has none. */
  value: string | null;
  /** Time (ISO) or day at which the value was true. */
  at: string | null;
  source: string;
  /** Page on which the value can be looked up. */
  sourceRoute?: string;
}

export type Facts = ReadonlyMap<string, Fact>;

/** Most decimals that a condition value may have. */
export const MAX_DECIMALS = 3;
